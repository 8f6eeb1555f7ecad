"""Takes the uploaders of a case's batches through their lives (SPEC E1): queues, then compute, in the end neither.

Used by uploading, in one process at a time. What it hears, its own events among it, comes through one queue of the
case. A message is a hint: where each uploader is stands in the rows, so what comes twice changes nothing.
"""

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

from redwell.core.errors import Permanent, RedwellError
from redwell.core.events.event import Event, EventType, Filter
from redwell.core.jobs.job import Job, JobState
from redwell.core.jobs.loader_life import Life, Phase
from redwell.core.jobs.queue_names import uploader_dead_letters, uploader_events, uploader_not_yet, uploader_queue
from redwell.core.viewing import uploader_life as lives
from redwell.core.viewing.uploader_life import UploaderFact, UploaderLife, UploaderPhase, has_leftovers
from redwell.core.viewing.uploader_scale import is_throttled, most_tasks, tasks_for
from redwell.ports.messaging.queue import Delivery, Message, NoSuchQueue, QueueSpec
from redwell.ports.viewing.uploader_compute import ComputeSpec, ComputeState, UploaderCompute
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.services.open_services import Services
from redwell.runtime.delivery.task_queues import empty_s, scale
from redwell.runtime.viewing.poller import LEASE_S

DOCUMENTS = frozenset({EventType.DOCUMENT_PROCESSED, EventType.RENDITION_ADDED})
STEERING = frozenset(
    {EventType.JOB_STARTED, EventType.JOB_FINISHED, EventType.LOADER_FINISHED, EventType.IMPORT_CANCELLED}
    | set(lives.OWN.values())
)
AT_ONCE = 10
log = logging.getLogger(__name__)


