"""The loader's queue of each batch (SPEC A2, D7): made and subscribed before the first task, taken down in the end.

Used by the work thread of a case and by `redwell cancel`, where tasks travel through queues. A message is a hint: what
is to be loaded stands in the rows, so one that comes twice changes nothing, and one that is lost costs nothing.
"""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from redwell.core.errors import Fate, Permanent, Recoverable, RedwellError, fate_of
from redwell.core.events.event import EventType, Filter
from redwell.core.events.joined import events_in
from redwell.core.jobs.batch_end import BatchChunk, told
from redwell.core.jobs.job import Job, JobState
from redwell.core.jobs.loader_life import Life, Phase, is_leftover
from redwell.core.jobs.queue_names import loader_dead_letters, loader_queue
from redwell.core.trip import trip
from redwell.ports.messaging.queue import Delivery, NoSuchQueue, QueueSpec
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.services.open_services import Services
from redwell.runtime.delivery.task_queues import PAUSE_S, again_s, empty_s, scale

HEARD = frozenset({EventType.DOCUMENT_PROCESSED, EventType.BATCH_ATTACHMENTS, EventType.BATCH_DOCUMENT_RELATIONS})
AT_ONCE = 100
log = logging.getLogger(__name__)


class LoaderQueues:
    def __init__(self, case: Case, services: Services) -> None:
        self._case, self._queue, self._bus = case, services.heard, services.bus
        self._lives: dict[int, Life] = {}
        self._quiet_since: dict[str, float] = {}

    @property
    def has_leftovers(self) -> bool:
        return any(is_leftover(life) for life in self._lives.values())

    def look(self, jobs: Iterable[Job]) -> None:
        """Make what an open job lacks, hear what there is, and take down what nobody needs any more."""
        self._lives = self._case.store.loaders()
        for job in jobs:
            if job.state is not JobState.CANCELLING and not self._life(job.batch).queue:
                self._make(job)
        for batch, life in self._lives.items():
            if life.queue:
                self._hear(batch, life.queue)
            if life.phase is Phase.CHECKING:
                self._case.store.poll_batch_end(batch, scale(self._case), self._case.settings.pace)
            elif is_leftover(life):
                self._end(batch, life)

    def close_down(self, batch: int) -> None:
        """Take down what a batch has left; what is away now is left to the next worker."""
        deadline = time.monotonic() + 3 * empty_s(self._case) + 1
        while time.monotonic() < deadline:
            with suppress(Recoverable):
                self.look(())
                if not is_leftover(self._case.store.loaders().get(batch, Life())):
                    return
            time.sleep(PAUSE_S)

    def _life(self, batch: int) -> Life:
        return self._lives.get(batch, Life())

    def _make(self, job: Job) -> None:
        """Leftovers of another attempt have another name: a queue that was just deleted can't be made again."""
        attempt = self._life(job.batch).attempt + 1
        name = loader_queue(self._case.settings.name_prefix, self._case.number, job.batch, attempt)
        dead = loader_dead_letters(name)
        self._queue.create(QueueSpec(name=dead))
        tags = {"job": str(job.id), "batch": str(job.batch), "priority": str(job.priority)}
        wanted = Filter(event_types=HEARD, case_ids=frozenset({self._case.number}), batch_ids=frozenset({job.batch}))
        spec = QueueSpec(name=name, dead_letters=dead, max_receives=self._case.settings.loader_receives, tags=tags)
        self._queue.create(spec)
        reference = self._bus.subscribe(name, wanted)
        self._queue.create(replace(spec, tags={**tags, "subscription": reference}))
        trip("loader.before_open")
        self._case.store.open_loader(job.batch, name, attempt)
        self._lives[job.batch] = self._case.store.loaders()[job.batch]

    def _hear(self, batch: int, name: str) -> None:
        """One by one: what fails comes again by itself, by its own reason (SPEC D2, D9)."""
        with suppress(NoSuchQueue):
            while received := self._queue.receive(name, AT_ONCE):
                done = [each for each in received if self._is_taken(each, batch)]
                self._queue.acknowledge(done)
                self._come_again([each for each in received if each not in done])

    def _is_taken(self, each: Delivery, batch: int) -> bool:
        try:
            events = events_in(each.body)
            event = events[0]  # those in a message are of one type and batch
            if event.batch_id != batch or event.case_id != self._case.number or event.event_type not in HEARD:
                raise Permanent(f"an event {event.event_type} of batch {event.batch_id}")
            if event.event_type != EventType.DOCUMENT_PROCESSED:
                self._take(batch, [told(each.event_detail) for each in events])
        except RedwellError as error:
            if fate_of(error) in (Fate.RETRY, Fate.PARK):  # it comes again, and is a dead letter in the end
                log.warning("queue %s: a message that the loader cannot take: %s", each.queue, error)
                return False
        return True

    def _take(self, batch: int, chunks: Sequence[BatchChunk]) -> None:
        if missing := self._case.store.take_chunks(batch, chunks):
            names = [name for some in missing.values() for name in some]
            raise Recoverable(f"{len(names)} of batch {batch} are not complete yet, the first of them {names[:1]}")

    def _come_again(self, failed: Sequence[Delivery]) -> None:
        for each in failed:
            self._queue.give_back([each], int(again_s(self._case, each.received)))

    def _end(self, batch: int, life: Life) -> None:
        """Dead letters first: twice they are given another chance, then they are kept (SPEC D5)."""
        dead = loader_dead_letters(life.queue) if life.queue else ""
        kept = self._depth(dead) if dead else 0
        if kept and life.phase is Phase.ENDED and life.redrives < self._case.settings.loader_redrives:
            self._case.store.redriven(batch, self._case.settings.loader_redrives)
            trip("loader.before_redrive")
            self._queue.redrive(dead, life.queue)
            self._quiet_since.pop(life.queue, None)
            return
        if life.queue and life.phase is Phase.ENDED and not self._is_quiet(life.queue):
            return
        if self._cleared(life.queue, dead, kept):
            self._case.store.loader_cleared(batch, self._case.rows.counts(batch), kept)

    def _is_quiet(self, name: str) -> bool:
        """Seen empty twice: depth is approximate (SPEC A19)."""
        if self._depth(name):
            self._quiet_since.pop(name, None)
            return False
        since = self._quiet_since.setdefault(name, time.monotonic())
        return time.monotonic() - since >= empty_s(self._case)

    def _depth(self, name: str) -> int:
        try:
            return self._queue.depth(name).total
        except NoSuchQueue:
            return 0

    def _cleared(self, name: str, dead: str, kept: int) -> bool:
        """Each step may be done again, and none stops the next."""
        steps: list[Callable[[], None]] = []
        if name:
            steps = [lambda: self._bus.unsubscribe(name), lambda: self._queue.delete(name)]
            steps += [lambda: self._queue.delete(dead)] if not kept else []
        failed = 0
        for step in steps:
            try:
                step()
            except RedwellError as error:
                failed += 1
                log.warning("the loader's queue %s can't be taken down yet: %s", name, error)
        return not failed
