"""What every case store promises about jobs: whose work is claimed, how many may be at it, how one is cancelled."""

import pytest
from msgspec import structs
from tests.support.case_stores import Opener, OpenStore
from tests.support.ledger_model import Content, File, Part, World
from tests.support.ledger_worker import Worker, begin, dead, read_all

from redwell.adapters.sql_queues.event_log import SqlEventLog
from redwell.core.case.findings import OPEN_STATEMENTS
from redwell.core.case.rows import Wanted
from redwell.core.errors import StaleClaim
from redwell.core.events.event import LOADER_EVENTS, EventType
from redwell.core.jobs.job import JobKind, JobState, NewJob
from redwell.core.jobs.loader_life import Uploader
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.records import Result, Selection
from redwell.core.work.transitions import Standing
from redwell.ports.ledger import NewBatch, Want

PLAIN = (Content(),) * 4  # the last one is large
THREE = World(PLAIN, ((File(0), File(1), File(2)),))
FIRST, SECOND = World(PLAIN, ((File(0), File(1)),)), World(PLAIN, ((File(1), File(2)),))
MAILBOX = World((Content(parts=(Part(1), Part(2))), Content(), Content()), ((File(0),),))


def claimed(store: OpenStore, batch: int, **want: object) -> list[int]:
    claims = store.claim_work(10, 1 << 20, Want(batch=batch, **want))  # type: ignore[arg-type]
    return [claim.id for claim in claims]


def two_batches(store: OpenStore) -> tuple[int, int]:
    """The second one has a content in common with the first."""
    return read_all(store, FIRST), read_all(store, SECOND)


def complete(store: OpenStore, world: World, batch: int) -> None:
    Worker("w1", store, world).complete([batch], chunk=100)


def index_all(store: OpenStore) -> None:
    while rows := store.take_to_load(100):
        store.loaded([row.id for row in rows])


def cancelled(store: OpenStore, batch: int) -> None:
    assert store.begin_cancelling(batch)
    while store.cancel_some(batch):
        pass
    index_all(store)
    assert store.standing(batch) is Standing.OVER
    assert store.finish_batch(batch)


def balanced(store: OpenStore) -> None:
    """But for sources that a cancelled import did not read (test_case_store_completeness)."""
    with store.rows.audit() as audit:
        assert [finding for finding in audit.imbalances() if finding.check not in OPEN_STATEMENTS] == []
        assert list(audit.seals()) == []


def test_a_batch_begins_with_a_job_that_ends_with_it(case_store: OpenStore) -> None:
    batch = begin(case_store, THREE)
    [job] = case_store.open_jobs()
    assert (job.batch, job.kind, job.state, job.priority) == (batch, JobKind.IMPORT, JobState.QUEUED, 50)
    case_store.start_job(batch, "w1", {})
    assert case_store.open_jobs()[0].state is JobState.RUNNING
    complete(case_store, THREE, batch)
    index_all(case_store)
    assert case_store.finish_batch(batch)
    assert case_store.open_jobs() == []
    assert case_store.rows.jobs(every=True)[0].state is JobState.FINISHED


def test_the_work_of_one_job_is_claimed_and_not_that_of_another(case_store: OpenStore) -> None:
    first, second = two_batches(case_store)
    assert len(claimed(case_store, second)) == 1, "its other content was asked for by the first batch"
    assert len(claimed(case_store, first)) == 2
    assert claimed(case_store, first) == []


def test_a_job_takes_what_it_waits_for_from_the_queue_of_another(case_store: OpenStore) -> None:
    first, second = two_batches(case_store)
    own = claimed(case_store, second)
    borrowed = claimed(case_store, second)
    assert len(borrowed) == 1
    assert not set(borrowed) & set(own)
    assert len(claimed(case_store, first)) == 1


def test_large_work_is_left_alone_where_there_is_no_room_for_it(case_store: OpenStore) -> None:
    batch = read_all(case_store, World(PLAIN, ((File(3),),)))
    assert claimed(case_store, batch, large=False) == []
    assert len(claimed(case_store, batch)) == 1


def test_no_more_workers_than_its_limit_are_on_a_job(open_case_store: Opener) -> None:
    first, second = open_case_store("w1"), open_case_store("w2")
    batch = read_all(first, THREE)
    assert len(first.claim_work(1, 1 << 20, Want(batch=batch, workers=1))) == 1
    assert second.claim_work(1, 1 << 20, Want(batch=batch, workers=1)) == []
    assert len(first.claim_work(1, 1 << 20, Want(batch=batch, workers=1))) == 1
    assert len(second.claim_work(1, 1 << 20, Want(batch=batch, workers=2))) == 1


