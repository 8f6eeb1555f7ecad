"""An overlay gives documents new texts: they are shown and found, and undoing it brings the former ones back."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.case_homes import STEPS
from tests.support.load_file_volume import MadeVolume
from tests.support.product import ask, redwell, verified

from redwell.core.exit_codes import ExitCode

pytestmark = [pytest.mark.requirement("A13"), pytest.mark.xdist_group("load-file-volumes")]
CASE = "texts"
FORMER, NEW = "the words of quagga", "recognised anew: zephyr\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = MadeVolume(tmp_path / "VOL001", ["DOCID", "TEXTPATH"], [["A1", "TEXT\\1.txt"], ["A2", "TEXT\\2.txt"]])
    made.files |= {"TEXT/1.txt": FORMER.encode(), "TEXT/2.txt": b"of somebody else"}
    made.write()
    run = redwell(tmp_path / "home", "import", "--type", "loadfile", str(tmp_path / "VOL001"), "--case", CASE)
    assert run.returncode == 0, run.stderr
    return tmp_path / "home"


def overlay(folder: Path) -> Path:
    """One text that is there in another spelling and encoding, one that would lead out of the overlay's folder."""
    (folder / "TEXT").mkdir(parents=True)
    (folder / "TEXT" / "a1.txt").write_bytes(f"\ufeff{NEW}".replace("\n", "\r\n").encode("utf-16-le"))
    (folder / "texts.csv").write_bytes(b"DOCID,TEXTPATH,Issue\r\nA1,.\\text\\A1.TXT,\r\nA2,..\\away.txt,none\r\n")
    return folder / "texts.csv"


def check_text(home: Path, shown: str, found: str, lost: str, **env: str) -> None:
    listed = ask(home, "documents", "--case", CASE, "--json", "--text", **env).stdout
    [row] = [row for row in map(json.loads, listed.splitlines()) if row["metadata"].get("record_id") == "A1"]
    assert (row["text"], row["text_chars"]) == (shown, len(shown))
    target = home.parent / "text"
    options = ("--text", "--force", "-o", str(target))
    assert ask(home, "get", "--case", CASE, row["control_number"], *options, **env).returncode == 0
    assert target.read_text() == shown
    assert "1 hit" in ask(home, "search", "--case", CASE, found, **env).stderr
    assert "0 hits" in ask(home, "search", "--case", CASE, lost, **env).stderr
    verified(home, CASE, **env)


def test_a_text_is_given_by_an_overlay_found_and_taken_back(home: Path, tmp_path: Path) -> None:
    command = ("import", "--type", "loadfile", str(overlay(tmp_path / "later")), "--case", CASE, "--overlay", "--json")
    preview = redwell(home, *command, "--preview")
    check_text(home, FORMER, found="quagga", lost="zephyr")
    run = redwell(home, *command)
    assert preview.stdout.splitlines()[:2] == run.stdout.splitlines()[:2]
    [change, refused, account] = map(json.loads, run.stdout.splitlines())
    assert run.returncode == ExitCode.DEFECTS, run.stderr
    assert (change["before"]["chars"], change["after"]["chars"], account["values"]) == (len(FORMER), len(NEW), 1)
    assert refused["id"] == "A2" and "away.txt" in refused["refused"]
    check_text(home, NEW, found="zephyr", lost="quagga")

    again = redwell(home, *command)
    assert json.loads(again.stdout.splitlines()[-1])["overlay"] is None, "it is so already"
    assert redwell(home, "reindex", "--case", CASE).returncode == 0
    assert redwell(home, "gc", "--case", CASE).returncode == 0
    check_text(home, NEW, found="zephyr", lost="quagga")

    [database] = home.glob("cases/*/case.sqlite")
    for change in ("given_chars = given_chars + 1", "given_text = NULL, given_chars = NULL"):
        with closing(sqlite3.connect(database)) as case:
            before = case.execute("SELECT given_text, given_chars, id FROM exhibit").fetchall()
            case.execute(f"UPDATE exhibit SET {change} WHERE given_text IS NOT NULL")
            case.commit()
            assert "another text than its overlays say" in ask(home, "verify", "--case", CASE).stdout
            case.executemany("UPDATE exhibit SET given_text = ?, given_chars = ? WHERE id = ?", before)
            case.commit()

    assert redwell(home, "overlay", "undo", "--case", CASE, str(account["overlay"])).returncode == 0
    assert redwell(home, "gc", "--case", CASE).returncode == 0
    check_text(home, FORMER, found="quagga", lost="zephyr")


def test_an_overlay_that_was_killed_goes_on_and_a_case_that_moves_takes_its_texts_along(
    home: Path, tmp_path: Path
) -> None:
    command = ("import", "--type", "loadfile", str(overlay(tmp_path / "later")), "--case", CASE, "--overlay")
    assert redwell(home, *command, REDWELL_TRIP="overlay.after_chunk").returncode < 0
    assert redwell(home, *command).returncode == ExitCode.DEFECTS, "what was killed is gone on with"
    check_text(home, NEW, found="zephyr", lost="quagga")
    there, archive = tmp_path / "there", tmp_path / "case.redwell"
    env = {**STEPS["postgres"](), **STEPS["s3"]()}  # where other machines could be at work
    assert redwell(home, "case", "export", "--case", CASE, "-o", str(archive)).returncode == 0
    assert redwell(there, "case", "import", str(archive), **env).returncode == 0
    check_text(there, NEW, found="zephyr", lost="quagga", **env)
    assert redwell(there, "overlay", "undo", "--case", CASE, "1", **env).returncode == 0
    check_text(there, FORMER, found="quagga", lost="zephyr", **env)
    assert redwell(there, *command, **env).returncode == ExitCode.DEFECTS
    check_text(there, NEW, found="zephyr", lost="quagga", **env)
    assert redwell(there, "gc", "--case", CASE, **env).returncode == 0
    check_text(there, NEW, found="zephyr", lost="quagga", **env)
