"""Queues that a stopped worker left standing are taken away by the next one, or by `redwell gc`."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.cases import LETTER, NAME, PAIR, Driver
from tests.support.engine import PATIENCE_S, folder_of
from tests.support.product import ask

from redwell.core.events.event import EventType
from redwell.core.exit_codes import ExitCode
from redwell.core.jobs.job import NewJob
from redwell.core.jobs.liveness import is_silent, next_check_s
from redwell.entrypoints.cli.main import main
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.services.worker_presence import appear
from redwell.runtime.bootstrap.settings import Settings, load_settings
from redwell.runtime.delivery.case_queues import leftovers_of, queues_of
from redwell.runtime.delivery.late_tidying import LateTidying, take_away_queues
from redwell.runtime.upkeep import status
from redwell.runtime.upkeep.batches import begin

SETTINGS = load_settings(["queue=sql", "delay_percent=1"], environ={})
QUEUES = 3  # small, large, the loader's


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with open_case(tmp_path, NAME, SETTINGS, create=True) as opened:
        yield opened


@pytest.fixture
def left(case: Case) -> Case:
    """Its batch is over, and whoever worked on it was stopped right then."""
    batch = begin(case, ["/evidence"], "files", "Ann", NewJob())
    case.store.start_job(batch, case.worker, {})
    with queues_of(case) as queues:
        assert queues and queues.look(case.store.open_jobs()) == 0
    driver = Driver(case)
    driver.walk(batch, [LETTER, PAIR])
    driver.work(batch)
    assert leftovers_of(case) == QUEUES
    return case


@pytest.mark.requirement("A2")
def test_a2_a_worker_takes_away_what_a_stopped_one_left(left: Case) -> None:
    tidying = LateTidying(left.home, SETTINGS)
    tidying.note(left.name)
    assert tidying.is_busy
    deadline = time.monotonic() + PATIENCE_S
    while tidying.is_busy and time.monotonic() < deadline:
        time.sleep(0.05)
    tidying.stop()
    assert leftovers_of(left) == 0


def test_one_that_is_told_to_stop_does_not_wait_for_the_second_look(left: Case) -> None:
    tidying = LateTidying(left.home, load_settings(["queue=sql", "delay_percent=100"], environ={}))
    tidying.note(left.name)
    tidying.stop()
    assert leftovers_of(left) == QUEUES


def test_gc_takes_them_away_and_says_so(left: Case) -> None:
    assert take_away_queues(left, dry_run=True) == QUEUES
    assert leftovers_of(left) == QUEUES
    assert take_away_queues(left, dry_run=False) == QUEUES
    assert take_away_queues(left, dry_run=False) == 0


@pytest.mark.requirement("A18")
def test_a18_job_queued_is_told_when_the_queues_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("REDWELL_HOME", str(home))
    monkeypatch.setenv("REDWELL_QUEUE", "sql")
    source = folder_of(tmp_path / "in", 2, "word")
    assert main(["import", str(source), "--case", NAME, "--queue"]) == ExitCode.OK
    with open_case(home, NAME, load_settings()) as case:
        assert case.tasks and len(case.tasks.queues()) == 2
        rows = case.journal.log.rows()
        queued = next(row.id for row in rows if row.type is EventType.JOB_QUEUED)
        assert case.journal.log.told("bus") >= queued


def test_idle_workers_are_shown_and_ended_ones_are_not(tmp_path: Path) -> None:
    life = appear(tmp_path, "worker", 4)
    [row] = status.workers(tmp_path, Settings())
    assert (row["state"], row["case"], row["slots"]) == ("idle", None, 4)
    life.release()  # as by a kill: the file stays
    assert not list(status.workers(tmp_path, Settings()))
    appear(tmp_path, "worker", 1).release(remove=True)
    assert not list((tmp_path / "workers").iterdir())


def test_a_worker_elsewhere_whose_number_does_not_rise_is_doubted() -> None:
    period_ms = next_check_s(300) * 1_000
    assert not is_silent(beats=10, age_ms=int(10 * period_ms), lease_s=300)
    assert is_silent(beats=1, age_ms=2_400_000, lease_s=300)


def test_a_case_shows_the_number_that_queues_are_named_by(case: Case) -> None:
    assert f"{NAME} (number {case.number}): " in ask(case.home, "cases").stdout