def test_a_retry_is_a_job_of_its_own_that_knows_where_its_passwords_are(case_store: OpenStore) -> None:
    batch = begin(case_store, THREE)
    complete(case_store, THREE, batch)
    index_all(case_store)
    case_store.finish_batch(batch)
    assert case_store.reopen(Selection(outcome=Outcome.SUCCESS), NewJob(kind=JobKind.RETRY, passwords="/words")) == 3
    [job] = case_store.open_jobs()
    assert (job.kind, job.passwords, job.batch) == (JobKind.RETRY, "/words", batch)
    complete(case_store, THREE, batch)
    index_all(case_store)
    assert case_store.finish_batch(batch)
    assert [each.passwords for each in case_store.rows.jobs(every=True)] == ["", "/words"]


def test_a_retry_while_the_batch_still_runs_joins_its_job(case_store: OpenStore) -> None:
    batch = begin(case_store, THREE)
    complete(case_store, THREE, batch)
    case_store.reopen(Selection(outcome=Outcome.SUCCESS), NewJob(kind=JobKind.RETRY, passwords="/words"))
    [job] = case_store.open_jobs()
    assert (job.kind, job.passwords) == (JobKind.IMPORT, "/words")


@pytest.mark.requirement("A1")
@pytest.mark.parametrize("steps", range(8))
def test_a1_a_batch_cancelled_at_any_moment_balances_and_can_be_imported_again(
    case_store: OpenStore, steps: int
) -> None:
    """After the beginning, the walk, the reading, the claim, a member, the end of a content, and so on."""
    batch, worker = begin(case_store, MAILBOX), Worker("w1", case_store, MAILBOX)
    moves = [
        lambda: worker.walk(batch, 9),
        lambda: worker.walk(batch, 9),
        lambda: worker.claim_reads(batch, 9),
        lambda: worker.record_reads(9),
        lambda: worker.claim_work(9),
        lambda: worker.work(1, flush=True),
        lambda: worker.work(9, flush=True),
    ]
    for move in moves[:steps]:
        move()
    cancelled(case_store, batch)
    balanced(case_store)
    assert case_store.rows.jobs(every=True)[-1].state is JobState.CANCELLED
    left = Worker("w1", case_store, MAILBOX, worker.walks, worker.reads, worker.tasks)
    late_word(left)
    assert case_store.open_rows(batch).finished, "what comes too late changes nothing"
    again = begin(case_store, MAILBOX)
    complete(case_store, MAILBOX, again)
    index_all(case_store)
    assert case_store.finish_batch(again)
    balanced(case_store)
    assert {e.outcome for e in case_store.rows.exhibits(Wanted(batch=again))} == {Outcome.SUCCESS}


def late_word(worker: Worker) -> None:
    """All that a worker still says which has not heard of the cancellation."""
    if worker.walks:
        with pytest.raises(StaleClaim):
            worker.walk(worker.walks[0][0].batch, 9)
    worker.record_reads(9)
    for task in worker.tasks:
        done = Result(derivation=task.claim.id, attempt=task.claim.attempt, outcome=Outcome.SUCCESS)
        assert worker.store.record(task.buffer, [done]) == 1


def test_work_that_another_batch_waits_for_survives_a_cancellation(case_store: OpenStore) -> None:
    first, second = two_batches(case_store)
    claims = case_store.claim_work(10, 1 << 20, Want(batch=first))
    held = [(claim.id, claim.attempt) for claim in claims]
    cancelled(case_store, first)
    kept = case_store.still_held(held)
    assert len(kept) == 1, "the content that both have"
    case_store.sweep(dead("w1"))
    complete(case_store, SECOND, second)
    assert {e.outcome for e in case_store.rows.exhibits(Wanted(batch=second))} == {Outcome.SUCCESS}
    assert {e.outcome for e in case_store.rows.exhibits(Wanted(batch=first))} == {Outcome.CANCELLED}


