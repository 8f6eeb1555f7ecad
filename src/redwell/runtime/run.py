"""One run of a batch in this process: reading, extracting and indexing until the ledger says it is over.

Threads: this one feeds the children and records what they report; one reads; one indexes.
They meet in the ledger only, so any of them may die at any point.
"""

import os
import threading
import time
from collections.abc import Callable

from redwell.adapters.sql.occurrences import Settled
from redwell.core.events import Event, EventType
from redwell.core.records import Claim
from redwell.extract.collect import Collector, task_of
from redwell.extract.limits import ChildConfig, LaneLimits
from redwell.extract.pool import Pool
from redwell.extract.results import Status
from redwell.runtime.bootstrap import Case
from redwell.runtime.indexer import Indexer
from redwell.runtime.progress import Progress
from redwell.runtime.reader import Reader

WAIT_S = 0.05
GATHER_S = 0.004  # a child reports every document at once; to wake up for a few together costs half
IDLE_CLAIM_S = 0.2
SWEEP_S = 1.0
NAMED_S = 0.2
MB = 1 << 20


class Run:
    """`on_tick` is called about ten times a second with the progress. `stop` drains; it is not undone."""

    def __init__(
        self,
        case: Case,
        batch: int,
        passwords: list[str] | None = None,
        on_tick: Callable[[Progress], None] | None = None,
    ) -> None:
        self.progress = Progress()
        self._case, self._batch, self._passwords = case, batch, passwords or []
        self._on_tick = on_tick or (lambda _: None)
        self._stopping = threading.Event()
        self._failure: BaseException | None = None
        self._next_claim = 0.0
        self._next_sweep = 0.0
        self._collector = Collector(case.store, case.blobs, case.settings.chunk)

    def stop(self) -> None:
        """Take nothing new, finish what runs."""
        self.progress.draining = True
        self._stopping.set()

    def __call__(self) -> bool:
        """True when the batch is finished; False when it was stopped before."""
        case = self._case
        case.store.on_settled = self._count
        case.store.sweep(case.alive)
        with Pool(child_config(case), case.settings.slots or os.cpu_count() or 1) as self._pool:
            self._event(EventType.JOB_STARTED)
            finished = self._work()
        if self._failure:
            raise self._failure
        return finished

    def _work(self) -> bool:
        case = self._case
        self._indexer = Indexer(case, self.progress)
        reader = Reader(case, self._batch, self.progress, lambda: not self._stopping.is_set())
        self._reading = self._thread("reader", reader.run)
        indexing = self._thread("indexer", self._indexer.run)
        try:
            return self._loop()
        finally:
            self._stopping.set()
            self._reading.join()
            self._indexer.stop()
            indexing.join()

    def _count(self, settled: Settled) -> None:
        self.progress.items_found += settled.found
        self.progress.outcomes.update(settled.outcomes)

    def _thread(self, name: str, work: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=self._guard, args=(work,), name=name, daemon=True)
        thread.start()
        return thread

    def _guard(self, work: Callable[[], None]) -> None:
        """A thread that fails stops the run in order; the first failure is the one reported."""
        try:
            work()
        except BaseException as error:
            self._failure = self._failure or error
            self.stop()

    def _loop(self) -> bool:
        next_tick = 0.0
        while True:
            if not self._stopping.is_set():
                self._feed()
            if self._collector.in_flight:
                time.sleep(GATHER_S)
            for event in self._pool.wait(WAIT_S):
                self._collector.take(event)
            if self._collector.due:
                self._collector.flush()
            if time.monotonic() >= next_tick:
                next_tick = time.monotonic() + 0.1
                self._tick()
            if not self._collector.in_flight:
                self._collector.flush()
                if self._stopping.is_set():
                    return False
                if self._advance():
                    return True

    def _feed(self) -> None:
        """Claim while a child has room; when the queue was empty, not again at once."""
        while self._pool.free() and time.monotonic() >= self._next_claim:
            settings = self._case.settings
            claims = self._case.store.claim_work(settings.message_documents, settings.message_mb * MB)
            if not claims:
                self._next_claim = time.monotonic() + (WAIT_S if self._reading.is_alive() else IDLE_CLAIM_S)
                return
            self._submit(claims)

    def _submit(self, claims: list[Claim]) -> None:
        self._collector.expect(claims)
        tasks = []
        for claim in claims:
            path, offset = self._case.blobs.place(claim.sha256, claim.location)
            tasks.append(task_of(claim, str(path), offset, self._passwords))
        self._pool.submit(tasks, claims[0].lane)

    def _advance(self) -> bool:
        """Nothing is in flight: settle, sweep, and ask the ledger whether this was all."""
        store = self._case.store
        if store.settle_some():
            self._next_claim = 0.0
            return False
        if time.monotonic() >= self._next_sweep:
            self._next_sweep = time.monotonic() + SWEEP_S
            store.sweep(self._case.alive)
        if self._reading.is_alive() or self._failure:
            return False
        left = store.open_rows(self._batch)
        if left.found or left.walks:
            self._reread()
        if not (left.found or left.walks or left.waiting):
            self._indexer.hurry.set()
        if not left.finished:
            return False
        if store.finish_batch(self._batch):
            self._event(EventType.JOB_FINISHED)
        return True

    def _reread(self) -> None:
        """Files that another worker held when it died, or is still reading."""
        reader = Reader(self._case, self._batch, self.progress, lambda: not self._stopping.is_set())
        self._reading = self._thread("reader", reader.run)

    def _tick(self) -> None:
        self.progress.children = [self._at_work(status) for status in self._pool.status()]
        self._on_tick(self.progress)

    def _at_work(self, status: Status) -> str:
        """What a child is on and for how long; a name is looked up only where a person could read it."""
        since = time.monotonic() - status.since
        if status.task is None or since < NAMED_S:
            return f"{since:6.1f} s"
        return f"{since:6.1f} s  {self._case.store.a_path_of(status.task) or ''}"

    def _event(self, kind: EventType) -> None:
        self._case.store.add_event(Event(event_type=kind, batch=self._batch, detail={"layers": self._pool.layers()}))


def child_config(case: Case) -> ChildConfig:
    s = case.settings
    return ChildConfig(
        handlers=tuple(case.handlers),
        readable=(case.folder / "blobs",),
        scratch=case.scratch,
        sandbox="best" if s.sandbox == "best" else "required",
        small=LaneLimits(wall_s=s.small_wall_s, rss_mb=s.small_rss_mb),
        large=LaneLimits(wall_s=s.large_wall_s, rss_mb=s.large_rss_mb),
        life=s.child_life,
        spool_mb=s.spool_mb,
        options={
            "max_members": s.max_members,
            "max_member_bytes": s.max_member_mb * MB,
            "max_total_bytes": s.max_total_mb * MB,
            "max_ratio": s.max_ratio,
            "max_text_chars": s.max_text_chars,
        },
    )
