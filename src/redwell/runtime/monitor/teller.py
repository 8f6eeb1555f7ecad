"""Tells a listener the events of a case, each at least once and in order (SPEC A14, A18).

The case remembers how far a listener has heard. While it is away the work goes on and the events wait; what is left
when the process ends is told by the next one that works on the case, by any worker of the home (late_telling), or by
`redwell parked retry --posts`.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from redwell.core.errors import Recoverable
from redwell.core.events.packed import EventRow
from redwell.core.work.polling import EmptyPolls
from redwell.ports.case_folder import Lock
from redwell.runtime.bootstrap.open_journal import CaseJournal
from redwell.runtime.monitor.outages import Outages

POLL_S = 0.5  # while somebody listens
IDLE_S = 5.0  # the longest while nobody does; who subscribes does so soon after the work has begun
AT_ONCE = 500  # rows
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
log = logging.getLogger(__name__)


class Listener(Protocol):
    @property
    def name(self) -> str:
        """By which the case remembers how far it has heard."""
        ...

    def hear(self, rows: Sequence[EventRow]) -> Iterator[int]:
        """Tells them; yields the last row that it has heard of, now and then. Recoverable: it is away.

        It may stop before the last one: there is nobody to hear it yet.
        """
        ...

    def close(self) -> None: ...


class Teller:
    """`on_left` is called when something is left to be told in the end; `last_words_s` is how long that is tried."""

    def __init__(
        self,
        journal: CaseJournal,
        listener: Listener,
        last_words_s: float = 0.0,
        on_left: Callable[[], None] = lambda: None,
    ) -> None:
        self._journal, self._listener = journal, listener
        self._last_words_s, self._on_left = last_words_s, on_left
        self._stop = threading.Event()
        self._lock: Lock | None = None
        self._outages = Outages()
        self._pauses = EmptyPolls(FIRST_PAUSE_S, LONGEST_PAUSE_S)
        self._idle_pauses = EmptyPolls(POLL_S / 4, IDLE_S)

    def run(self) -> None:
        """Until `stop`, and then what is left if somebody answers soon."""
        try:
            while not self._stop.is_set():
                self._stop.wait(self._tell_or_wait())
            self._say_last_words()
        finally:
            self.close()

    def stop(self) -> None:
        self._stop.set()

    def tell(self) -> float:
        """What is new, if no other process is at it; the pause until the next look. Recoverable: it is away."""
        who, events = self._listener.name, self._journal.log
        self._lock = self._lock or self._journal.lock(who)
        while self._lock and (rows := events.rows(events.told(who), AT_ONCE)):
            heard = 0
            for heard in self._listener.hear(rows):
                events.tell_up_to(who, heard)
            if heard < rows[-1].id:
                return self._idle_pauses.nothing(idle=True)
        self._idle_pauses.found()
        self._outages.back(self._what)
        return POLL_S

    def close(self) -> None:
        if self._lock:
            self._lock.release()
            self._lock = None
        self._listener.close()

    @property
    def _what(self) -> str:
        return f"case {self._journal.name!r}: {self._listener.name}"

    def _tell_or_wait(self) -> float:
        """The pause until the next look; it grows while the listener is away."""
        try:
            pause_s = self.tell()
        except Recoverable as error:
            self._outages.away(self._what, error)
            return self._pauses.nothing(idle=True)
        self._pauses.found()
        return pause_s

    def _say_last_words(self) -> None:
        deadline = time.monotonic() + self._last_words_s
        while True:
            try:
                self.tell()
                return
            except Recoverable as error:
                if time.monotonic() >= deadline:
                    log.warning("%s: %s; the next import or worker of the case tells the rest", self._what, error)
                    self._on_left()
                    return
            time.sleep(POLL_S)
