"""Known files and culling through the real product: FILTERED with a reason, listed, accounted for."""

import json
import os
import sqlite3
import subprocess
import sys
from hashlib import md5
from pathlib import Path
from typing import Any

import pytest
from tests.support.evidence import mail
from tests.support.product import ask, documents, redwell, verified

pytestmark = pytest.mark.requirement("A12")

_SYSTEM = b"MZ a file of the operating system"


def _evidence(folder: Path) -> Path:
    (folder / "Windows").mkdir(parents=True)
    (folder / "Windows" / "a.dll").write_bytes(_SYSTEM)
    (folder / "empty.txt").write_bytes(b"")
    (folder / "letter.txt").write_text("Dear Ann, the contract is signed.")
    (folder / "scratch.tmp").write_text("scratch")
    (folder / "sound").write_bytes(b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0" + bytes(24))
    (folder / "mail.eml").write_bytes(mail("Hello", "see the file", {"a.dll": _SYSTEM}))
    return folder


def _known(tmp_path: Path) -> Path:
    source = tmp_path / "NSRLFile.txt"
    hashes = [md5(_SYSTEM).hexdigest(), md5(b"").hexdigest()]
    source.write_text("".join(f'"{"0" * 40}","{value.upper()}","",""\n' for value in hashes))
    run = redwell(tmp_path, "nist", "build", str(source), "--output", str(tmp_path / "known.nist"), "--json")
    assert json.loads(run.stdout)["hashes"] == 1
    return tmp_path / "known.nist"


def _by_path(home: Path) -> dict[str, dict[str, Any]]:
    return {row["path"]: row for row in documents(home, "c")}


def test_a_known_loose_file_is_filtered_and_the_same_file_in_a_mail_is_not(tmp_path: Path) -> None:
    source, home = _evidence(tmp_path / "in"), tmp_path / "home"
    run = redwell(home, "import", str(source), "--case", "c", "--nist", str(_known(tmp_path)), "--json")
    summary = json.loads(run.stdout)
    assert (run.returncode, summary["filtered"], summary["balanced"]) == (0, 1, True)
    rows = _by_path(home)
    known = rows["Windows/a.dll"]
    assert (known["outcome"], known["md5"]) == ("FILTERED", md5(_SYSTEM).hexdigest())
    assert "is in known.nist" in known["detail"]
    assert rows["mail.eml//a.dll"]["outcome"] == "SUCCESS"
    assert rows["empty.txt"]["outcome"] == "EMPTY"
    verified(home, "c")


def test_filtered_files_are_listed_and_are_no_exceptions(tmp_path: Path) -> None:
    source, home = _evidence(tmp_path / "in"), tmp_path / "home"
    old = source / "letter.txt"
    os.utime(old, (978_307_200, 978_307_200))  # 2001
    rules = ("exclude=*.tmp;windows/*", "exclude_types=audio/*", "modified_from=2010-01-01")
    run = redwell(home, "import", str(source), "--case", "c", *(part for rule in rules for part in ("--set", rule)))
    assert run.returncode == 0, run.stderr
    assert "4 left out" in run.stdout
    listed = ask(home, "documents", "--case", "c", "--outcome", "FILTERED", "--json").stdout
    reasons = {row["path"]: row["detail"] for row in map(json.loads, listed.splitlines())}
    assert set(reasons) == {"scratch.tmp", "Windows/a.dll", "sound", "letter.txt"}
    assert "audio/wav is left out by exclude_types" in reasons["sound"]
    assert "2001-01-01, before modified_from" in reasons["letter.txt"]
    assert "FILTERED" not in ask(home, "exceptions", "--case", "c").stdout
    verified(home, "c")


@pytest.mark.parametrize("point", ["walk.before_close", "read.before_commit"])
def test_a_resumed_batch_keeps_the_rules_it_began_with(point: str, tmp_path: Path) -> None:
    source, home = _evidence(tmp_path / "in"), tmp_path / "home"
    known = _known(tmp_path)
    killed = redwell(
        home, "import", str(source), "--case", "c", "--nist", str(known), "--set", "include=*.dll;*.txt",
        REDWELL_TRIP=point,
    )  # fmt: skip
    assert killed.returncode != 0
    assert redwell(home, "resume", "--case", "c").returncode == 0
    outcomes = {path: row["outcome"] for path, row in _by_path(home).items()}
    assert outcomes["Windows/a.dll"] == outcomes["mail.eml"] == "FILTERED"
    assert outcomes["letter.txt"] == "SUCCESS"
    verified(home, "c")


def test_a_list_that_is_none_and_a_date_that_is_none_are_refused_before_anything_happens(tmp_path: Path) -> None:
    source, home = _evidence(tmp_path / "in"), tmp_path / "home"
    for wrong in (("--nist", str(source / "letter.txt")), ("--set", "modified_to=soon")):
        run = redwell(home, "import", str(source), "--case", "c", *wrong)
        assert run.returncode == 2, run.stderr
        assert "known hashes" in run.stderr or "needs a date" in run.stderr


@pytest.mark.requirement("A1")
def test_a1_an_import_of_mailboxes_refuses_what_is_none_and_starts_on_large(tmp_path: Path) -> None:
    source, home = tmp_path / "in", tmp_path / "home"
    source.mkdir()
    (source / "mails").write_bytes(b"From a@example.org Mon Jan  6 10:00:00 2020\n" + mail("one", "of a mailbox"))
    (source / "mail.eml").write_bytes(mail("Hello", "alone"))
    (source / "empty").write_bytes(b"")
    run = redwell(home, "import", str(source), "--case", "c", "--type", "mailbox", "--json")
    assert (run.returncode, json.loads(run.stdout)["balanced"]) == (0, True), run.stderr
    rows = _by_path(home)
    assert {path: row["outcome"] for path, row in rows.items() if row["depth"] == 0} == {
        "mails": "SUCCESS",
        "mail.eml": "UNSUPPORTED",
        "empty": "EMPTY",
    }
    told = [json.loads(line) for line in ask(home, "exceptions", "--case", "c", "--json").stdout.splitlines()]
    (refused,) = [line for line in told if line["path"] == "mail.eml"]
    assert "message/rfc822 is no mailbox; import it with --type files" in refused["reason"]
    assert refused["remedy"] == "import it with --type files"
    with sqlite3.connect(next(home.glob("cases/*/case.sqlite"))) as database:
        lanes = database.execute("SELECT task, lane FROM derivation ORDER BY id").fetchall()
    assert lanes == [("extract-text", "small"), ("unpack-mailbox", "large"), ("extract-text", "small")]
    verified(home, "c")


def test_the_parent_imports_no_handler_and_who_only_looks_starts_no_child(tmp_path: Path) -> None:
    """Type filters too are a child's answer: evidence is looked into in the sandbox alone."""
    source, home = _evidence(tmp_path / "in"), tmp_path / "home"
    program = f"""
import sys
from redwell.entrypoints.cli.main import main
from redwell.processing.children import pool
assert main(["import", {str(source)!r}, "--case", "c", "--set", "exclude_types=audio/*", "--json"]) == 0
pool.Child = None
for command in (["documents"], ["report"], ["exceptions"], ["search", "contract"], ["jobs"]):
    main([*command, *(["--case", "c"] if command != ["jobs"] else [])])
loaded = [name for name in sys.modules if name.startswith("redwell.handlers")]
assert not loaded, loaded
"""
    run = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "REDWELL_HOME": str(home)}, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert _by_path(home)["sound"]["outcome"] == "FILTERED"
