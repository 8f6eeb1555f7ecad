"""Views and searches on their way into the audit logs: gathered for a moment, so that they never queue at a case's
one writer, and written together by a thread of the server."""

import logging
import threading
from collections import defaultdict
from collections.abc import Callable

from redwell.core.errors import RedwellError
from redwell.core.review.values import Entry
from redwell.ports.review import ReviewStore

EVERY_S = 1.0
log = logging.getLogger(__name__)


class GatheredEntries:
    def __init__(self, store_of: Callable[[int], ReviewStore]) -> None:
        self._store_of = store_of
        self._entries: dict[int, list[Entry]] = defaultdict(list)
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
        self._thread.start()

    def add(self, case: int, entry: Entry) -> None:
        with self._lock:
            self._entries[case].append(entry)

    def flush(self) -> None:
        """All that was added before is written, also what another thread has just taken. What could not be is kept,
        and written with what comes next."""
        with self._writing:
            with self._lock:
                taken, self._entries = self._entries, defaultdict(list)
            for case, entries in taken.items():
                self._record(case, entries)

    def _record(self, case: int, entries: list[Entry]) -> None:
        try:
            self._store_of(case).record(entries)
        except RedwellError as error:
            log.warning("the audit log of case %s waits: %s", case, error)
            with self._lock:
                self._entries[case] = entries + self._entries[case]

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self.flush()

    def _run(self) -> None:
        while not self._over.wait(EVERY_S):
            self.flush()
