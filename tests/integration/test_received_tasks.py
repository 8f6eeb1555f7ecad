"""Tasks on their way through real queues: doubled, lost, late, their queue deleted, their worker gone.

The documents are made up; cases, outbox, queues and leases are real.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest
from tests.support import aws
from tests.support.ledger_model import Content, File, World, as_text, stored
from tests.support.ledger_worker import failure, read_all

from redwell.core.jobs.job import Job
from redwell.core.jobs.queue_names import failed_tasks
from redwell.core.outcomes import Outcome
from redwell.core.work.capacity import Capacity
from redwell.core.work.lanes import Lane
from redwell.core.work.records import Claim, Result
from redwell.core.work.task_messages import TaskMessage, TaskQueue
from redwell.core.work.transitions import Standing
from redwell.ports.ledger import Want
from redwell.ports.messaging.queue import Message, Queue
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.services.open_services import open_services
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.delivery.outbox_relay import OutboxRelay
from redwell.runtime.delivery.received_tasks import ReceivedTasks
from redwell.runtime.upkeep.cancel import cancel
from redwell.runtime.worker.claims_in_flight import ClaimsInFlight
from redwell.runtime.worker.slots import Slots

pytestmark = pytest.mark.requirement("A2", "A5", "A8", "C1", "C2", "C3", "C4", "C5")

FILES = 25
PATIENCE_S = 60  # of a test that would hang
EVIDENCE = World((Content(),) * FILES, (tuple(File(n) for n in range(FILES)),))


class Bench:
    """A case with a read batch, and as many workers on it as a test wants, each without children."""

    def __init__(self, home: Path, settings: Settings) -> None:
        self._home, self._settings = home, settings
        self._resources = ExitStack()
        self.queue: Queue = self._resources.enter_context(open_services(home, settings)).queue
        self.first = self.worker(create=True)

    def worker(self, *, create: bool = False) -> "Worker":
        case = self._resources.enter_context(open_case(self._home, "case", self._settings, create=create))
        return Worker(case, self.queue)

    def close(self) -> None:
        self._resources.close()


class Worker:
    def __init__(self, case: Case, queue: Queue) -> None:
        assert case.tasks
        self.case, self.queue, self.tasks = case, queue, case.tasks
        self.held = ClaimsInFlight(case.name, Slots(Capacity(2), ageing_s=0))
        self.deliveries = ReceivedTasks(case, case.tasks, queue, self.held)
        self.relay = OutboxRelay(case.tasks.outbox, queue, self.deliveries.wake)

    def look(self) -> None:
        self.deliveries.acknowledge()
        self.deliveries.queues.look(self.jobs)
        while self.relay.send_some():
            pass

    @property
    def jobs(self) -> list[Job]:
        return self.case.store.open_jobs()

    def claim(self, *, large: bool = True, workers: int = 0, batch: int | None = None) -> list[Claim]:
        self.look()
        [job] = [job for job in self.jobs if batch in (None, job.batch)]
        claims = self.deliveries.claim(job, Want(batch=job.batch, large=large, workers=workers))
        if claims:
            self.held.add(job, claims)
        return claims

    def record(self, claims: list[Claim]) -> int:
        """How many came too late."""
        late = self.case.store.record([], [_success(claim) for claim in claims])
        self.held.ended(claim.id for claim in claims)
        self.held.settled(claim.id for claim in claims)
        return late

    def blame(self, claim: Claim) -> None:
        self.case.store.blame([failure(claim, Outcome.CRASHED)])
        self.held.ended([claim.id])
        self.held.settled([claim.id])

    def queue_of(self, lane: Lane = Lane.SMALL) -> TaskQueue:
        found = self.deliveries.queues.of(self.jobs[0].id, lane)
        assert found
        return found

    def work_off(self) -> list[int]:
        """Claimed and recorded until nothing waits any more; what was done."""
        done: list[int] = []
        deadline = time.monotonic() + PATIENCE_S
        while self.case.store.standing(self.jobs[0].batch) is Standing.OPEN:
            assert time.monotonic() < deadline, f"only {sorted(done)}"
            claims = self.claim()
            assert self.record(claims) == 0
            done += [claim.id for claim in claims]
        self.look()
        return sorted(done)


def _success(claim: Claim) -> Result:
    return Result(
        derivation=claim.id,
        attempt=claim.attempt,
        outcome=Outcome.SUCCESS,
        artifacts=as_text(stored(f"text {claim.id}")),
    )


@pytest.fixture(params=["sql", "sqs"])
def bench(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    for key, value in aws.server().environment().items() if request.param == "sqs" else ():
        monkeypatch.setenv(key, value)
    settings = Settings(
        queue=request.param, name_prefix=f"t{uuid4().hex[:10]}", message_documents=10, delay_percent=0, lease_s=60
    )
    made = Bench(tmp_path / "home", settings)
    read_all(made.first.case.store, EVIDENCE)
    yield made
    made.close()


EVERYTHING = list(range(1, FILES + 1))


@pytest.mark.requirement("A10", "B4")
def test_a_message_stays_on_lease_until_the_last_of_its_documents_is_in_the_ledger(bench: Bench) -> None:
    """What the child had no room for travels on in a message of its own, to whoever is free."""
    first, other = bench.first, bench.worker()
    mine = first.claim()
    first.look()
    others = [*other.claim(), *other.claim()]
    assert ([claim.id for claim in mine], [claim.id for claim in others]) == (EVERYTHING[:10], EVERYTHING[10:])
    other.record(others)
    other.look()
    first.record(mine[1:])
    first.look()
    assert bench.queue.depth(first.queue_of().name).leased == 1
    first.deliveries.extend()
    first.record(mine[:1])
    first.look()
    assert bench.queue.depth(first.queue_of().name).total == 0


def test_a_message_that_comes_twice_is_work_once(bench: Bench) -> None:
    bench.first.look()
    queue = bench.first.queue_of()
    [task] = [each.body for each in bench.queue.receive(queue.name, 1, wait_s=5, lease_s=0)]
    bench.queue.send(queue.name, [Message(body=task)] * 3)
    assert bench.first.work_off() == EVERYTHING
    bench.first.deliveries.wake()
    assert bench.first.claim() == []
    assert bench.queue.depth(queue.name).total == 0


def test_a_message_that_is_lost_costs_time_only(bench: Bench) -> None:
    """What the ledger sees waiting at two polls of an empty queue is sent anew."""
    bench.first.look()
    bench.queue.acknowledge(bench.queue.receive(bench.first.queue_of().name, 10, wait_s=5))
    assert bench.first.work_off() == EVERYTHING


def test_a8_a_queue_that_is_deleted_is_made_again_under_the_next_name(bench: Bench) -> None:
    first = bench.first.claim()
    before = bench.first.queue_of()
    bench.queue.delete(before.name)
    bench.first.record(first)
    other = bench.worker()
    assert sorted([claim.id for claim in first] + other.work_off()) == EVERYTHING
    after = other.queue_of()
    assert (after.attempt, after.name) == (2, f"{before.name}-2")
    bench.first.look()  # its message is gone with the queue; that is nothing to complain about
    assert bench.first.queue_of() == after


def test_what_a_worker_held_that_is_gone_comes_to_another_by_a_new_message(bench: Bench) -> None:
    """Its own messages come again too, when their lease ends, and find nothing."""
    lost = bench.first.claim()
    other = bench.worker()
    other.case.store.sweep(lambda name: name != bench.first.case.worker)
    done = other.work_off()
    assert {claim.id for claim in lost} <= set(done)
    bench.queue.give_back([each.delivery for each in bench.first.deliveries._hand])
    other.deliveries.wake()
    assert other.claim() == []
    assert bench.queue.depth(other.queue_of().name).total == 0
    assert bench.first.record(lost) == len(lost), "the fence"


def test_a5_a_document_that_fails_twice_travels_to_the_large_queue_by_itself(bench: Bench) -> None:
    for _ in range(2):
        claims = bench.first.claim(large=False)
        while claims and claims[0].id != 1:
            bench.first.record(claims)
            claims = bench.first.claim(large=False)
        bench.first.record(claims[1:])
        bench.first.blame(claims[0])
    bench.first.look()
    [message] = bench.queue.receive(bench.first.queue_of(Lane.LARGE).name, 1, wait_s=5, lease_s=0)
    task = TaskMessage.from_json(message.body)
    assert (task.lane, task.start_pos, task.end_pos) == (Lane.LARGE, 1, 2)
    while claims := bench.first.claim(large=False):
        assert 1 not in {claim.id for claim in claims}, "a worker without room for large ones has taken it"
        bench.first.record(claims)
    assert bench.first.work_off() == [1]


def test_a5_what_is_no_task_of_this_case_goes_to_the_dead_letters(bench: Bench) -> None:
    bench.first.look()
    queue = bench.first.queue_of()
    foreign = TaskMessage(case="another", batch=1, job=1, lane=Lane.SMALL, start_pos=1, end_pos=9)
    bench.queue.send(queue.name, [Message(body="{}"), Message(body="junk"), Message(body=foreign.to_json())])
    assert bench.first.work_off() == EVERYTHING
    dead_letters = failed_tasks(bench.first.case.settings.name_prefix)
    deadline = time.monotonic() + PATIENCE_S
    while bench.queue.depth(dead_letters).total < 3:
        assert time.monotonic() < deadline
        bench.first.deliveries.wake()
        assert bench.first.claim() == []
    assert {each.body for each in bench.queue.peek(dead_letters)} == {"{}", "junk", foreign.to_json()}


def test_no_more_workers_than_its_limit_receive_a_jobs_messages(bench: Bench) -> None:
    other = bench.worker()
    claims = bench.first.claim(workers=1)
    assert other.claim(workers=1) == []
    bench.first.record(claims)
    while claims := bench.first.claim(workers=1):
        bench.first.record(claims)
    assert bench.first.case.store.standing(1) is not Standing.OPEN


def test_a_job_gets_what_another_asked_for_first_through_its_own_queue(bench: Bench) -> None:
    """The other one is not served by anybody here."""
    second = read_all(bench.first.case.store, EVIDENCE)
    claims, deadline = list[Claim](), time.monotonic() + PATIENCE_S
    while len(claims) < FILES:
        assert time.monotonic() < deadline
        claims += bench.first.claim(batch=second)
    assert sorted(claim.id for claim in claims) == EVERYTHING


@pytest.mark.requirement("A19")
def test_a19_the_queues_of_a_job_go_when_it_is_over(bench: Bench) -> None:
    bench.first.work_off()
    [small, large] = [bench.first.queue_of(lane).name for lane in Lane]
    store = bench.first.case.store
    assert dict(bench.queue.tags(small)) == {"job": "1", "batch": "1", "priority": "50"}
    store.loaded([row.id for row in store.take_to_load(100)])
    assert store.finish_batch(1)
    bench.first.deliveries.queues.close_down(1)
    assert bench.first.tasks.queues() == []
    assert not {small, large} & set(bench.queue.names(small[:12]))


@pytest.mark.requirement("A1")
def test_a1_a_cancelled_job_leaves_no_queue_and_no_message(bench: Bench) -> None:
    claims = bench.first.claim()
    assert cancel(bench.worker().case, 1).state == "cancelled"
    assert bench.first.record(claims) == len(claims)
    assert bench.first.tasks.queues() == []
    assert not [name for name in bench.queue.names(bench.first.case.settings.name_prefix) if "nptasks" in name]
    bench.first.deliveries.acknowledge()  # with a message in its hand whose queue is gone
    again = read_all(bench.first.case.store, EVIDENCE)
    assert bench.first.work_off() == EVERYTHING
    assert bench.first.jobs[0].batch == again
