"""SIGKILL inside a mailbox of thousands, then `resume`: it goes on inside, nothing twice, nothing lost."""

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from tests.support.product import kill_tree, normal_form, redwell, start, verified
from tests.support.pst_files import Folder, Store, mail

CASE = "mailbox"
MESSAGES = 3_000
SMALL = ("--set", "chunk=25", "--set", "index_documents=500")


def write_mbox(path: Path) -> None:
    with path.open("wb") as out:
        for number in range(MESSAGES):
            out.write(b"From ann@example.org Mon Jun  1 10:00:00 2009\nFrom: ann@example.org\n")
            out.write(b"Subject: Mail %d\nMessage-ID: <%d@example.org>\n\nBody %d.\n\n" % (number, number, number))


def write_pst(path: Path) -> None:
    folders = (Folder(f"Folder {n}", [mail(f"Mail {n}.{m}", f"Body {m}.") for m in range(100)]) for n in range(10))
    path.write_bytes(Store().with_folders(*folders).data())


def ask(home: Path, query: str) -> int:
    """A number out of the ledger of a case that may not be there yet."""
    for file in home.glob("cases/*/case.sqlite"):
        with (
            contextlib.suppress(sqlite3.OperationalError),
            contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as ledger,
        ):
            return int(ledger.execute(query).fetchone()[0] or 0)
    return 0


def members(home: Path) -> int:
    return ask(home, "SELECT count(*) FROM member")


def killed_inside(home: Path, at_least: int, *command: str) -> int:
    """Start, kill when the ledger has so many members; how many it had then."""
    process = start(home, *command, *SMALL)
    while process.poll() is None and members(home) < at_least:
        time.sleep(0.005)
    kill_tree(process)
    return members(home)


@pytest.mark.parametrize(("write", "name", "total"), [(write_mbox, "in.mbox", MESSAGES), (write_pst, "in.pst", 1_000)])
def test_a_mailbox_whose_import_is_killed_again_and_again_ends_as_an_undisturbed_one(
    write: Any, name: str, total: int, tmp_path: Path
) -> None:
    source, home, clean = tmp_path / name, tmp_path / "home", tmp_path / "clean"
    write(source)
    known = killed_inside(home, 1, "import", str(source), "--case", CASE)
    inside = [known]
    for share in (0.2, 0.4):
        known = killed_inside(home, known + int(total * share) // 2, "resume", "--case", CASE)
        inside.append(known)
    assert inside[0] < total, "the first kill came too late to be inside of the mailbox"
    assert inside == sorted(inside), "members that were known are never forgotten"
    assert redwell(home, "resume", "--case", CASE, *SMALL).returncode == 0
    assert redwell(clean, "import", str(source), "--case", CASE, *SMALL).returncode == 0
    assert members(home) == total
    assert normal_form(home, CASE) == normal_form(clean, CASE)
    verified(home, CASE)
