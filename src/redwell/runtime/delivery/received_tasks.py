"""Messages of task queues in this process: received, claimed by, kept on lease while at work, acknowledged.

Used by the work thread of a case; leases are extended by the process's heartbeat. The ledger is asked what of a
message is still to be done, and the book of claims whether what was claimed is over. So a message that comes twice or
late finds nothing and is dropped: every row that comes back to the queue has a new message, written with it.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from redwell.core.jobs.job import Job
from redwell.core.trip import trip
from redwell.core.work.kinds import KINDS, Phase
from redwell.core.work.lanes import Lane
from redwell.core.work.polling import EmptyPolls, Verdict
from redwell.core.work.records import Claim
from redwell.core.work.task_messages import TaskMessage, TaskQueue
from redwell.ports.ledger import Want
from redwell.ports.messaging.queue import Delivery, NoSuchQueue, Queue
from redwell.ports.messaging.task_store import Room, TaskStore
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.delivery.task_queues import TaskQueues, scale
from redwell.runtime.worker.claims_in_flight import ClaimsInFlight

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 5.0  # between two looks into an empty queue
OTHERS_S = 1  # until a message that is for other workers comes again, to anybody
LATER_S = 5  # the same of renditions that text comes before (core.work.text_first)
MORE = 9  # messages that are taken with a short one
STALE = 20  # messages in a row that may name nothing any more, before others get their turn
MB = 1 << 20
log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class ReceivedTask:
    delivery: Delivery
    task: TaskMessage
    claims: tuple[tuple[int, int], ...] = ()
    back_s: int = 0  # it names something that this worker may not take (SPEC A9), and comes again after so long


class ReceivedTasks:
    def __init__(self, case: Case, tasks: TaskStore, queue: Queue, in_flight: ClaimsInFlight) -> None:
        self._case, self._tasks, self._queue, self._in_flight = case, tasks, queue, in_flight
        self.queues = TaskQueues(case, tasks, queue)
        self._hand: list[ReceivedTask] = []
        self._lock = threading.Lock()  # of the hand: the heartbeat reads it
        self._pauses: dict[str, tuple[EmptyPolls, float]] = {}  # by queue: until when it is left alone
        self._polls: dict[str, float] = {}  # by queue: when the ledger is asked what has become of it
        self._lent: dict[str, set[tuple[int, int]]] = {}

    def claim(self, job: Job, want: Want) -> list[Claim]:
        """One message's worth of a job's small documents, else a large one."""
        if want.workers and self._tasks.is_full(want):
            return []
        for lane in (Lane.SMALL, Lane.LARGE) if want.large else (Lane.SMALL,):
            queue = self.queues.of(job.id, lane)
            if queue and (claims := self._claim_of(queue, job, want)):
                return claims
        return []

    def wake(self) -> None:
        """Something was sent: no queue is left alone any longer."""
        self._pauses = {}

    def _claim_of(self, queue: TaskQueue, job: Job, want: Want) -> list[Claim]:
        for _ in range(STALE):
            received = self._receive(queue, job)
            if not received:
                return []
            if claims := self._claim(received, queue, want):
                return claims
        return []

    def _claim(self, received: list[ReceivedTask], queue: TaskQueue, want: Want) -> list[Claim]:
        settings, large = self._case.settings, queue.lane is Lane.LARGE
        room = Room(1 if large else settings.message_documents, settings.message_mb * MB)
        sent = self._tasks.claim_sent([each.task for each in received], queue.name, room, want)
        if sent is None:
            self._give_back(received)
            return []
        for each in received:
            named = range(each.task.start_pos, each.task.end_pos or 0)
            each.claims = tuple((claim.id, claim.attempt) for claim in sent.claims if claim.id in named)
            each.back_s = _back_s(want) if sent.for_others else 0
        self._drop([each for each in received if not each.claims])
        return sent.claims

    def _receive(self, queue: TaskQueue, job: Job) -> list[ReceivedTask]:
        """A message, and more with it if it is a short one; none when the queue is empty or left alone."""
        polls, until = self._pauses.get(queue.name, (EmptyPolls(FIRST_PAUSE_S, LONGEST_PAUSE_S), 0.0))
        if time.monotonic() < until:
            return []
        try:
            found = self._taken(self._queue.receive(queue.name, 1))
            if found and queue.lane is Lane.SMALL and self._is_short(found[0].task):
                found += self._taken(self._queue.receive(queue.name, MORE))
        except NoSuchQueue:
            log.warning("queue %s is gone; it is made again", queue.name)
            self.queues.make_again(queue, job)
            return []
        if found:
            self._pauses.pop(queue.name, None)
        else:
            self._pauses[queue.name] = polls, time.monotonic() + polls.nothing(idle=True)
            self._find_out(queue)
        return found

    def _is_short(self, task: TaskMessage) -> bool:
        return 2 * ((task.end_pos or 0) - task.start_pos) < self._case.settings.message_documents

    def _taken(self, deliveries: Iterable[Delivery]) -> list[ReceivedTask]:
        found = []
        for each in deliveries:
            try:
                task = TaskMessage.from_json(each.body)
            except msgspec.MsgspecError as error:
                task = None
                log.warning("queue %s: a message that is no task (%s)", each.queue, error)
            if task is None or task.case != self._tasks.case:
                self._queue.give_back([each])  # received too often, it goes to the dead letters (A5)
            elif task.end_pos is None:
                self._tasks.go_on(task, each.queue)
                self._queue.acknowledge([each])
            else:
                found.append(ReceivedTask(each, task))
        with self._lock:
            self._hand += found
        return found

    def _find_out(self, queue: TaskQueue) -> None:
        """The queue is empty. What the job waits for elsewhere is asked for; what was lost on the way is sent anew."""
        known = self._lent.setdefault(queue.name, set())
        known |= self._tasks.lend(queue, known)
        if time.monotonic() < self._polls.get(queue.name, 0.0):
            return
        seen = self._tasks.poll(queue, scale(self._case))
        self._polls[queue.name] = time.monotonic() + (seen.delay_s if seen else 1) * scale(self._case)
        known.clear()
        if seen and seen.verdict is Verdict.RETRIES_EXHAUSTED:  # C6: by name, and on
            names = self._tasks.waiting(queue)
            log.warning("batch %s: nobody gets ahead with %s; sent anew", queue.batch, "; ".join(names))

    def acknowledge(self) -> None:
        """Messages none of whose claims is held any more are done with."""
        holds = self._in_flight.holds
        self._drop([each for each in self._hand if not any(holds(*claim) for claim in each.claims)])

    def extend(self) -> None:
        """Called by the heartbeat. A lease that is lost is no harm: the claims stand in the ledger."""
        with self._lock:
            hand = list(self._hand)
        self._tell(hand, lambda some: self._queue.extend(some, self._case.settings.lease_s))

    def _drop(self, done: list[ReceivedTask]) -> None:
        if done:
            trip("deliver.before_acknowledge")
        self._let_go(done)
        self._tell([each for each in done if not each.back_s], self._queue.acknowledge)
        for back_s in {each.back_s for each in done} - {0}:
            self._give_back([each for each in done if each.back_s == back_s], back_s)

    def _give_back(self, some: list[ReceivedTask], back_s: int = OTHERS_S) -> None:
        self._let_go(some)
        self._tell(some, lambda back: self._queue.give_back(back, back_s))

    def _let_go(self, some: list[ReceivedTask]) -> None:
        with self._lock:
            self._hand = [each for each in self._hand if each not in some]

    @staticmethod
    def _tell(some: list[ReceivedTask], call: Callable[[Sequence[Delivery]], object]) -> None:
        """Each queue by itself: one that is gone has nothing to be told."""
        for name in {each.delivery.queue for each in some}:
            with suppress(NoSuchQueue):
                call([each.delivery for each in some if each.delivery.queue == name])


def _back_s(want: Want) -> int:
    takes_text_only = all(KINDS[task].phase is Phase.TEXT for task, _ in want.turns)
    return LATER_S if takes_text_only else OTHERS_S
