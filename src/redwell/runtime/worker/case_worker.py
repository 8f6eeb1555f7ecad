"""Work on one case in this process: feeding children, recording, reading, indexing, until there is nothing to do.

Runs in one thread, the one that starts the children; a thread for each job reads, one indexes. They and all other
workers meet in the ledger only, so any of them may die at any point.
"""

import gc
import logging
import math
import threading
import time
from collections.abc import Callable, Collection, Mapping

from redwell.core.jobs.job import Job, JobKind
from redwell.core.work.kinds import Phase, Profile
from redwell.core.work.transitions import Standing
from redwell.processing.children.pool import Pool
from redwell.processing.collect import Collector
from redwell.processing.results import Broken, Finished, not_done, over_in
from redwell.processing.tasks import tasks_of
from redwell.processing.type_questions import TypeQuestions
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.services.open_services import webhook_address
from redwell.runtime.cluster.succession import Succession
from redwell.runtime.delivery.task_source import task_source
from redwell.runtime.monitor.listeners import tellers
from redwell.runtime.monitor.logs import bind, bound
from redwell.runtime.viewing.uploading import uploading_of
from redwell.runtime.worker.assembled_claims import with_parts
from redwell.runtime.worker.background_threads import BackgroundThreads, Part
from redwell.runtime.worker.cached_answer import CachedAnswer
from redwell.runtime.worker.claiming import Claiming
from redwell.runtime.worker.claims_in_flight import ClaimsInFlight
from redwell.runtime.worker.document_lines import document_done
from redwell.runtime.worker.indexer import Indexer
from redwell.runtime.worker.other_workers import Heartbeat, OtherWorkers
from redwell.runtime.worker.progress import ProgressByBatch
from redwell.runtime.worker.reader import Readers
from redwell.runtime.worker.served_jobs import Scope, ServedJobs
from redwell.runtime.worker.slots import Slots
from redwell.runtime.worker.text_first import TextFirst

WAIT_S = 0.05
IDLE_LOOK_S = 0.4  # of a worker that finds nothing for a while: each look costs it, and the database that all share
SELDOM = 20  # a look that finds nothing is made again after so many times what it took: through services it takes long
GATHER_S = 0.004  # a child reports every document at once; to wake up for a few together costs half
BUSY_LOOK_S = 0.5
SWEEP_S, BUSY_SWEEP_S = 1.0, 5.0
GRACE_S = 2.0  # for documents of others, when the own job is over
YOUNG_OBJECTS = 50_000  # rows of a chunk live until it is written: to look for cycles among them finds none
log = logging.getLogger(__name__)


