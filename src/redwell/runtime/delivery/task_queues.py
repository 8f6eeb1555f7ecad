"""The task queues of a case's jobs: made before the first task, made again when one is gone, taken down in the end.

Used by received_tasks and by `redwell cancel`. The ledger knows each queue by name; what the service itself says of
its queues decides nothing (SPEC A2, A8, A19).
"""

import time
from collections.abc import Iterable
from contextlib import suppress

from redwell.core.errors import Recoverable
from redwell.core.jobs.job import Job, JobState
from redwell.core.jobs.loader_life import again_after_s
from redwell.core.jobs.queue_names import failed_tasks, task_queue
from redwell.core.work.lanes import Lane
from redwell.core.work.task_messages import TaskQueue
from redwell.ports.messaging.queue import Depth, NoSuchQueue, Queue, QueueSpec
from redwell.ports.messaging.task_store import TaskStore
from redwell.runtime.bootstrap.open_case import Case

LOOKS = 4  # in the time for which a queue has to be empty before it goes
PAUSE_S = 0.05
AT_ONCE = 100


class TaskQueues:
    def __init__(self, case: Case, tasks: TaskStore, queue: Queue) -> None:
        self._case, self._tasks, self._queue = case, tasks, queue
        self._known: dict[tuple[int, Lane], TaskQueue] = {}
        self._empty_since: dict[str, float] = {}
        self._has_dead_letters = False
        self._tidies = 0.0

    def of(self, job: int, lane: Lane) -> TaskQueue | None:
        return self._known.get((job, lane))

    @property
    def leftovers(self) -> list[TaskQueue]:
        """Of batches whose last job is over."""
        return [each for each in self._known.values() if each.ended]

    def look(self, jobs: Iterable[Job]) -> None:
        """Make what an open job lacks, and take down what nobody needs any more."""
        self._read()
        for job in jobs:
            for lane in Lane:
                if (job.id, lane) not in self._known and job.state is not JobState.CANCELLING:
                    self._make(job, lane, 1)
        if self.leftovers and time.monotonic() >= self._tidies:
            self._tidies = time.monotonic() + empty_s(self._case) / LOOKS
            for each in self.leftovers:
                self._take_down(each)

    def _read(self) -> None:
        self._known = {(each.job, each.lane): each for each in self._tasks.queues()}

    def make_again(self, gone: TaskQueue, job: Job) -> None:
        """A queue was deleted under us (A8): unless somebody else has made another, under the next attempt's name."""
        self._read()
        if self.of(gone.job, gone.lane) == gone:
            self._make(job, gone.lane, gone.attempt + 1)

    def _make(self, job: Job, lane: Lane, attempt: int) -> None:
        prefix, number = self._case.settings.name_prefix, self._case.number
        made = TaskQueue(
            job=job.id,
            lane=lane,
            batch=job.batch,
            name=task_queue(prefix, number, job.id, lane, attempt),
            attempt=attempt,
        )
        if not self._has_dead_letters:
            self._queue.create(QueueSpec(name=failed_tasks(prefix)))
            self._has_dead_letters = True
        spec = QueueSpec(
            name=made.name,
            lease_s=self._case.settings.lease_s,
            dead_letters=failed_tasks(prefix),
            max_receives=self._case.settings.queue_receives,
            tags={"job": str(job.id), "batch": str(job.batch), "priority": str(job.priority)},
        )
        self._queue.create(spec)
        self._tasks.opened(made)
        self._known[job.id, lane] = made

    def _take_down(self, each: TaskQueue) -> None:
        """What is left in it names nothing that is still to be done. Depth is approximate, so it is seen twice."""
        try:
            while left := self._queue.receive(each.name, AT_ONCE):
                self._queue.acknowledge(left)
            if self._is_in_use(self._queue.depth(each.name)):
                self._empty_since.pop(each.name, None)
                return
        except NoSuchQueue:
            pass
        else:
            since = self._empty_since.setdefault(each.name, time.monotonic())
            if time.monotonic() - since < empty_s(self._case):
                return
        self._queue.delete(each.name)
        self._tasks.forget(each.name)
        self._known.pop((each.job, each.lane), None)

    def _is_in_use(self, depth: Depth) -> bool:
        """What is on lease was taken by somebody who lives, or will never be given back."""
        others = {row.id for row in self._case.store.workers()} - {self._case.worker}
        return bool(depth.total if others else depth.waiting + depth.delayed)

    def close_down(self, batch: int) -> None:
        """Take down what a batch has left, unless somebody still holds messages of it: then they will."""
        deadline = time.monotonic() + 3 * empty_s(self._case) + 1
        while time.monotonic() < deadline:
            with suppress(Recoverable):
                self.look(())
            if not any(each.batch == batch for each in self.leftovers):
                return
            time.sleep(PAUSE_S)


def empty_s(case: Case) -> float:
    """Between the two looks at an empty queue that are made before it goes."""
    return case.settings.empty_queue_s * scale(case)


def again_s(case: Case, received: int) -> float:
    """How long a message waits that loader or uploader could not take."""
    settings = case.settings
    return again_after_s(received, settings.retry_first_s, settings.retry_longest_s) * scale(case)


def scale(case: Case) -> float:
    """All delays of the specification, made shorter together."""
    return case.settings.delay_percent / 100
