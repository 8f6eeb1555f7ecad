"""Work on one case in this process: feeding children, recording, reading, indexing, until there is nothing to do.

Runs in one thread, the one that starts the children; a thread for each job reads, one indexes. They and all other
workers meet in the ledger only, so any of them may die at any point.
"""

import gc
import logging
import threading
import time
from collections.abc import Callable, Iterator

from redwell.core.jobs import Job
from redwell.core.ledger import Standing
from redwell.extract.collect import Collector, task_of
from redwell.extract.joining import with_volumes
from redwell.extract.pool import Pool
from redwell.extract.results import Broken, Finished, Returned
from redwell.runtime.beside import Beside, Part
from redwell.runtime.bootstrap import Case
from redwell.runtime.children import child_config
from redwell.runtime.desk import Desk
from redwell.runtime.docket import Docket, Scope
from redwell.runtime.flights import Flights
from redwell.runtime.indexer import Indexer
from redwell.runtime.logs import bind, bound
from redwell.runtime.neighbours import Heartbeat, Neighbours
from redwell.runtime.progress import ProgressByBatch
from redwell.runtime.publisher import Publisher, has_listeners
from redwell.runtime.reader import Readers
from redwell.runtime.seldom import Seldom
from redwell.runtime.taking import Taking
from redwell.runtime.task_source import task_source
from redwell.runtime.webhook import Webhook

WAIT_S = 0.05
GATHER_S = 0.004  # a child reports every document at once; to wake up for a few together costs half
EMPTY_S = 0.05  # until a job that had nothing to claim is asked again
BUSY_LOOK_S = 0.5
SWEEP_S, BUSY_SWEEP_S = 1.0, 5.0
GRACE_S = 2.0  # for documents of others, when the own job is over
YOUNG_OBJECTS = 50_000  # rows of a chunk live until it is written: to look for cycles among them finds none
log = logging.getLogger(__name__)


