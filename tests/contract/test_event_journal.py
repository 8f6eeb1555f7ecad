"""What every case store writes down for those who listen: each document and task, whichever way it went."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from tests.support.case_stores import DATABASES, OpenStore, case_stores
from tests.support.ledger_model import Content, File, Part, World, worlds
from tests.support.ledger_worker import Worker, begin, imported, read_all

from redwell.adapters.sql_queues.event_log import SqlEventLog
from redwell.core.case.rows import Wanted
from redwell.core.events.event import Component, Event, EventType, Status
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Attempts
from redwell.core.work.records import Result, Selection

pytestmark = pytest.mark.requirement("A18")

CASE = 7
MIXED = World(
    (
        Content(parts=(Part(1), Part(2), Part(1), Part(lost=Outcome.INVALID_FILE), Part())),
        Content(),
        Content(),
        Content(dies=Outcome.CRASHED),
        Content(locked=True, parts=(Part(1), Part(5))),
        Content(),
    ),
    ((File(0), File(1), File(1), File(None), File(None, walked=Outcome.FILTERED), File(3), File(4)),),
)


def log_of(store: OpenStore) -> SqlEventLog:
    return SqlEventLog(store.database, CASE)


def events(store: OpenStore, kind: EventType | None = None) -> list[Event]:
    log = log_of(store)
    return [event for event in log.unpack(log.rows(limit=100_000)) if kind in (None, event.event_type)]


def told(found: list[Event]) -> Counter[int]:
    return Counter(exhibit for event in found for exhibit in event.exhibit_ids)


def tasks(found: list[Event]) -> Counter[object]:
    """By the number of a work, or the file that was read."""
    return Counter(event.event_detail.get("number") or event.exhibit_ids for event in found)


def outcomes(store: OpenStore, batch: int | None = None) -> dict[int, str]:
    return {row.id: row.outcome for row in store.rows.exhibits(Wanted(batch=batch))}


def last_outcomes(store: OpenStore) -> dict[int, str]:
    processed = events(store, EventType.DOCUMENT_PROCESSED)
    return {key: event.event_detail["outcome"] for event in processed for key in event.exhibit_ids}


def index_all(store: OpenStore) -> None:
    while rows := store.take_to_load(100):
        store.loaded([row.id for row in rows])


def check(store: OpenStore) -> None:
    """Every exhibit is added once and processed, as it stands; every task that was added has ended."""
    rows = outcomes(store)
    assert told(events(store, EventType.DOCUMENT_ADDED)) == Counter(rows.keys())
    assert last_outcomes(store) == rows
    assert tasks(events(store, EventType.TASK_ADDED)) == tasks(events(store, EventType.TASK_FINISHED))
    assert all(event.job_id and event.batch_id and event.case_id == CASE for event in events(store))


@pytest.mark.parametrize("database", DATABASES)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(world=worlds())
def test_a18_every_document_and_task_of_any_evidence_is_told_of_once(
    database: str, tmp_path_factory: pytest.TempPathFactory, world: World
) -> None:
    with case_stores(database, tmp_path_factory.mktemp("case"), Attempts()) as opened:
        store = opened("w1")
        batch = begin(store, world)
        Worker("w1", store, world, reads_members=True).complete([batch], chunk=4)
        assert told(events(store, EventType.DOCUMENT_PROCESSED)) == Counter(outcomes(store).keys())
        check(store)


def test_a18_an_event_names_its_job_its_content_its_exhibits_and_who_says_it(case_store: OpenStore) -> None:
    imported(case_store, MIXED)
    check_all = {row.id: row for row in case_store.rows.exhibits()}
    for event in events(case_store, EventType.DOCUMENT_PROCESSED):
        contents = {check_all[exhibit].sha256 for exhibit in event.exhibit_ids}
        assert len(contents) == 1
        assert (event.document_id is None) == (contents == {None})
    twice = [event for event in events(case_store, EventType.TASK_FINISHED) if len(event.exhibit_ids) == 4]
    assert [event.event_detail["task"] for event in twice] == ["extract-text"], "a content with four occurrences"
    sources = {event.event_type: event.source for event in events(case_store)}
    assert sources[EventType.JOB_QUEUED] == Component.JOBS
    assert sources[EventType.TASK_FINISHED] == Component.EXTRACTOR
    assert {event.source for event in events(case_store, EventType.DOCUMENT_ADDED)} == {
        Component.INTAKE,
        Component.EXTRACTOR,
    }
    check(case_store)


def test_a18_ids_are_the_same_each_time_and_no_two_events_share_one(case_store: OpenStore) -> None:
    """So that a consumer can drop what it has seen."""
    imported(case_store, MIXED)
    first = events(case_store)
    again = [event for row in log_of(case_store).rows() for event in log_of(case_store).unpack([row])]
    assert [event.id for event in first] == [event.id for event in again]
    assert len({event.id for event in first}) == len(first)
    assert all(len(event.id) == 36 and event.id[14] == "7" for event in first), "they are UUIDs of version 7"


@pytest.mark.requirement("A17")
def test_a17_what_is_given_up_warns_then_errs_and_ends_its_task(case_store: OpenStore) -> None:
    imported(case_store, MIXED)
    of_killer = [event for event in events(case_store) if event.event_type in {EventType.WARNING, EventType.ERROR}]
    assert [event.event_type for event in of_killer] == [EventType.WARNING, EventType.ERROR], "it is a large one"
    assert len({(event.document_id, event.exhibit_ids, event.job_id) for event in of_killer}) == 1
    assert of_killer[0].exhibit_ids and of_killer[0].document_id
    ended = events(case_store, EventType.TASK_FINISHED)
    [failed] = [event for event in ended if event.event_detail.get("reason") == "it died"]
    assert failed.status == Status.ERROR
    assert failed.event_detail["problem"] == "TEXT_UNAVAILABLE"


@pytest.mark.requirement("A12")
def test_a12_what_is_filtered_is_complete_without_an_error(case_store: OpenStore) -> None:
    imported(case_store, MIXED)
    [filtered] = [key for key, outcome in outcomes(case_store).items() if outcome == Outcome.FILTERED]
    of_it = [event for event in events(case_store) if filtered in event.exhibit_ids]
    assert [event.event_type for event in of_it] == [
        EventType.DOCUMENT_ADDED,
        EventType.TASK_ADDED,
        EventType.TASK_FINISHED,
        EventType.DOCUMENT_PROCESSED,
    ]
    assert {event.status for event in of_it} == {Status.SUCCESS}


def test_a_retry_is_a_job_of_its_own_and_tells_what_it_does_again(case_store: OpenStore) -> None:
    batch = imported(case_store, MIXED)
    index_all(case_store)
    assert case_store.finish_batch(batch)
    before = len(events(case_store))
    opened = World(MIXED.contents, MIXED.sources, unlocked=True)
    assert case_store.reopen(Selection(outcome=Outcome.PASSWORD_PROTECTED)) == 1
    Worker("w1", case_store, opened).complete([batch], chunk=100)
    later = events(case_store)[before:]
    assert {event.job_id for event in later} == {2}
    assert Counter(event.event_type for event in later)[EventType.DOCUMENT_ADDED] == 2, "what was locked"
    check(case_store)


def test_what_a_cancellation_ends_is_processed_too(case_store: OpenStore) -> None:
    batch = read_all(case_store, MIXED)
    assert case_store.begin_cancelling(batch)
    while case_store.cancel_some(batch):
        pass
    assert last_outcomes(case_store) == outcomes(case_store)
    assert Outcome.CANCELLED in last_outcomes(case_store).values()


def test_the_last_word_on_a_batch_counts_its_outcomes(case_store: OpenStore) -> None:
    batch = imported(case_store, MIXED)
    index_all(case_store)
    assert case_store.finish_batch(batch)
    last = [event for event in events(case_store) if "outcomes" in event.event_detail]
    assert [event.event_type for event in last] == [EventType.JOB_FINISHED, EventType.LOADER_FINISHED]
    assert all(event.event_detail["outcomes"] == Counter(outcomes(case_store).values()) for event in last)


def test_a_batch_with_an_open_row_is_not_finished(case_store: OpenStore) -> None:
    batch = read_all(case_store, MIXED)
    assert not case_store.finish_batch(batch)


def test_rows_are_few_whatever_the_number_of_documents(case_store: OpenStore) -> None:
    """One row for a chunk, however many events it stands for."""
    read_all(case_store, World((Content(),) * 2, ((File(0), File(1)) * 30,)))
    claims = case_store.claim_work(10, 1 << 20)
    ended = [Result(derivation=each.id, attempt=each.attempt, outcome=Outcome.SUCCESS) for each in claims]
    case_store.record([], ended)
    assert len(events(case_store)) > 60 * 3
    assert len(log_of(case_store).rows()) < 10
