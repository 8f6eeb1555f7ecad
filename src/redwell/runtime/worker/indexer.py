"""The indexing thread of a run: drains the queue of exhibits into the search index.

Whoever holds the case's indexer lock does it; the others only watch the queue empty.
"""

import threading
import time

from redwell.load.loader import AT_ONCE, Loader
from redwell.ports.case_folder import Lock
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.upkeep.reindex import start_anew
from redwell.runtime.worker.progress import Progress

IDLE_S = 0.1
GATHER_S = 0.5  # once something is searchable: a chunk costs the same statements, whether it has ten exhibits or many
RAREST = 10  # commits come ever more seldom, down to one in `index_s` times this


class Indexer:
    """Adds exhibits as they end, and commits now and then.

    Each commit is a segment that has to be merged later, which costs as much as to add its documents: the longer a
    run takes, the longer the time between two of them.
    """

    def __init__(self, case: Case, progress: Progress) -> None:
        self._case, self._progress = case, progress
        self._lock: Lock | None = None
        self._loader = Loader(case.store, case.blobs, case.index)
        self._began = time.monotonic()
        self._next_commit = 0.0  # the first documents are searchable at once
        self._stop = threading.Event()
        self.hurry = threading.Event()  # nothing else is left: do not wait for others

    def run(self) -> None:
        """Until `stop`; what is pending then stays pending in the ledger."""
        try:
            while not self._stop.is_set():
                if self.step() < AT_ONCE:
                    self._rest()
        finally:
            if self._lock:
                self._case.index.close()  # first the writer: whoever gets our lock must be able to open one
                self._lock.release()

    def _rest(self) -> None:
        """Whoever hurries wakes us."""
        if self.hurry.is_set():
            self._stop.wait(0.02)
        else:
            self.hurry.wait(GATHER_S if self._next_commit else IDLE_S)

    def step(self) -> int:
        """How many exhibits were added."""
        if not self._holds_lock():
            return 0
        count = self._loader.load_some()
        added = self._loader.added
        last = self.hurry.is_set() and not count
        full = added.is_much(self._case.settings.index_documents)
        if added.exhibits and (last or full or time.monotonic() >= self._next_commit):
            self._commit()
        return count

    def _commit(self) -> None:
        self._progress.indexed += self._loader.commit()
        now, index_s = time.monotonic(), self._case.settings.index_s
        self._next_commit = now + min(max(index_s, (now - self._began) / 2), RAREST * index_s)

    def _holds_lock(self) -> bool:
        if self._lock is None and (lock := self._case.indexer_lock()):
            self._lock = lock
            if self._case.index.is_outdated():
                start_anew(self._case)
            self._case.store.begin_loading()
        return self._lock is not None

    def stop(self) -> None:
        self._stop.set()
        self.hurry.set()