class CaseWork:
    def __init__(self, case: Case, desk: Desk, heartbeat: Heartbeat, scope: Scope) -> None:
        self.progress = ProgressByBatch()
        self.on_tick: Callable[[CaseWork], None] = lambda _: None
        self.pool: Pool
        self.backlog = Seldom(case.store.backlog)  # for whoever scales workers; asked by another thread
        self._case, self._desk, self._heartbeat, self._scope = case, desk, heartbeat, scope
        self._neighbours = Neighbours(case, scope.kind, desk.capacity.slots)
        self._stopping = threading.Event()
        self._failure: BaseException | None = None
        self._collector = Collector(case.store, case.blobs, case.settings.chunk)
        self._flights = Flights(case.name, desk)
        self._readers = Readers(case, self._is_wanted, self.fail)
        self._docket = Docket(case, scope.until)
        self._looks = self._swept = 0.0
        self._has_asked = False
        self._idle_since: float | None = None

    def stop(self) -> None:
        """Take nothing new, finish what runs. It is not undone."""
        self._stopping.set()

    def fail(self, error: BaseException) -> None:
        """A thread that fails stops the work in order; the first failure is the one reported."""
        self._failure = self._failure or error
        self.stop()

    def __call__(self) -> bool:
        """True when it came to its end, False when it was stopped before."""
        case, beat = self._case, self._neighbours.beat
        gc.set_threshold(YOUNG_OBJECTS)
        bind(case=case.name, worker_id=case.worker)
        case.store.on_settled = self.progress.count
        beat()
        self._heartbeat.add(beat)
        try:
            self._neighbours.wait_for_gc(self._stopping)
            self._neighbours.sweep()
            with Pool(child_config(case), self._desk.capacity.slots) as self.pool:
                log.info("works with %s", case.recipe.engine)  # known before a transaction has to wait for it
                ended = self._work()
            self._docket.leave()
            case.store.remove_workers([self._neighbours.own.id])
        finally:
            self._heartbeat.remove(beat)
            self._desk.withdraw(self)
        if self._failure:
            raise self._failure
        return ended

    def _work(self) -> bool:
        self._indexer = Indexer(self._case, self.progress.of(self._scope.until or 0))
        self._source = task_source(self._case, self._heartbeat)
        self._taking = Taking(self._case, self._source, self._desk, self._flights)
        keepers: list[Part] = []  # of which a case has one each, on the machine that keeps it
        if self._case.is_kept_here:
            keepers = [self._indexer, *([Webhook(self._case)] if self._case.settings.webhook else [])]
            keepers += [Publisher(self._case)] if has_listeners(self._case) else []
        beside = Beside([*keepers, *self._source.beside], self.fail)
        try:
            return self._loop()
        finally:
            self._stopping.set()
            self._readers.join()
            beside.stop()
            self._source.close()
            self._flights.clear()

    def _loop(self) -> bool:
        next_tick = 0.0
        while True:
            if time.monotonic() >= self._looks and self._look():
                self._leave()
                return True
            self._feed()
            if self._flights.total:
                time.sleep(GATHER_S)
            self._hear(WAIT_S)
            if self._collector.due:
                self._feed()  # first: a child would run out of documents while these are written
                self._collector.flush()
            if time.monotonic() >= next_tick:
                self._flights.sample(self.pool.status())
                self.on_tick(self)
                next_tick = time.monotonic() + 0.1
            if not self._flights.total:
                self._looks = min(self._looks, time.monotonic() + WAIT_S)  # it may be over
                self._collector.flush()
                if self._stopping.is_set():
                    self._source.leave(None)
                    return False

    def _hear(self, wait_s: float) -> None:
        for event in self.pool.wait(wait_s):
            self._collector.take(event)
            match event:
                case Finished():
                    self._flights.ended([event.task])
                case Broken():
                    self._complain(event)
                    self._flights.ended([event.task])
                case Returned():
                    self._flights.ended(event.tasks)

    def _complain(self, event: Broken) -> None:
        attempt, job = self._flights.claim_of(event.task)
        about = {"batch": job.batch, "job": job.id, "attempt": attempt, "step": "extract", "status": event.outcome}
        with bound(**about, **self._case.store.identity_of(event.task)):
            log.warning("a child died of a document: %s", event.detail)

    def _feed(self) -> None:
        """Claim while a child has room and a job has something to give."""
        self.pool.release()
        while not self._stopping.is_set() and self.pool.free() and any(self._claim(job) for job in self._turns()):
            pass

    def _turns(self) -> Iterator[Job]:
        jobs = {job.id: job for job in self._docket.jobs.values()}
        return (jobs[key] for key in self._desk.turn(self) if key in jobs)

    def _claim(self, job: Job) -> bool:
        """One message of a job goes to a child."""
        asked = time.monotonic()
        claims = self._taking.some(job)
        if not claims:  # a search that took long is not made often; the first one had to be prepared
            took = time.monotonic() - asked if self._has_asked else 0.0
            self._desk.rest(self._case.name, job.id, max(EMPTY_S, 10 * took))
            self._has_asked = True
            return False
        self._docket.begin(job, self.pool.layers)
        self._docket.served.add(job.batch)
        self._collector.expect(claims)
        self._flights.add(job, claims)
        words = self._docket.passwords()
        place = self._case.blobs.place
        places = [place(claim.sha256, claim.location) for claim in claims]
        tasks = [task_of(claim, str(path), at, words) for claim, (path, at) in zip(claims, places, strict=True)]
        tasks = [with_volumes(task, claim, place) for task, claim in zip(tasks, claims, strict=True)]
        self.pool.submit(tasks, claims[0].lane)
        return True

    def _look(self) -> bool:
        """What the ledger says now, and what follows; True when there is nothing left to do here."""
        idle = not self._flights.total
        self._looks = time.monotonic() + (WAIT_S if idle else BUSY_LOOK_S)
        self._docket.look()
        self._tidy = self._source.look(self._docket.jobs.values())
        self._desk.offer(self, self._docket.offers())
        self._sweep(SWEEP_S if idle else BUSY_SWEEP_S)
        self._give_up_lost()
        standings = [self._bring_on(job) for job in list(self._docket.jobs.values())]
        if Standing.UNINDEXED in standings:
            self._indexer.hurry.set()
        else:
            self._indexer.hurry.clear()
        return self._is_over()

    def _bring_on(self, job: Job) -> Standing:
        at_rest = not (self._flights.of(job.batch) or self._readers.reading(job.batch))
        standing = self._docket.bring_on(job, at_rest=at_rest)
        if standing is Standing.UNREAD and self._scope.reads(job) and not self._stopping.is_set():
            self._readers.start(job.batch, self.progress.of(job.batch))  # first: a child takes a while to start
            self._docket.begin(job, self.pool.layers)
        return standing

    def _sweep(self, every_s: float) -> None:
        now = time.monotonic()
        if now - self._swept >= every_s:
            self._swept = now
            self._neighbours.sweep()
            self._docket.note_served()

    def _give_up_lost(self) -> None:
        """Documents that were cancelled, or taken over while this process was frozen, are not gone on with."""
        claims = self._flights.claims()
        if claims:
            held = self._case.store.still_held(claims)
            if lost := {task for task, _ in claims if task not in held}:
                self.pool.stop(lost)
                self._neighbours.beat()  # who took them over may have taken us for dead
                self._neighbours.wait_for_gc(self._stopping)

    def _is_over(self) -> bool:
        if self._scope.until is not None:
            return self._scope.until not in self._docket.jobs
        if self._docket.jobs or self._flights.total or not self._tidy:
            self._idle_since = None
            return False
        self._idle_since = self._idle_since or time.monotonic()
        return time.monotonic() - self._idle_since >= self._scope.stay_s

    def _leave(self) -> None:
        """Documents of other jobs get a moment to be done, then go back into the queue."""
        deadline = time.monotonic() + GRACE_S
        while self._flights.total and time.monotonic() < deadline:
            self._hear(WAIT_S)
            if self._collector.due:
                self._collector.flush()
        self._collector.flush()
        if claims := self._flights.claims():
            self._case.store.release(claims)
        self._source.leave(self._scope.until)

    @property
    def open_jobs(self) -> int:
        return len(self._docket.jobs)

    def _is_wanted(self, batch: int) -> bool:
        return not self._stopping.is_set() and self._docket.is_wanted(batch)
