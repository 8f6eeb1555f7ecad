"""Events as files for analysis: each once whatever is killed, asked with SQL that can do nothing else (A16)."""

import json
import signal
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from tests.support import aws
from tests.support.cases import LETTER, PAIR, imported
from tests.support.product import ask, redwell

from redwell.core.errors import UserError
from redwell.core.events.event import Event
from redwell.core.events.packed import EventRow
from redwell.core.events.status_queries import READY
from redwell.ports.messaging.status_store import StatusStore
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.open_statuses import open_statuses
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.status_sink import StatusSink
from redwell.runtime.monitor.teller import Teller

pytestmark = pytest.mark.requirement("A16")
COUNT = "SELECT count(*), count(DISTINCT id) FROM events"


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with open_case(tmp_path / "home", "case", Settings(), create=True) as made:
        imported(made, [LETTER, PAIR])
        yield made


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StatusStore:
    if request.param == "folder":
        return open_statuses(tmp_path / "home", Settings())
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)
    return open_statuses(tmp_path / "home", Settings(monitor_files=f"s3://{aws.server().new_bucket()}/events"))


def write_down(case: Case, store: StatusStore) -> None:
    with closing(Teller(case.journal, StatusSink(case.journal, store, at_once=True))) as teller:
        teller.tell()


def journal(case: Case) -> list[Event]:
    return case.journal.log.unpack(case.journal.log.rows())


def answer(store: StatusStore, sql: str) -> list[tuple[object, ...]]:
    return list(store.ask(sql).rows)


def test_every_event_is_in_the_files_once_with_what_it_says(case: Case, store: StatusStore) -> None:
    assert answer(store, COUNT) == [(0, 0)]
    write_down(case, store)
    write_down(case, store)
    told = answer(store, "SELECT id, eventtype, caseid, batchid, jobid, exhibits, timestamp FROM events ORDER BY id")
    events = sorted(journal(case), key=lambda event: event.id)
    assert told == [
        (e.id, e.event_type, e.case_id, e.batch_id, e.job_id, list(e.exhibit_ids), e.timestamp) for e in events
    ]


class Killed(Exception):
    pass


class KilledAfterWriting:
    """A store whose process dies when its files are written, before the case takes note of it."""

    def __init__(self, store: StatusStore) -> None:
        self._store = store

    def drop_from(self, case: int, row: int) -> None:
        self._store.drop_from(case, row)

    def keep(self, case: int, first: int, events: Sequence[Event]) -> None:
        self._store.keep(case, first, events)
        raise Killed


def test_what_a_killed_process_wrote_is_not_there_twice(case: Case, store: StatusStore) -> None:
    with pytest.raises(Killed):
        write_down(case, KilledAfterWriting(store))  # type: ignore[arg-type]
    rows = case.journal.log.rows()
    sink = StatusSink(case.journal, store, at_once=True)
    some, rest = rows[:2], rows[2:]  # cut elsewhere than the first time
    assert [*sink.hear(some), *sink.hear(rest)] == [some[-1].id, rest[-1].id]
    events = len(journal(case))
    assert answer(store, COUNT) == [(events, events)]


def test_a_row_that_is_no_events_is_put_aside_and_the_others_are_written(
    case: Case, store: StatusStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpack, bad = case.journal.log.unpack, case.journal.log.rows()[1].id

    def unpack_some(rows: Sequence[EventRow]) -> list[Event]:
        if any(row.id == bad for row in rows):
            raise KeyError(bad)
        return unpack(rows)

    expected = len(unpack([row for row in case.journal.log.rows() if row.id != bad]))
    monkeypatch.setattr(case.journal.log, "unpack", unpack_some)
    write_down(case, store)
    assert answer(store, COUNT) == [(expected, expected)]


def test_what_is_new_waits_for_more_unless_a_job_is_over(case: Case, store: StatusStore) -> None:
    rows = case.journal.log.rows()
    sink = StatusSink(case.journal, store, now_ms=lambda: rows[0].packed.timestamp)
    assert list(sink.hear(rows[:1])) == []
    assert list(sink.hear(rows)) == [rows[-1].id]


@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO 'x'",
        "SELECT 1; SELECT 2",
        "ATTACH 'x.db'",
        "SET memory_limit = '9GB'",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT nothing FROM events",
        "not SQL",
        "",
    ],
)
def test_nothing_but_a_select_on_events_is_answered(sql: str, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        list(open_statuses(tmp_path, Settings()).ask(sql).rows)


@pytest.mark.parametrize("name", READY)
def test_every_ready_query_is_answered_with_and_without_events(name: str, case: Case, tmp_path: Path) -> None:
    store = open_statuses(tmp_path / "home", Settings())
    assert answer(store, READY[name].sql) == []
    write_down(case, store)
    columns = store.ask(READY[name].sql).columns
    assert "caseid" in columns


@pytest.mark.parametrize("point", ["statuses.before_files", "statuses.after_files"])
def test_a_kill_while_files_are_written_loses_and_doubles_none(point: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "letter.txt").write_text("Dear all")
    home, live = tmp_path / "home", ("--set", "monitor=live")
    run = redwell(home, "import", str(tmp_path / "in"), "--case", "kill", *live, REDWELL_TRIP=point)
    assert run.returncode == -signal.SIGKILL, f"{point} was not reached: {run.stdout}{run.stderr}"
    assert redwell(home, "resume", "--case", "kill", *live).returncode == 0
    told = ask(home, "events", "sql", COUNT, "--json")
    counts = list(json.loads(told.stdout).values())
    assert counts[0] == counts[1] > 0
    batches = [json.loads(line) for line in ask(home, "events", "sql", "batches", "--json").stdout.splitlines()]
    assert [(row["documents"], row["finished"]) for row in batches] == [(1, True)]
