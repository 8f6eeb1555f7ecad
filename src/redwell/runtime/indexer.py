"""The indexing thread of a run: drains the queue of exhibits into the search index.

Whoever holds the case's indexer lock does it; the others only watch the queue empty.
"""

import threading
import time

from redwell.adapters.files.locks import HeldLock
from redwell.load.project import project
from redwell.runtime.bootstrap import Case
from redwell.runtime.progress import Progress

IDLE_S = 0.1  # the first document is searchable soon; only a commit is worth waiting for others


class Indexer:
    def __init__(self, case: Case, progress: Progress) -> None:
        self._case, self._progress = case, progress
        self._lock: HeldLock | None = None
        self._stop = threading.Event()
        self.hurry = threading.Event()  # nothing else is left: do not wait for a full commit

    def run(self) -> None:
        """Until `stop`; what is pending then stays pending in the ledger."""
        try:
            while not self._stop.is_set():
                started = time.monotonic()
                count = self.step()
                if count < self._case.settings.index_documents:
                    pause = self._case.settings.index_s - (time.monotonic() - started) if count else IDLE_S
                    self.hurry.wait(max(0.0, pause))
                    self._stop.wait(0.02)
        finally:
            if self._lock:
                self._case.index.close()  # first the writer: whoever gets our lock must be able to open one
                self._lock.release()

    def step(self) -> int:
        self._lock = self._lock or self._case.indexer_lock()
        if not self._lock:
            return 0
        case = self._case
        count = project(case.store, case.blobs, case.index, case.settings.index_documents)
        self._progress.indexed += count
        return count

    def stop(self) -> None:
        self._stop.set()
        self.hurry.set()
