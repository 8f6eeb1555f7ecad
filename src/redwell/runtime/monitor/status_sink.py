"""The files of events as a listener of a case's journal (SPEC A16): each event is in them once, whatever is killed.

The case remembers how far they go. What a killed process wrote behind that is dropped before anything is added, and
written again; so a row is in no two files.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence

from redwell.core.events.event import Event, EventType
from redwell.core.events.monitor_alarms import Flow
from redwell.core.events.packed import EventRow
from redwell.core.events.statuses import LISTENER, USUAL, Buffer, is_due
from redwell.core.trip import trip
from redwell.ports.messaging.status_store import StatusStore
from redwell.runtime.bootstrap.open_journal import CaseJournal

_ENDS = frozenset({EventType.JOB_FINISHED, EventType.LOADER_FINISHED, EventType.IMPORT_CANCELLED})


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class StatusSink:
    """`at_once`: nothing is held back until there is more of it."""

    name = LISTENER

    def __init__(
        self,
        journal: CaseJournal,
        store: StatusStore,
        *,
        at_once: bool = False,
        now_ms: Callable[[], int] = _now_ms,
        buffer: Buffer = USUAL,
    ) -> None:
        self._journal, self._store, self._now_ms, self._buffer = journal, store, now_ms, buffer
        self._at_once, self._is_clean = at_once, False
        self._flow, self._counting = Flow(), threading.Lock()

    def take_flow(self) -> Flow:
        """What has flown since this was last asked."""
        with self._counting:
            taken, self._flow = self._flow, Flow()
        return taken

    def hear(self, rows: Sequence[EventRow]) -> Iterator[int]:
        ends = self._at_once or any(row.type in _ENDS for row in rows)
        if not is_due(len(rows), rows[0].packed.timestamp, self._now_ms(), ends=ends, buffer=self._buffer):
            return
        first = rows[0].id
        if not self._is_clean:
            self._store.drop_from(self._journal.number, first)
            self._is_clean = True
        events = self._events(rows)
        trip("statuses.before_files")
        self._keep(first, events)
        trip("statuses.after_files")
        yield rows[-1].id

    def _keep(self, first: int, events: Sequence[Event]) -> None:
        delivered = 0
        try:
            self._store.keep(self._journal.number, first, events)
            delivered = len(events)
        finally:
            self._count(received=len(events), delivered=delivered)

    def _events(self, rows: Sequence[EventRow]) -> list[Event]:
        """Of rows that are no events the others don't suffer."""
        try:
            return self._journal.log.unpack(rows)
        except (KeyError, ValueError) as error:
            if len(rows) > 1:
                return [event for row in rows for event in self._events([row])]
            self._store.refuse(
                type(error).__name__, self._journal.number, rows[0].id, rows[0].packed.to_json().encode()
            )
            self._count(received=1, refused=1)
            return []

    def _count(self, *, received: int = 0, delivered: int = 0, refused: int = 0) -> None:
        with self._counting:
            self._flow = self._flow.plus(received=received, delivered=delivered, refused=refused)

    def close(self) -> None:
        """Nothing is open between two calls."""
