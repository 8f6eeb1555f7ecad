"""`verify --deep`: what the load and `near` have said of texts, and somebody has changed by hand."""

import sqlite3
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import pytest
from tests.support.product import ask, redwell

WORDS = [f"word{number}" for number in range(300)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    (source := folder / "in").mkdir()
    asked = "When do the books of the old branch office come to us for the audit?"
    for number, text in enumerate((asked, f"On Monday.\n\n> {asked}")):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "a@example.org", "b@example.org", "books"
        mail["Message-ID"], mail["In-Reply-To"] = f"<{number}@example.org>", "<0@example.org>"
        mail.set_content(text)
        (source / f"{number}.eml").write_bytes(bytes(mail))
    (source / "one.txt").write_text(" ".join(WORDS))
    (source / "other.txt").write_text(" ".join(WORDS[:290]))
    assert redwell(folder / "home", "import", str(source), "--case", "c").returncode == 0
    assert ask(folder / "home", "near", "--case", "c").returncode == 0
    return folder / "home"


def found(home: Path, *more: str) -> tuple[int, str]:
    run = ask(home, "verify", "--case", "c", *more)
    return run.returncode, run.stdout


CHANGES = {
    "inclusive = 1 - inclusive WHERE inclusive = 0": ("0.eml", "another mail holds its text"),
    "inclusive = 0 WHERE inclusive = 1": ("1.eml", "no other mail holds its text"),
    "near_score = near_score - 1 WHERE near IS NOT NULL": ("other.txt", "by 95%, it is 96%"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_value_that_could_be_right_and_is_not_is_told_by_a_deep_look(change: str, home: Path) -> None:
    assert found(home, "--deep") == (0, "")
    [database] = home.glob("cases/*/*.sqlite")
    with closing(sqlite3.connect(database)) as case:
        before = case.execute("SELECT id, inclusive, near_score FROM exhibit").fetchall()
        assert case.execute(f"UPDATE exhibit SET {change}").rowcount == 1
        case.commit()
        plain, deep = found(home), found(home, "--deep")
        case.executemany("UPDATE exhibit SET inclusive = ?2, near_score = ?3 WHERE id = ?1", before)
        case.commit()
    assert plain == (0, ""), "all that is cheap to see is as it could be"
    name, detail = CHANGES[change]
    assert deep[0] == 4 and deep[1].count("\n") == 1
    assert name in deep[1] and detail in deep[1] and deep[1].startswith("texts: ")
