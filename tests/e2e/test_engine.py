"""Many jobs and workers on one home, driven as a user would: who comes first, who stops, and what is left."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from tests.support.cases import by_hand
from tests.support.engine import PATIENCE_S, SMALL, done, folder_of, jobs, queued, said, until, worker
from tests.support.evidence import KILLER, mail, protected_pdf, zipped
from tests.support.product import Process, ask, documents, kill_tree, redwell, start, verified

from redwell.core.exit_codes import ExitCode
from redwell.ports.audit import Overtaken
from redwell.processing.type_questions import TypeQuestions
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.upkeep import status
from redwell.runtime.worker.progress import Progress
from redwell.runtime.worker.reader import Readers

pytestmark = pytest.mark.xdist_group("engine")


def drains(process: Process) -> bool:
    """It has come so far that SIGTERM is a request."""
    [caught] = [line for line in Path(f"/proc/{process.pid}/status").read_text().splitlines() if "SigCgt" in line]
    return bool(int(caught.split()[1], 16) & 1 << (signal.SIGTERM - 1))


def unfinished(home: Path) -> bool:
    return not all(job["finished"] for job in jobs(home))


@pytest.mark.parametrize("case", ["big", "small"])
def test_ten_files_behind_many_are_finished_while_those_still_run(case: str, tmp_path: Path) -> None:
    """In the same case and in another one; by order of completion, not by clock."""
    home = tmp_path / "home"
    big = queued(home, folder_of(tmp_path / "big", 1_200, "many"), "big")
    small = queued(home, folder_of(tmp_path / "few", 10, "few"), case)
    with worker(home, "--set", "slots=1"):
        until(lambda: all(job["finished"] for job in jobs(home)))
    ended = {(job["case"], job["job"]): job["finished"] for job in jobs(home)}
    assert ended[case, small["job"]] < ended["big", big["job"]]


@pytest.mark.requirement("A4")
def test_a4_jobs_are_listed_in_the_order_of_their_priority_and_served_in_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for case, priority in (("later", "90"), ("first", "10"), ("middle", "50")):
        queued(home, folder_of(tmp_path / case, 30, case), case, "--priority", priority)
    assert [job["case"] for job in said(home, "jobs")] == ["first", "middle", "later"]
    assert [job["effective_priority"] for job in said(home, "jobs")] == [10, 50, 90]
    run = redwell(home, "worker", "--cluster", *SMALL, "--set", "slots=1")
    assert run.returncode == 0, run.stderr
    assert said(home, "jobs") == []
    assert {job["state"] for job in jobs(home)} == {"finished"}
    for case in ("first", "middle", "later"):
        verified(home, case)


@pytest.mark.requirement("A8")
def test_a8_a_worker_that_is_told_to_stop_finishes_what_runs_and_another_goes_on(tmp_path: Path) -> None:
    home = tmp_path / "home"
    queued(home, folder_of(tmp_path / "in", 1_000, "word"), "case")
    with worker(home, "--set", "slots=1") as first:
        until(lambda: done(home, "case") > 0)
        [at_work] = status.workers(home, Settings())
        assert (at_work["pid"], at_work["state"], at_work["case"]) == (first.pid, "alive", "case")
        first.send_signal(signal.SIGTERM)
        assert first.wait(PATIENCE_S) == 0
    assert said(home, "workers") == []
    before = done(home, "case")
    with worker(home, "--cluster") as second:
        assert second.wait(PATIENCE_S) == 0
    assert before < done(home, "case") == 1_000
    verified(home, "case")


@pytest.mark.requirement("A8")
def test_a8_a_rolling_restart_of_workers_under_load_loses_nothing(tmp_path: Path) -> None:
    """One after the other is told to stop and replaced; none leaves anything that others must take back."""
    home = tmp_path / "home"
    with ExitStack() as workers:
        running = [workers.enter_context(worker(home, "--set", "slots=1"))]
        for number in range(4):
            queued(home, folder_of(tmp_path / f"in{number}", 150, f"word {number}"), "case")
            running.append(workers.enter_context(worker(home, "--set", "slots=1")))
            until(lambda: all(map(drains, running)))
            running[0].send_signal(signal.SIGTERM)
            assert running.pop(0).wait(PATIENCE_S) == 0
        until(lambda: not unfinished(home))
    with open_case(home, "case", Settings()) as case, by_hand(case) as rows:
        assert rows.execute("SELECT sum(deaths), sum(tries), count(*) FROM derivation").fetchall() == [(0, 0, 600)]
    assert [row["outcome"] for row in documents(home, "case")] == ["SUCCESS"] * 600
    verified(home, "case")


def test_a_killed_workers_documents_are_done_by_another_at_once(tmp_path: Path) -> None:
    home = tmp_path / "home"
    queued(home, folder_of(tmp_path / "in", 400, "word"), "case")
    with worker(home) as first, worker(home, "--cluster") as second:
        until(lambda: done(home, "case") > 0)
        kill_tree(first)
        assert second.wait(PATIENCE_S) == 0
    assert [job["state"] for job in jobs(home)] == ["finished"]
    assert len(documents(home, "case")) == 400
    verified(home, "case")


@pytest.mark.requirement("A1")
def test_a1_an_import_that_is_cancelled_stops_balances_and_can_be_imported_again(tmp_path: Path) -> None:
    home, source = tmp_path / "home", folder_of(tmp_path / "in", 1_000, "word")
    running = start(home, "import", str(source), "--case", "case", *SMALL, "--set", "slots=1")
    until(lambda: done(home, "case") > 0)
    [cancelled] = said(home, "cancel", "--case", "case", "1")
    assert cancelled["state"] == "cancelled"
    assert cancelled["outcomes"]["CANCELLED"] > 0
    _, words = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == ExitCode.CANCELLED, words
    verified(home, "case")
    again = redwell(home, "import", str(source), "--case", "case", timeout=PATIENCE_S)
    assert again.returncode == 0, again.stderr
    verified(home, "case")
    assert [d["outcome"] for d in documents(home, "case") if d["batch"] == 2] == ["SUCCESS"] * 1_000
    assert redwell(home, "cancel", "--case", "case", "1").returncode == 0, "once more changes nothing"
    assert redwell(home, "cancel", "--case", "case", "2").returncode == ExitCode.USAGE, "it is finished"
    assert redwell(home, "cancel", "--case", "case", "9").returncode == ExitCode.NOT_FOUND


def test_a_cancellation_that_was_killed_is_gone_on_with(tmp_path: Path) -> None:
    home = tmp_path / "home"
    queued(home, folder_of(tmp_path / "in", 20, "word"), "case")
    killed = redwell(home, "cancel", "--case", "case", "1", REDWELL_TRIP="cancel.after_commit")
    assert killed.returncode == -signal.SIGKILL
    assert [job["state"] for job in jobs(home)] == ["cancelling"]
    run = redwell(home, "worker", "--cluster")
    assert run.returncode == 0, run.stderr
    assert [job["state"] for job in jobs(home)] == ["cancelled"]
    assert ask(home, "verify", "--case", "case").returncode == ExitCode.INCOMPLETE, "nobody has read its source"


@pytest.mark.requirement("A5")
def test_a5_what_every_attempt_failed_on_is_parked_and_can_be_tried_again(tmp_path: Path) -> None:
    home, source = tmp_path / "home", folder_of(tmp_path / "in", 3, "word")
    (source / "killer.bin").write_bytes(KILLER)
    run = redwell(home, "import", str(source), "--case", "case", faulty=True)
    assert run.returncode == 0, run.stderr
    [parked] = said(home, "parked", "list", "--case", "case")
    assert (parked["outcome"], parked["lane"], parked["tries"]) == ("CRASHED", "large", 2)
    [shown] = said(home, "parked", "show", "--case", "case", str(parked["id"]))
    assert [place["path"] for place in shown["places"]] == ["killer.bin"]
    *earlier, last = shown["failures"]  # small, small again, large, large again
    assert [each["outcome"] for each in (*earlier, last)] == ["CRASHED"] * 4
    assert last["is_last"] and last["reason"] and not any(each["is_last"] for each in earlier)
    words = ask(home, "parked", "show", "--case", "case").stdout
    assert "killer.bin" in words and words.count("CRASHED: ") == 4 and shown["remedy"] in words
    assert redwell(home, "parked", "retry", "--case", "case", "--set", "small_tries=1", faulty=True).returncode == 0
    [parked] = said(home, "parked", "list", "--case", "case")
    [shown] = said(home, "parked", "show", "--case", "case", str(parked["id"]))
    assert (parked["lane"], parked["tries"], len(shown["failures"])) == ("large", 2, 4 + 3), "small once, large twice"
    retried = redwell(home, "parked", "retry", "--case", "case")  # this time without the handler that dies of it
    assert retried.returncode == 0, retried.stderr
    assert said(home, "parked", "list", "--case", "case") == []
    verified(home, "case")


@contextmanager
def writing(ledger: Path) -> Iterator[None]:
    """Nobody else has a transaction meanwhile."""
    with closing(sqlite3.connect(ledger, timeout=PATIENCE_S)) as held:
        held.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.requirement("A10")
def test_a_frozen_worker_loses_what_it_holds_and_writes_nothing_when_it_wakes(tmp_path: Path) -> None:
    """Past its lease others take over; whatever it says afterwards is fenced off."""
    home, source = tmp_path / "home", folder_of(tmp_path / "in", 30, "word")
    (source / "00000 hangs.bin").write_bytes(b"FAULT hang_in_c\n")
    lease = ("--set", "lease_s=2")
    queued(home, source, "case")
    with worker(home, *lease, "--set", "slots=1", faulty=True) as first:
        until(lambda: any(row["on"].endswith("hangs.bin") and not row["reading"] for row in said(home, "workers")))
        with writing(home / "cases/1/case.sqlite"):  # frozen in a transaction it would keep SQLite's lock
            os.kill(first.pid, signal.SIGSTOP)
        with worker(home, *lease) as second:  # without the handler that hangs
            until(lambda: all(job["done"] == job["documents"] for job in jobs(home)))
            os.kill(first.pid, signal.SIGCONT)
            until(lambda: not said(home, "jobs"))
            for process in (first, second):
                process.send_signal(signal.SIGTERM)
                assert process.wait(PATIENCE_S) == 0
    found = documents(home, "case")
    assert len(found) == 31 == len({d["control_number"] for d in found})
    assert {d["outcome"] for d in found} == {"SUCCESS"}
    verified(home, "case")


def test_a_worker_opens_with_the_passwords_of_a_job_and_leaves_it_where_it_can_not_read_them(tmp_path: Path) -> None:
    source, words, home = tmp_path / "in", tmp_path / "words", tmp_path / "home"
    source.mkdir()
    (source / "locked.pdf").write_bytes(protected_pdf("zinc clause", "opensesame"))
    words.write_text("opensesame\n")
    queued(home, source, "c", "--passwords", str(words))
    hidden = words.rename(tmp_path / "hidden")
    left = redwell(home, "worker", "--cluster", *SMALL)
    assert left.returncode == 0, left.stderr
    assert [job["state"] for job in said(home, "jobs")] == ["queued"]
    hidden.rename(words)
    assert redwell(home, "worker", "--cluster", *SMALL).returncode == 0
    [row] = documents(home, "c")
    assert (row["outcome"], "zinc clause" in row["text"]) == ("SUCCESS", True)
    assert not [path for path in home.rglob("*") if path.is_file() and b"opensesame" in path.read_bytes()]
    verified(home, "c")


@pytest.mark.requirement("A9")
def test_a9_a_spot_worker_takes_text_and_leaves_files_to_be_read_and_containers_to_others(tmp_path: Path) -> None:
    home, source = tmp_path / "home", folder_of(tmp_path / "in", 30, "word")
    (source / "00000 first.zip").write_bytes(zipped({"inner.txt": b"inside of it"}))
    (source / "mailbox").write_bytes(b"From a@example.org Mon Jan  6 10:00:00 2020\n" + mail("one", "of a mailbox"))
    queued(home, source, "case")
    with worker(home, "--spot") as spot:
        until(lambda: bool(list(status.workers(home, Settings()))))
        assert [job["documents"] for job in jobs(home)] == [0], "nobody has read the source yet"
        with open_case(home, "case", Settings()) as case:
            readers = Readers(case, TypeQuestions(case.blobs.place), lambda _: True, pytest.fail)
            readers.start(1, Progress())
            readers.join()
        until(lambda: done(home, "case") == 30)
        assert {row["outcome"] for row in documents(home, "case") if row["name"].endswith(".eml")} == {"SUCCESS"}
        spot.send_signal(signal.SIGTERM)
        assert spot.wait(PATIENCE_S) == 0
    assert [(job["documents"], job["done"]) for job in jobs(home)] == [(32, 30)], "the archive and the mailbox wait"
    assert redwell(home, "worker", "--cluster", *SMALL).returncode == 0
    assert {row["outcome"] for row in documents(home, "case")} == {"SUCCESS"}
    verified(home, "case")


@pytest.mark.requirement("A8")
def test_a8_a_worker_that_is_told_to_stop_hands_back_what_it_can_not_finish(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.fault").write_text("FAULT hang_in_c\n")
    home = tmp_path / "home"
    queued = redwell(home, "import", str(source), "--case", "case", "--queue", faulty=True)
    assert queued.returncode == 0, queued.stderr
    limits = ("--set", "drain_s=1", "--set", "small_wall_s=500", "--set", "slots=1")
    with worker(home, *limits, faulty=True) as process:
        until(lambda: _is_at_one(home))
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0 and "goes back" in told
    [job] = said(home, "jobs", "--json")
    assert (job["state"], job["done"]) == ("queued", 0) or job["state"] == "stopped"
    assert not list(status.workers(home, Settings()))


def _is_at_one(home: Path) -> bool:
    try:
        return '"documents": 1' in ask(home, "workers", "--json").stdout
    except Overtaken:  # it begins to write just now
        return False
