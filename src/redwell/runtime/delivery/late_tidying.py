"""What was left standing of batches that are over: queues, where whoever worked on them was stopped before it had seen
them empty twice (SPEC A19), and uploaders that were killed at work. A thread of a worker sees to them.

Each case is looked at once when the worker begins, and again when somebody has worked on it.
"""

import logging
import threading
import time
from contextlib import closing
from pathlib import Path

from redwell.core.errors import Recoverable, RedwellError
from redwell.core.jobs.loader_life import is_leftover
from redwell.core.viewing.uploader_life import has_leftovers
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.open_reader import open_reader
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.delivery.case_queues import leftovers_of, queues_of
from redwell.runtime.delivery.task_queues import LOOKS, empty_s
from redwell.runtime.monitor.listeners import tell_now
from redwell.runtime.viewing.uploading import uploading_of

AGAIN_S = 5.0  # after a failure
log = logging.getLogger(__name__)


class LateTidying:
    """`note` names a case; it is looked at until nothing of it is left."""

    def __init__(self, home: Path, settings: Settings) -> None:
        self._home, self._settings = home, settings
        self._has_viewer = settings.viewer != "builtin"
        self._noted: set[str] = set()
        self._lock = threading.Lock()
        self._news, self._stop = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="late tidying", daemon=True)
        if settings.queue != "ledger" or self._has_viewer:
            self._thread.start()

    def note(self, name: str) -> None:
        if self._thread.is_alive():
            with self._lock:
                self._noted.add(name)
            self._news.set()

    @property
    def is_busy(self) -> bool:
        return bool(self._noted)

    def stop(self) -> None:
        self._stop.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._news.wait(AGAIN_S if self._noted else None)
            self._news.clear()
            for name in sorted(self._noted):
                if not self._stop.is_set() and self._is_tidy(name):
                    with self._lock:
                        self._noted.discard(name)

    def _is_tidy(self, name: str) -> bool:
        """Whether it need not be looked at again; one that can't be opened is left to `redwell gc`."""
        try:
            return not self._has_leftovers(name) or self._take_away(name)
        except Recoverable as error:
            log.debug("queues of case %r: %s", name, error)
            return False
        except RedwellError as error:
            log.warning("queues of case %r stay: %s", name, error)
            return True

    def _has_leftovers(self, name: str) -> bool:
        with open_reader(self._home, name, self._settings) as case:
            is_open = {job.batch for job in case.rows.jobs(every=False)}
            lives = case.rows.loaders()
            left = bool(case.rows.queues() and not is_open) or any(map(is_leftover, lives.values()))
            return left or (self._has_viewer and has_leftovers(case.rows.uploaders(), is_open))

    def _take_away(self, name: str) -> bool:
        with open_case(self._home, name, self._settings, guest=True) as case:
            with queues_of(case) as queues:
                left = queues.look() if queues else 0
                while left and queues and not self._stop.wait(pause_s(case)):
                    left = queues.look()
            return finish_uploaders(case, self._stop) and not left


def finish_uploaders(case: Case, stopping: threading.Event) -> bool:
    """Hand over what killed imports have left; False where it is not all done, or another process is at it."""
    for uploading in uploading_of(case):
        with closing(uploading):
            return uploading.finish_left(lambda: tell_now(case), stopping)
    return True


def pause_s(case: Case) -> float:
    """Between two looks."""
    return max(0.05, empty_s(case) / LOOKS)


def take_away_queues(case: Case, *, dry_run: bool) -> int:
    """How many queues of batches that are over stood there; they are gone unless `dry_run` or somebody uses them."""
    found = left = leftovers_of(case)
    if dry_run or not found:
        return found
    deadline = time.monotonic() + 3 * empty_s(case) + 1
    with queues_of(case) as queues:
        while queues and (left := queues.look()) and time.monotonic() < deadline:
            time.sleep(pause_s(case))
    return found - left