class Conductor:
    def __init__(self, case: Case, services: Services, compute: UploaderCompute) -> None:
        self._case, self._queue, self._bus, self._compute = case, services.queue, services.bus, compute
        self._events = uploader_events(case.settings.name_prefix, case.number)
        self._is_listening = False
        self._empty_since: dict[str, float] = {}

    @property
    def is_tidy(self) -> bool:
        return all(life.is_over for life in self._lives().values())

    @property
    def has_leftovers(self) -> bool:
        """Uploaders of batches on which nobody works any more."""
        working = {job.batch for job in self._case.store.open_jobs()}
        return has_leftovers(self._lives(), working)

    def is_over(self, batch: int) -> bool:
        return self._life(batch).is_over

    def is_prepared(self, job: Job) -> bool:
        return self._life(job.batch).job >= job.id

    def prepare(self, jobs: Iterable[Job]) -> None:
        """Queues of the jobs that have none yet, subscribed before the first document is told of (SPEC A2)."""
        known = self._lives()
        for job in jobs:
            life = known.get(job.batch, UploaderLife())
            if job.state is JobState.CANCELLING or life.job >= job.id:
                continue
            if life.is_over:
                self._make_queues(job, life.attempt + 1)
            elif life.phase in lives.LIVE:
                changes = {"job": job.id, "workers": job.workers, "is_draining": False}
                self._case.store.change_uploader(job.batch, changes)

    def look(self) -> None:
        """Hear what there is, then see to what runs."""
        if not self._is_listening and not self.is_tidy:
            self._listen()
        if self._is_listening:
            for each in self._queue.receive(self._events, AT_ONCE):
                self._take(each)
        for batch, life in self._lives().items():
            if life.phase is UploaderPhase.PREPARED:
                self._begin(batch, life)
            elif life.phase is UploaderPhase.STARTED:
                self._tend(batch, life)

    def clear_events(self) -> None:
        """Its own queue goes when nothing is left to be heard of."""
        if self._is_listening and self.is_tidy:
            self._bus.unsubscribe(self._events)
            self._queue.delete(self._events)
            self._is_listening = False

    def _lives(self) -> dict[int, UploaderLife]:
        return self._case.store.uploaders()

    def _life(self, batch: int) -> UploaderLife:
        return self._lives().get(batch, UploaderLife())

    def _listen(self) -> None:
        """What was told before nobody here has heard: it is said once more, of this process's jobs too."""
        self._queue.create(QueueSpec(name=self._events, lease_s=LEASE_S))
        self._bus.subscribe(self._events, self._filter(STEERING))
        self._take_up()
        self._is_listening = True

    def _filter(self, types: Iterable[EventType], batch: int | None = None) -> Filter:
        batches = frozenset() if batch is None else frozenset({batch})
        return Filter(event_types=frozenset(types), case_ids=frozenset({self._case.number}), batch_ids=batches)

    def _take_up(self) -> None:
        """What a process that is gone may have heard and not done: all of it is said once more."""
        loaders = self._case.store.loaders()
        open_batches = {job.batch for job in self._case.store.open_jobs()}
        for batch, life in self._lives().items():
            said = [lives.OWN[life.phase]] if life.phase in lives.OWN else []
            if life.phase in lives.LIVE and batch not in open_batches:
                cancelled = loaders.get(batch, Life()).phase in (Phase.CANCELLING, Phase.CANCELLED)
                end = EventType.IMPORT_CANCELLED if cancelled else EventType.LOADER_FINISHED
                said += [EventType.JOB_FINISHED, end]
            for kind in said:
                event = Event(event_type=kind, case_id=self._case.number, batch_id=batch, job_id=life.job)
                self._queue.send(self._events, [Message(body=event.to_json())])

    def _make_queues(self, job: Job, attempt: int) -> None:
        case, batch = self._case, job.batch
        name = uploader_queue(case.settings.name_prefix, case.number, batch, attempt)
        dead, tags = uploader_dead_letters(name), {"job": str(job.id), "batch": str(batch)}
        self._queue.create(QueueSpec(name=dead))
        self._queue.create(QueueSpec(name=uploader_not_yet(name), tags=tags))
        receives = case.settings.uploader_receives
        spec = QueueSpec(name=name, lease_s=LEASE_S, dead_letters=dead, max_receives=receives, tags=tags)
        self._queue.create(spec)
        reference = self._bus.subscribe(name, self._filter(DOCUMENTS, batch))
        self._queue.create(replace(spec, tags={**tags, "subscription": reference}))
        fresh = {"job": job.id, "workers": job.workers, "attempt": attempt, "queue": name, "tries": 0}
        case.store.say_of_uploader(batch, UploaderFact.PREPARED, {**fresh, "is_draining": False})

    def _take(self, each: Delivery) -> None:
        """Done with, or to come back to itself after a while; what fails too often is given up (SPEC E1)."""
        try:
            event = Event.from_json(each.body)
        except Permanent as error:
            log.warning("queue %s: %s", each.queue, error)
            self._queue.acknowledge([each])
            return
        try:
            again_s = self._handle(event)
        except RedwellError as error:
            if each.received < self._case.settings.uploader_receives:
                raise
            again_s = self._give_up(event.batch_id or 0, str(error))
        if again_s is not None:
            later = Message(body=each.body, delay_s=int(again_s * scale(self._case)))
            self._queue.send(self._events, [later])
        self._queue.acknowledge([each])

    def _handle(self, event: Event) -> float | None:
        """After how long the event comes back; None: not at all."""
        batch, life = event.batch_id or 0, self._life(event.batch_id or 0)
        if (event.job_id or 0) < life.job or life.is_over:
            return None  # of a job before, or too late
        match event.event_type:
            case EventType.JOB_FINISHED:
                self._case.store.change_uploader(batch, {"is_draining": True})
            case EventType.LOADER_FINISHED if life.phase in lives.LIVE:
                return self._end(batch, life)
            case EventType.IMPORT_CANCELLED if life.phase is not UploaderPhase.CANCELLING:
                self._case.store.say_of_uploader(batch, UploaderFact.CANCELLED)
                self._compute.delete(self._spec(batch, life))
            case own if own == lives.OWN.get(life.phase):
                return self._own_event(batch, life)
        return None

    def _own_event(self, batch: int, life: UploaderLife) -> float | None:
        if life.phase is UploaderPhase.THROTTLED:
            return self._begin(batch, life)
        spec = self._spec(batch, life)
        state = self._compute.state(spec)
        if life.phase is UploaderPhase.CREATING:
            return self._created(batch, life, state)
        if state is not ComputeState.NONE:
            if state is ComputeState.FAILED and self._tried(batch, life) > lives.MOST_TRIES:
                return self._give_up(batch, "its compute can't be taken down")
            if state is not ComputeState.DELETING:
                self._compute.delete(spec)
            return lives.LOOK_S
        return self._clear(batch, life, UploaderFact.CLEARED)

    def _begin(self, batch: int, life: UploaderLife) -> float | None:
        if self._is_throttled():
            self._case.store.say_of_uploader(batch, UploaderFact.BUSY)
            return self._case.settings.uploader_again_s
        self._compute.create(self._spec(batch, life))
        self._case.store.say_of_uploader(batch, UploaderFact.INITIATED)
        return None

    def _is_throttled(self) -> bool:
        settings = self._case.settings
        return is_throttled(self._compute.running(), settings.uploader_connections, settings.uploader_ceiling)

    def _spec(self, batch: int, life: UploaderLife) -> ComputeSpec:
        settings = self._case.settings
        most = most_tasks(life.workers, settings.uploader_connections, settings.uploader_tasks)
        return ComputeSpec(case=self._case.number, batch=batch, queue=life.queue, most=most)

    def _created(self, batch: int, life: UploaderLife, state: ComputeState) -> float | None:
        if state is ComputeState.RUNNING:
            self._case.store.say_of_uploader(batch, UploaderFact.RUNNING)
            return None
        if state in (ComputeState.FAILED, ComputeState.NONE):  # rolled back, or gone with the process that had it
            if self._tried(batch, life) > lives.MOST_TRIES:
                return self._give_up(batch, "the viewing engine or its compute is not there")
            self._compute.delete(self._spec(batch, life))
            self._compute.create(self._spec(batch, life))
        return lives.LOOK_S

    def _tried(self, batch: int, life: UploaderLife) -> int:
        self._case.store.change_uploader(batch, {"tries": life.tries + 1})
        return life.tries + 1

    def _tend(self, batch: int, life: UploaderLife) -> None:
        """As many tasks as the queue is deep, and back into it what can have its PDF now (SPEC E4, E6)."""
        spec = self._spec(batch, life)
        if self._compute.state(spec) is ComputeState.NONE:
            self._compute.create(spec)  # it went with the process that had it
        if life.is_draining and self._depth(uploader_not_yet(life.queue)):
            self._queue.redrive(uploader_not_yet(life.queue), life.queue)
        self._compute.scale(spec, tasks_for(self._depth(life.queue), spec.most))

    def _end(self, batch: int, life: UploaderLife) -> float | None:
        """Seen empty twice: depth is approximate (SPEC A19)."""
        if not life.is_draining or self._depth(life.queue) or self._depth(uploader_not_yet(life.queue)):
            self._empty_since.pop(life.queue, None)
            return self._case.settings.uploader_again_s
        since = self._empty_since.setdefault(life.queue, time.monotonic())
        if time.monotonic() - since < empty_s(self._case):
            return self._case.settings.empty_queue_s
        self._case.store.say_of_uploader(batch, UploaderFact.DRAINED)
        self._compute.delete(self._spec(batch, life))
        return None

    def _give_up(self, batch: int, why: str) -> float | None:
        life = self._life(batch)
        log.warning("the uploader of batch %s failed: %s; the load goes on", batch, why)
        with suppress(RedwellError):
            self._compute.delete(self._spec(batch, life))
        return self._clear(batch, life, UploaderFact.GIVEN_UP, why)

    def _clear(self, batch: int, life: UploaderLife, fact: UploaderFact, why: str = "") -> float | None:
        """Each step may be done again, and none stops the next; dead letters stay where there are any."""
        name, dead = life.queue, uploader_dead_letters(life.queue)
        kept, failed = self._depth(dead), False
        steps: list[Callable[[], None]] = [
            lambda: self._bus.unsubscribe(name),
            lambda: self._queue.delete(name),
            lambda: self._queue.delete(uploader_not_yet(name)),
            *([] if kept else [lambda: self._queue.delete(dead)]),
        ]
        for step in steps:
            try:
                step()
            except RedwellError as error:
                failed = True
                log.warning("the uploader's queue %s can't be taken down yet: %s", name, error)
        if failed and fact is UploaderFact.CLEARED:
            return lives.LOOK_S
        self._case.store.say_of_uploader(batch, fact, {"queue": "", "kept": life.kept + kept}, why)
        return None

    def _depth(self, name: str) -> int:
        try:
            return self._queue.depth(name).total
        except NoSuchQueue:
            return 0
