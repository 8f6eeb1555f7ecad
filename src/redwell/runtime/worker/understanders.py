"""The part of `redwell worker` that turns documents into data: a thread for each case that has something open.

Used by the worker's main thread. It is beside the slots: it waits for a model most of its time.
"""

import logging
import threading
import time
from pathlib import Path

from redwell.core.errors import Recoverable, RedwellError, UserError
from redwell.runtime.bootstrap.asked_ledgers import AskedLedgers
from redwell.runtime.bootstrap.cases.case_directory import Marked
from redwell.runtime.bootstrap.open_understanding import UnderstoodCase
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.logs import bind
from redwell.runtime.understanding.case_run import CaseUnderstanding

AGAIN_S = 5.0  # until a case that had nothing for us is looked at again
UNABLE_S = 60.0  # the model can't be had here: its key, its file
log = logging.getLogger(__name__)


class Understanders:
    def __init__(self, home: Path, settings: Settings) -> None:
        self._home, self._settings = home, settings
        self._threads: dict[str, threading.Thread] = {}
        self._works: dict[str, CaseUnderstanding] = {}
        self._paused: dict[str, float] = {}
        self._asked: dict[str, float] = {}
        self._waits: dict[str, float] = {}  # of an outage, said once: the last pause
        self._stopping = threading.Event()

    @property
    def is_busy(self) -> bool:
        return any(thread.is_alive() for thread in self._threads.values())

    def serve(self, case: Marked, ledgers: AskedLedgers, *, imports: bool) -> bool:
        """Whether the case has something open; a thread is at it then, unless it was just left alone.

        While imports are open it is asked now and then only: what they bring is understood behind them.
        """
        if self._settings.understand != "arrivals" or self._stopping.is_set():
            return False
        thread = self._threads.get(case.name)
        if thread and thread.is_alive():
            return True
        if imports and time.monotonic() < self._asked.get(case.name, 0.0) + AGAIN_S:
            return False
        self._asked[case.name] = time.monotonic()
        try:
            if not ledgers.has_understanding(case.folder):
                return False
        except RedwellError as error:
            log.debug("whether case %r has something to understand is not known: %s", case.name, error)
            return False
        if time.monotonic() >= self._paused.get(case.name, 0.0):
            self._threads[case.name] = threading.Thread(
                target=self._guarded, args=(case.name,), name=f"understanding of {case.name}", daemon=True
            )
            self._threads[case.name].start()
        return True

    def stop(self) -> None:
        """Take nothing new, finish what runs."""
        self._stopping.set()
        for work in list(self._works.values()):
            work.stop()

    def join(self, wait_s: float) -> None:
        """So long for what runs; then others may take it (SPEC B9)."""
        ends = time.monotonic() + wait_s
        for thread in self._threads.values():
            thread.join(max(0.0, ends - time.monotonic()))
        for name, work in list(self._works.items()):
            log.warning("what is in work of case %r is left to others", name)
            work.force()

    def _guarded(self, name: str) -> None:
        bind(case=name)
        pause_s = AGAIN_S
        try:
            self._understand(name)
            self._waits.pop(name, None)
        except Recoverable as error:
            if name not in self._waits:
                log.warning("the understanding of case %r waits: %s", name, error)
            pause_s = self._waits[name] = min(UNABLE_S, 2 * self._waits.get(name, AGAIN_S / 2))
        except UserError as error:
            log.warning("the understanding of case %r is for other workers: %s", name, error)
            pause_s = UNABLE_S
        except Exception:
            log.exception("the understanding of case %r failed; it is tried again", name)
        self._paused[name] = time.monotonic() + pause_s

    def _understand(self, name: str) -> None:
        with UnderstoodCase(self._home, name, self._settings) as case:
            work = self._works[name] = CaseUnderstanding(case)
            try:
                if self._stopping.is_set():
                    work.stop()
                work()
            finally:
                del self._works[name]
