"""What was protected, or read by an older handler, is read again; the summary says what changed."""

import bz2
import io
import json
import shutil
from pathlib import Path
from typing import Any

import py7zr
import pytest
from tests.support.evidence import mail, zipped
from tests.support.product import ask, documents, redwell, verified
from tests.support.rar_files import Locked, Member, rar5

pytestmark = pytest.mark.requirement("A20")

SECRET = "correct-horse-battery"
CLAUSE = b"the zinc clause, in the clear\n"


def by_path(home: Path) -> dict[str, dict[str, Any]]:
    return {row["path"]: row for row in documents(home, "c")}


def hidden() -> bytes:
    """A 7z whose names are encrypted too."""
    out = io.BytesIO()
    with py7zr.SevenZipFile(out, "w", password=SECRET, header_encryption=True) as writer:
        writer.writestr(CLAUSE, "clause.txt")
    return out.getvalue()


def protected_evidence(folder: Path) -> Path:
    folder.mkdir()
    named = rar5([Member("deep/clause.txt", CLAUSE), Member("second.txt", b"another secret")], Locked(SECRET))
    without_names = hidden()  # each call packs other bytes
    (folder / "names hidden.7z").write_bytes(without_names)
    (folder / "members locked.rar").write_bytes(named)
    (folder / "a mail.eml").write_bytes(
        mail("with archives", "attached", {"copy.rar": named, "copy.7z": without_names})
    )
    (folder / "box.zip").write_bytes(zipped({"inner.7z": without_names}))
    (folder / "plain.txt").write_text("nothing to see")
    return folder


def retried(home: Path, *args: str) -> dict[str, Any]:
    run = redwell(home, "retry", "--case", "c", "--json", *args)
    assert run.returncode == 0, run.stdout + run.stderr
    account: dict[str, Any] = json.loads(run.stdout)
    return account


def imported(home: Path, source: Path) -> None:
    run = redwell(home, "import", str(source), "--case", "c")
    assert run.returncode == 0, run.stdout + run.stderr


def test_passwords_open_archives_in_every_place_and_are_kept_nowhere(tmp_path: Path) -> None:
    home, source = tmp_path / "home", protected_evidence(tmp_path / "in")
    imported(home, source)
    before = by_path(home)
    closed = {path for path, row in before.items() if row["outcome"] == "PASSWORD_PROTECTED"}
    assert closed == {
        *("names hidden.7z", "box.zip//inner.7z", "a mail.eml//copy.7z"),
        *(
            f"{place}{end}"
            for place in ("members locked.rar", "a mail.eml//copy.rar")
            for end in ("", "//deep/clause.txt", "//second.txt")
        ),
    }
    (tmp_path / "passwords").write_text(f"wrong\n{SECRET}\n")
    account = retried(home, "--outcome", "PASSWORD_PROTECTED", "--passwords", str(tmp_path / "passwords"))
    after = by_path(home)
    assert {row["outcome"] for row in after.values()} == {"SUCCESS"}
    assert sum(row["text"] == CLAUSE.decode() for row in after.values()) == 5
    for path, row in before.items():
        same = ("id", "control_number", "sha256") if path not in closed or row["sha256"] else ("id", "control_number")
        assert {key: after[path][key] for key in same} == {key: row[key] for key in same}
    assert account["changed"] == [{"before": "PASSWORD_PROTECTED", "after": "SUCCESS", "count": len(closed)}]
    assert (account["contents"], account["new"], account["unchanged"]) == (2, 3, 0)
    assert "zinc" in ask(home, "search", "--case", "c", '"zinc clause"').stdout
    report = ask(home, "report", "--case", "c", "--json").stdout
    kept = [path for path in home.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert not kept and SECRET not in report
    verified(home, "c")


def test_a_retry_by_type_or_handler_reads_only_those(tmp_path: Path) -> None:
    home, source = tmp_path / "home", tmp_path / "in"
    source.mkdir()
    (source / "note.txt.bz2").write_bytes(bz2.compress(b"packed note"))
    (source / "box.zip").write_bytes(zipped({"one.txt": b"boxed note"}))
    imported(home, source)
    before = by_path(home)
    assert before["note.txt.bz2//note.txt"]["text"] == "packed note"
    versions = {path: row["handler"] for path, row in before.items()}
    assert versions["box.zip"].startswith("zip/") and versions["note.txt.bz2//note.txt"].startswith("text/")
    for args, contents in (
        (("--type", "application/zip"), 1),
        (("--type", "text"), 2),
        (("--handler", "compressed"), 1),
        (("--handler", versions["box.zip"]), 1),
        (("--handler", "zip/0"), 0),
        (("--handler", "zip", "--outcome", "PARTIAL"), 0),
    ):
        account = retried(home, *args)
        assert (account["contents"], account["changed"], account["new"]) == (contents, [], 0), args
    assert by_path(home) == before
    verified(home, "c")


def test_a_retry_needs_to_know_what(tmp_path: Path) -> None:
    imported(tmp_path / "home", protected_evidence(tmp_path / "in") / "plain.txt")
    run = redwell(tmp_path / "home", "retry", "--case", "c")
    assert run.returncode == 2 and "--outcome, --type, --handler, --kind, --outdated or --lacking" in run.stderr


def test_the_summary_in_words_says_what_changed(tmp_path: Path) -> None:
    source = protected_evidence(tmp_path / "in")
    shutil.copy(source / "names hidden.7z", tmp_path / "one.7z")
    imported(tmp_path / "home", tmp_path / "one.7z")
    (tmp_path / "passwords").write_text(SECRET)
    run = redwell(
        tmp_path / "home", "retry", "--case", "c", "--type", "application/x-7z-compressed", "--passwords",
        str(tmp_path / "passwords"),
    )  # fmt: skip
    assert "1 were PASSWORD_PROTECTED, are SUCCESS" in run.stdout and "1 new exhibits" in run.stdout
    assert "PASSWORD_PROTECTED in the case: 1 before, 0 after" in run.stdout
