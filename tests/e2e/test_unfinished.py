"""What a user is told of a case that is not complete: after a kill, while an import waits, after a cancellation."""

import json
import shlex
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from tests.support.engine import folder_of, jobs, queued
from tests.support.product import ask, redwell, verified

from redwell.core.exit_codes import ExitCode
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.settings import Settings

CASE = "Smith's; $(touch x)"  # a name that no shell may take at its word
FEW = ("--set", "chunk=1")  # ten files in a transaction of the walk


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Five documents are done; an import of 25 more was killed when it had found ten of them."""
    done = folder_of(tmp_path / "done", 5, "needle")
    assert redwell(tmp_path / "home", "import", str(done), "--case", CASE).returncode == 0
    more = folder_of(tmp_path / "more", 25, "needle more")
    run = redwell(tmp_path / "home", "import", str(more), "--case", CASE, *FEW, REDWELL_TRIP="walk.after_commit")
    assert run.returncode == -signal.SIGKILL
    return tmp_path / "home"


def last(home: Path, *args: str) -> dict[str, Any]:
    run = ask(home, *args, "--case", CASE, "--json")
    assert run.returncode == 0, run.stderr
    told: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return told


def test_every_answer_after_a_kill_says_that_it_is_a_part(home: Path) -> None:
    for args in (["search", "needle"], ["documents"], ["exceptions"]):
        told = last(home, *args)["unfinished"]
        assert (told["searchable"], told["open"]) == (5, 10)
        [batch] = told["batches"]
        assert (batch["batch"], batch["state"], batch["sources_open"]) == (2, "stopped", 1)
        words = ask(home, *args, "--case", CASE).stderr
        assert "this is a part: 5 documents are searchable, 10 are open" in words
        assert batch["remedy"] in words
    assert last(home, "report")["unfinished"] == told
    assert "not finished (stopped)" in ask(home, "report", "--case", CASE).stdout


def test_the_command_that_an_unfinished_case_names_finishes_it(home: Path) -> None:
    [batch] = last(home, "documents")["unfinished"]["batches"]
    program, *args = shlex.split(batch["remedy"])
    assert program == "redwell" and CASE in args
    assert redwell(home, *args).returncode == 0
    assert "unfinished" not in last(home, "documents")
    assert last(home, "report")["unfinished"] is None
    assert "this is a part" not in ask(home, "search", "--case", CASE, "needle").stderr
    verified(home, CASE)


def test_a_job_that_nobody_works_on_is_stopped_and_says_how_to_go_on(home: Path) -> None:
    assert [job["state"] for job in jobs(home)] == ["stopped", "finished"]
    words = ask(home, "jobs").stdout
    assert "(import) stopped, " in words
    assert f"; go on with: redwell resume --case {shlex.quote(CASE)} 2" in words


def test_an_import_that_waits_unread_is_told_by_every_answer(tmp_path: Path) -> None:
    queued(tmp_path / "home", folder_of(tmp_path / "in", 3, "needle"), CASE)
    told = last(tmp_path / "home", "search", "needle")["unfinished"]
    assert [(batch["state"], batch["sources_open"]) for batch in told["batches"]] == [("queued", 1)]
    assert "is not finished (queued)" in ask(tmp_path / "home", "search", "--case", CASE, "needle").stderr


@pytest.mark.requirement("A1")
def test_a1_an_import_cancelled_while_it_walks_is_not_balanced_and_says_how_far_it_came(home: Path) -> None:
    """ "Every input is accounted for" is not known of a source that nobody read to its end."""
    run = redwell(home, "cancel", "--case", CASE, "2")
    assert "10 seen, the rest unknown" in run.stderr and "more/" not in run.stdout
    [unread] = last(home, "cancel", "2")["unread"]
    assert (unread["seen"], unread["read_to"]) == (10, "00009.eml")
    verify = ask(home, "verify", "--case", CASE)
    assert verify.returncode == ExitCode.INCOMPLETE
    assert "was read to 00009.eml, 10 seen, the rest unknown" in verify.stdout and "all in order, but" in verify.stderr
    *_, closing = (json.loads(line) for line in ask(home, "verify", "--case", CASE, "--json").stdout.splitlines())
    assert (closing["in_order"], closing["findings"], closing["open"]) == (False, 0, 1)
    batch = last(home, "report")["batches"][1]
    assert batch["state"] == "cancelled" and batch["cancelled"]
    assert [(source["listed"], source["seen"]) for source in batch["sources"]] == [(None, 10)]
    words = ask(home, "report", "--case", CASE).stdout
    assert "1 cancelled source was not read to the end" in words
    assert "CANCELLED 2" in words and "was read to 00009.eml, 10 seen, the rest unknown" in words
    assert last(home, "search", "needle")["unfinished"]["unread"] == [unread]


@pytest.mark.requirement("A1")
def test_a1_a_queued_import_that_is_cancelled_says_that_nobody_read_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    source = folder_of(tmp_path / "in", 3, "needle")
    queued(home, source, CASE)
    assert "was not read: what is in it is unknown" in redwell(home, "cancel", "--case", CASE, "1").stderr
    assert ask(home, "verify", "--case", CASE).returncode == ExitCode.INCOMPLETE
    assert redwell(home, "import", str(source), "--case", CASE).returncode == 0
    verified(home, CASE)
    assert "batch 2 read it to the end" in ask(home, "verify", "--case", CASE).stdout


def test_an_import_that_is_cancelled_while_it_runs_does_not_say_balanced(tmp_path: Path) -> None:
    """What the running import prints, by the account of its batch."""
    home = tmp_path / "home"
    queued(home, folder_of(tmp_path / "in", 3, "needle"), CASE)
    killed = redwell(home, "cancel", "--case", CASE, "1", REDWELL_TRIP="cancel.after_commit")
    assert killed.returncode == -signal.SIGKILL
    run = redwell(home, "resume", "--case", CASE, "--json")
    assert run.returncode == ExitCode.CANCELLED
    account = json.loads(run.stdout)
    assert (account["balanced"], account["state"], len(account["unread"])) == (False, "cancelled", 1)
    assert "balanced" not in run.stderr and "the rest unknown" not in run.stderr
    assert "nothing was read" in run.stderr and "what is in it is unknown" in run.stderr


def test_verify_in_json_ends_with_a_record_also_when_all_is_in_order(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert redwell(home, "import", str(folder_of(tmp_path / "in", 3, "word")), "--case", CASE).returncode == 0
    [closing] = ask(home, "verify", "--case", CASE, "--json").stdout.splitlines()
    assert json.loads(closing).items() >= {"check": "all", "in_order": True, "findings": 0, "inputs": 3}.items()


def test_a_new_case_of_links_and_filtered_files_is_not_told_to_be_known_already(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link").symlink_to("nowhere")
    (tmp_path / "in" / "left.out").write_text("left out")
    run = redwell(tmp_path / "home", "import", str(tmp_path / "in"), "--case", CASE, "--set", "exclude=*.out")
    assert "known already" not in run.stdout
    (tmp_path / "in" / "link").unlink()
    redwell(tmp_path / "home", "import", str(tmp_path / "in"), "--case", CASE)
    again = redwell(tmp_path / "home", "import", str(tmp_path / "in"), "--case", CASE)
    assert "everything in it was known already" in again.stdout


def test_the_first_import_says_where_cases_are_kept(tmp_path: Path) -> None:
    home, source = tmp_path / "home", folder_of(tmp_path / "in", 1, "word")
    first, second = (redwell(home, "import", str(source), "--case", CASE) for _ in range(2))
    assert f"cases are kept in {home}" in first.stderr and "cases are kept in" not in second.stderr


def test_an_import_that_the_disk_has_no_room_for_stops_before_it_reads(tmp_path: Path) -> None:
    """By what a case takes: a mail store with its messages, texts and index."""
    (tmp_path / "in").mkdir()
    free = shutil.disk_usage(tmp_path).free
    with (tmp_path / "in" / "box.pst").open("wb") as sparse:
        sparse.truncate(free // 2)
    run = redwell(tmp_path / "home", "import", str(tmp_path / "in"), "--case", CASE)
    assert run.returncode == ExitCode.DISK_FULL and "this needs about" in run.stderr
    assert "Make room, then: redwell resume" in run.stderr


@pytest.mark.parametrize("command", [["resume"], ["cancel", "1"], ["reindex"], ["verify"]], ids=lambda made: made[0])
def test_a_case_whose_maker_was_stopped_says_what_to_do(tmp_path: Path, command: list[str]) -> None:
    home, source = tmp_path / "home", folder_of(tmp_path / "in", 1, "word")
    assert redwell(home, "import", str(source), "--case", CASE).returncode == 0
    for left in (home / "cases" / "1").glob("case.sqlite*"):
        left.unlink()
    (home / "cases" / "1" / "case.sqlite").touch()  # as a kill in its first transaction leaves it
    run = redwell(home, *command, "--case", CASE)
    assert (run.returncode, len(run.stderr.splitlines())) == (ExitCode.NOT_FOUND, 1), run.stderr
    assert "import into it again" in run.stderr
    assert redwell(home, "import", str(source), "--case", CASE).returncode == 0


def test_a_case_without_imports_has_nothing_to_resume(tmp_path: Path) -> None:
    open_case(tmp_path / "home", "empty", Settings(), create=True).close()
    assert "nothing was imported into it yet" in redwell(tmp_path / "home", "resume", "--case", "empty").stderr