def test_a_retry_leaves_cancelled_exhibits_as_they_are(case_store: OpenStore) -> None:
    first, second = two_batches(case_store)
    cancelled(case_store, first)
    complete(case_store, SECOND, second)
    index_all(case_store)
    assert case_store.finish_batch(second)
    case_store.reopen(Selection(outcome=Outcome.SUCCESS))
    assert {e.outcome for e in case_store.rows.exhibits(Wanted(batch=first))} == {Outcome.CANCELLED}
    assert [job.batch for job in case_store.open_jobs()] == [second]


def test_every_event_of_a_job_is_written_once(case_store: OpenStore) -> None:
    batch = begin(case_store, THREE)
    case_store.start_job(batch, "w1", {"seccomp": "on"})
    case_store.start_job(batch, "w2", {"seccomp": "on"})
    cancelled(case_store, batch)
    kinds = [row.type for row in SqlEventLog(case_store.database, 1).rows()]
    assert kinds == [
        EventType.JOB_QUEUED,
        EventType.JOB_STARTED,
        EventType.LOADER_STARTED,
        EventType.WORKER_STARTED,
        EventType.WORKER_STARTED,
        EventType.IMPORT_CANCELLED,
        EventType.LOADER_CANCELLED,
    ]
    assert case_store.rows.sandbox(batch) == {"seccomp": "on"}


def test_a_cancelled_exhibit_stays_as_it_was_whatever_others_do_for_its_content(case_store: OpenStore) -> None:
    first, second = two_batches(case_store)
    cancelled(case_store, first)
    before = list(case_store.rows.exhibits(Wanted(batch=first)))
    complete(case_store, SECOND, second)
    assert [structs.replace(e, duplicate_of=None) for e in case_store.rows.exhibits(Wanted(batch=first))] == before
    assert case_store.rows.derived(second) == 2


@pytest.mark.requirement("A9")
def test_a9_a_container_that_was_left_is_offered_only_to_those_who_want_containers(case_store: OpenStore) -> None:
    store, batch = case_store, read_all(case_store, THREE)
    [first, *_] = claims = store.claim_work(10, 1 << 20, Want(batch=batch))
    store.leave_containers([(first.id, first.attempt), (claims[1].id, claims[1].attempt + 1)])
    assert claimed(store, batch, turns=((TaskType.EXTRACT_TEXT, Profile.PARSER),)) == [], (
        "only what is held is given back"
    )
    assert claimed(store, batch) == [first.id]


@pytest.mark.requirement("D11")
def test_d11_a_batch_tells_every_event_of_its_loader_once_and_a_retry_tells_them_again(case_store: OpenStore) -> None:
    batch = read_all(case_store, THREE)
    case_store.start_job(batch, "w1", {})
    complete(case_store, THREE, batch)
    index_all(case_store)
    assert case_store.finish_batch(batch) and not case_store.finish_batch(batch)
    once = [
        EventType.LOADER_STARTED,
        EventType.BATCH_END_START,
        EventType.BATCH_END_FINISHED,
        EventType.LOADER_FINISHED,
    ]
    assert _of_loader(case_store) == once
    assert case_store.reopen(Selection(outcome=Outcome.SUCCESS))
    case_store.start_job(batch, "w1", {})
    complete(case_store, THREE, batch)
    index_all(case_store)
    assert case_store.finish_batch(batch)
    assert _of_loader(case_store) == once * 2


def _of_loader(case_store: OpenStore) -> list[EventType]:
    rows = SqlEventLog(case_store.database, 1).rows()
    return [row.type for row in rows if row.type in LOADER_EVENTS]


@pytest.mark.requirement("E1", "E7")
@pytest.mark.parametrize("pdf, told", [("eager", 1), ("lazy", 0)])
def test_e1_with_the_engine_that_is_built_in_the_uploader_lives_with_a_job_that_makes_pdfs(
    case_store: OpenStore, pdf: str, told: int
) -> None:
    case_store.views_itself = True
    new = NewBatch(type="files", custodian=None, settings={"pdf": pdf}, sources=["/s"], job=NewJob())
    batch = case_store.create_batch(new)
    for worker in ("w1", "w2"):
        case_store.start_job(batch, worker, {})
    cancelled(case_store, batch)
    kinds = [row.type for row in SqlEventLog(case_store.database, 1).rows()]
    assert kinds.count(EventType.UPLOADER_STARTED) == kinds.count(EventType.UPLOADER_CANCELLED) == told
    said = case_store.loaders()[batch].uploader
    assert said is (Uploader.CANCELLED if told else Uploader.NONE)
