"""What was left to be told of cases on which nobody works any more: an endpoint or a bus was away. A worker's thread.

Each case is looked at once when the worker begins, and again when somebody has worked on it.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from redwell.core.errors import Recoverable, RedwellError
from redwell.runtime.bootstrap.open_journal import CaseJournal, open_journal
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.outages import Outages
from redwell.runtime.monitor.teller import FIRST_PAUSE_S, LONGEST_PAUSE_S, Listener, Teller

log = logging.getLogger(__name__)
Listeners = Callable[[CaseJournal, Settings], list[Listener]]


class LateTelling:
    """`note` names a case; it is looked at until everything of it is told."""

    def __init__(self, settings: Settings, listeners: Listeners) -> None:
        self._settings, self._listeners = settings, listeners
        self._outages = Outages()
        self._noted: dict[str, Path] = {}
        self._lock = threading.Lock()
        self._news, self._stop = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="late telling", daemon=True)
        self._thread.start()

    def note(self, name: str, folder: Path) -> None:
        with self._lock:
            self._noted[name] = folder
        self._news.set()

    def stop(self) -> None:
        self._stop.set()
        self._news.set()
        self._thread.join()

    def _run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._stop.is_set():
            self._news.wait(pause_s if self._noted else None)
            self._news.clear()
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S) if self._tell_all() else FIRST_PAUSE_S

    def _tell_all(self) -> bool:
        """Whether something is left."""
        with self._lock:
            noted, self._noted = self._noted, {}
        for name, folder in noted.items():
            if self._stop.is_set() or not self._tell(name, folder):
                with self._lock:
                    self._noted.setdefault(name, folder)
        return bool(self._noted)

    def _tell(self, name: str, folder: Path) -> bool:
        what = f"what is left to be told of case {name!r}"
        try:
            with open_journal(name, folder, self._settings) as journal:
                if journal:
                    self._tell_listeners(journal)
        except Recoverable as error:
            self._outages.away(what, error)
            return False
        except RedwellError as error:
            log.warning("%s: %s", what, error)
        self._outages.back(what)
        return True

    def _tell_listeners(self, journal: CaseJournal) -> None:
        for listener in self._listeners(journal, self._settings):
            with closing(Teller(journal, listener)) as teller:
                teller.tell()