class CaseWorker:
    def __init__(self, case: Case, slots: Slots, heartbeat: Heartbeat, scope: Scope) -> None:
        webhook_address(case.settings)  # what is no good is refused before anything is done
        self.progress = ProgressByBatch()
        self.on_tick: Callable[[CaseWorker], None] = lambda _: None
        self.pool: Pool
        self.backlog = CachedAnswer(case.store.backlog)  # for whoever scales workers; asked by another thread
        self._case, self._slots, self._heartbeat, self._scope = case, slots, heartbeat, scope
        self._other_workers = OtherWorkers(case, scope.kind, slots.capacity.slots)
        self._stopping, self._asked_to_stop = threading.Event(), threading.Event()
        self._failure: BaseException | None = None
        self._in_flight = ClaimsInFlight(case.name, slots)
        self._collector = Collector(case.store, case.blobs, case.settings.chunk, self._in_flight)
        self._questions = TypeQuestions(case.blobs.place)
        self._readers = Readers(case, self._questions, self._is_wanted, self.fail)
        self._served_jobs = ServedJobs(case, scope.until, scope.kind)
        self._uploading = uploading_of(case)
        self._succession = Succession(case)
        self._text_first = TextFirst(waits=scope.kind != JobKind.RENDER)
        self._looks = self._swept = 0.0
        self._pause_s = WAIT_S
        self._drained_by = math.inf
        self._idle_since: float | None = None

    def stop(self) -> None:
        """Take nothing new, finish what runs within `drain_s`. It is not undone."""
        self._drained_by = min(self._drained_by, time.monotonic() + self._scope.drain_s)
        self._asked_to_stop.set()
        self._stopping.set()

    def fail(self, error: BaseException) -> None:
        """A thread that fails stops the work in order; the first failure is the one reported."""
        self._failure = self._failure or error
        self.stop()

    def __call__(self) -> bool:
        """True when it came to its end, False when it was stopped before."""
        case, beat = self._case, self._other_workers.beat
        gc.set_threshold(YOUNG_OBJECTS)
        bind(case=case.name, worker_id=case.worker)
        case.store.on_settled = self.progress.count
        beat()
        self._heartbeat.add(beat)
        try:
            self._other_workers.wait_for_gc(self._stopping)
            self._other_workers.sweep()
            with Pool(case.parsers, self._slots.capacity.slots, case.other_children) as self.pool:
                log.info("works with %s slots", self._slots.capacity.slots)
                if case.is_shared:
                    case.equipment.learn(self.pool.hello())
                ended = self._work()
            case.store.remove_workers([self._other_workers.own.id])
        finally:
            self._heartbeat.remove(beat)
            self._slots.withdraw(self)
            for uploading in self._uploading:
                uploading.close()
        if self._failure:
            raise self._failure
        return ended

    def _work(self) -> bool:
        """Those who tell others stop last: that this worker has left is told too."""
        telling = BackgroundThreads([*tellers(self._case), *self._uploading], self.fail)
        try:
            ended = self._work_with_others()
            self._served_jobs.leave()
            for uploading in self._uploading if ended else ():
                uploading.wait_for(self._scope.until or 0, self._asked_to_stop)
            return ended
        finally:
            telling.stop()

    def _work_with_others(self) -> bool:
        self._indexer = Indexer(self._case, self.progress.of(self._scope.until or 0))
        patience_s = math.inf if self._scope.until is None else self._case.settings.outage_s
        self._source = task_source(self._case, self._heartbeat, self._in_flight, patience_s)
        self._claiming = Claiming(self._case, self._source, self._slots, self._in_flight, self._text_first)
        keepers: list[Part] = [self._indexer] if self._case.is_kept_here else []
        background = BackgroundThreads([*keepers, *self._source.background], self.fail)
        try:
            return self._loop()
        finally:
            self._stopping.set()
            self._questions.close()
            self._readers.join()
            background.stop()
            self._source.close()
            self._in_flight.clear()

    def _loop(self) -> bool:
        next_tick = 0.0
        while True:
            if time.monotonic() >= self._looks and self._look():
                self._leave()
                return True
            self._feed()
            if self._in_flight.total:
                time.sleep(GATHER_S)
            self._hear(WAIT_S)
            if self._collector.due:
                self._feed()  # first: a child would run out of documents while these are written
                self._collector.flush()
            if time.monotonic() >= next_tick:
                self._in_flight.sample(self.pool.status())
                self.on_tick(self)
                next_tick = time.monotonic() + 0.1
            if time.monotonic() >= self._drained_by:
                log.info("what is not done goes back: others go on with it")
                self._hand_back()
                self._source.leave(None)
                return False  # without waiting for what a child is still at
            if not self._in_flight.total:
                self._looks = min(self._looks, time.monotonic() + self._pause_s)  # it may be over
                self._collector.flush()
                if self._stopping.is_set():
                    self._source.leave(None)
                    return False

    def _hear(self, wait_s: float) -> None:
        for said in self.pool.wait(wait_s):
            if (event := self._questions.take(said)) is None:
                continue
            if isinstance(event, Broken):
                self._complain(event)
            elif isinstance(event, Finished):
                self._count(event.task)
                document_done(event.task, event.done.outcome, self._in_flight, self._case.store.identity_of)
            self._in_flight.ended(over_in(event))
            self._collector.take(event)

    def _count(self, task: int) -> None:
        if (phase := self._in_flight.phase_of(task)) is not Phase.TEXT:
            self.progress.of(self._in_flight.job_of(task).batch).parts[phase].ended(1)

    def _complain(self, event: Broken) -> None:
        attempt, job = self._in_flight.attempt_of(event.task), self._in_flight.job_of(event.task)
        about = {"batch": job.batch, "job": job.id, "attempt": attempt, "step": "extract", "status": event.outcome}
        with bound(**about, **self._case.store.identity_of(event.task)):
            log.warning("a child died of a document: %s", event.detail)

    def _feed(self) -> None:
        """Claim while a child has room and a job has something to give."""
        self.pool.release()
        self._questions.put(self.pool)
        while not self._stopping.is_set() and (room := self.pool.room()):
            if not any(self._claim(job, room) for job in self._served_jobs.among(self._slots.turn(self))):
                break

    def _claim(self, job: Job, room: Collection[Profile]) -> bool:
        """One message of a job goes to a child."""
        unable = self.pool.unable
        if not (claims := with_parts(self._case, self._claiming.some(job, {*room, *unable}))):
            return False
        if why := unable.get(claims[0].profile):
            self._case.store.record([], [not_done(claim, why) for claim in claims])
            return True
        self._pause_s = WAIT_S
        self._served_jobs.begin(job, self.pool.hello)
        self._served_jobs.served.add(job.batch)
        self._in_flight.add(job, claims)
        tasks = tasks_of(claims, self._case.blobs.place, self._served_jobs.passwords(), unpack=self._claiming.unpacks)
        self.pool.submit(tasks, claims[0].lane, claims[0].profile)
        return True

    def _look(self) -> bool:
        """What the ledger says now, and what follows; True when there is nothing left to do here."""
        began, idle = time.monotonic(), not self._in_flight.total
        is_over = self._look_at_all(idle=idle)
        ended = time.monotonic()
        if idle:
            longest = IDLE_LOOK_S if self._scope.until is None else max(WAIT_S, SELDOM * (ended - began))
            self._pause_s = min(2 * self._pause_s, longest, IDLE_LOOK_S)
        self._looks = ended + (self._pause_s if idle else BUSY_LOOK_S)
        return is_over

    def _look_at_all(self, *, idle: bool) -> bool:
        self._served_jobs.look()
        for uploading in self._uploading:
            uploading.prepare(self._served_jobs.jobs.values())
        self._tidy = self._source.look(self._served_jobs.jobs.values())
        self._slots.offer(self, self._served_jobs.offers())
        self._sweep(SWEEP_S if idle else BUSY_SWEEP_S)
        self._give_up_lost()
        standings = {job.batch: self._bring_on(job) for job in list(self._served_jobs.jobs.values())}
        self._text_first.look(standings)
        if Standing.UNINDEXED in standings.values():
            self._indexer.hurry.set()
        else:
            self._indexer.hurry.clear()
        return self._is_over(standings)

    def _bring_on(self, job: Job) -> Standing:
        at_rest = not (self._in_flight.of(job.batch) or self._readers.reading(job.batch))
        standing = self._served_jobs.bring_on(job, at_rest=at_rest)
        if standing is Standing.UNREAD and self._scope.reads(job) and not self._stopping.is_set():
            self._readers.start(job.batch, self.progress.of(job.batch))  # first: a child takes a while to start
            self._served_jobs.begin(job, self.pool.hello)
        return standing

    def _sweep(self, every_s: float) -> None:
        if time.monotonic() - self._swept >= every_s:
            self._swept = time.monotonic()
            self._other_workers.sweep()
            self._served_jobs.note_served()
            if self._succession.has_changed():
                self.stop()  # who serves the case opens it anew

    def _give_up_lost(self) -> None:
        """Documents that were cancelled, or taken over while this process was frozen, are not gone on with."""
        if lost := self._claiming.lost():
            self.pool.stop(lost)
            self._other_workers.beat()  # who took them over may have taken us for dead
            self._other_workers.wait_for_gc(self._stopping)

    def _is_over(self, standings: Mapping[int, Standing]) -> bool:
        own = self._scope.until
        if own is not None:
            return own not in self._served_jobs.jobs or standings[own].has_reached(self._scope.milestone)
        is_tidy = self._tidy and all(uploading.is_tidy for uploading in self._uploading)
        if self._served_jobs.jobs or self._in_flight.total or not is_tidy:
            self._idle_since = None
            return False
        self._idle_since = self._idle_since or time.monotonic()
        return time.monotonic() - self._idle_since >= self._scope.stay_s

    def _leave(self) -> None:
        """Documents of other jobs get a moment to be done, then go back into the queue."""
        deadline = time.monotonic() + GRACE_S
        while self._in_flight.total and time.monotonic() < deadline:
            self._hear(WAIT_S)
            if self._collector.due:
                self._collector.flush()
        self._hand_back()
        self._source.leave(self._scope.until)

    def _hand_back(self) -> None:
        self._collector.flush()
        if claims := self._in_flight.claims():
            self._case.store.release(claims)
            self._in_flight.settled(task for task, _ in claims)

    @property
    def open_jobs(self) -> int:
        return len(self._served_jobs.jobs)

    def _is_wanted(self, batch: int) -> bool:
        return not self._stopping.is_set() and self._served_jobs.is_wanted(batch)
