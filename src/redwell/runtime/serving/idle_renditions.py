"""PDFs that are lazy are made while `redwell serve` has nothing else to do, so that opening a document waits for none.

Runs in a thread of the worker beside the server, which then works on what was asked for. Such a job is of a kind of its
own and of the lowest priority. Images of pages are not made: a page is drawn when somebody looks (ADR 77).
"""

import logging
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from redwell.core.case.rendition_states import RenditionState, rendition_states
from redwell.core.case.rows import Exhibit
from redwell.core.errors import RedwellError
from redwell.core.jobs.job import JobKind
from redwell.core.work.renderers import Goal
from redwell.ports.case_reader import CaseReader
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.open_reader import Reader, open_readers
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.upkeep import rendering

AT_ONCE = 500  # exhibits: who wants the batch meanwhile waits for these at most
LOOK_S = 2.0
MB = 1 << 20
log = logging.getLogger(__name__)


class IdleRenditions:
    """`is_idle` says whether the worker has nothing to do."""

    def __init__(self, home: Path, settings: Settings, is_idle: Callable[[], bool]) -> None:
        self._home, self._settings, self._is_idle = home, settings, is_idle
        self._seen: dict[str, tuple[int, str | None]] = {}  # by case: after how many jobs, and up to where

    def run(self, stopping: threading.Event) -> None:
        """Until it is told to stop; with `idle_s=0` nothing is done."""
        since, wait_s = time.monotonic(), float(self._settings.idle_s)
        while self._settings.idle_s and not stopping.wait(LOOK_S):
            if not self._is_idle():
                since = time.monotonic()
            elif time.monotonic() - since >= wait_s:
                wait_s = 0.0 if self._asked() else float(self._settings.idle_s)
                since = time.monotonic()

    def _asked(self) -> bool:
        try:
            return self.step()
        except RedwellError as error:  # of a case that is away, or that another machine keeps
            log.warning("nothing is rendered in idle time now: %s", error)
            return False

    def step(self) -> bool:
        """Ask for some that were never made; whether there were any. None while anybody works on a job."""
        for reader in open_readers(self._home, self._settings):
            if reader.rows.jobs(every=False):
                return False
        return any(self._step_in(reader) for reader in open_readers(self._home, self._settings))

    def _step_in(self, reader: Reader) -> bool:
        if shutil.disk_usage(self._home).free < 2 * self._settings.reserve_mb * MB:
            return False
        rows, name = reader.rows, reader.rows.info().name
        begun = sum(job.kind is not JobKind.IDLE for job in rows.jobs(every=True))
        known, after = self._seen.get(name, (begun, None))
        after = after if known == begun else None
        while after != _END:
            page = rows.page(after=after, limit=AT_ONCE)
            after = page.after or _END
            self._seen[name] = begun, after
            if (numbers := _lazy(rows, page.exhibits)) and self._ask(name, numbers):
                return True
        return False

    def _ask(self, name: str, numbers: Sequence[str]) -> bool:
        settings = rendering.eager_for(self._settings, [Goal.PDF])
        with open_case(self._home, name, settings) as case:
            return bool(rendering.ask(case, numbers, rendering.in_idle_time(case)))


_END = ""


def _lazy(rows: CaseReader, exhibits: Sequence[Exhibit]) -> list[str]:
    settings = {batch.id: batch.settings for batch in rows.batches()}
    parts = rows.parts([exhibit.id for exhibit in exhibits])
    return [
        exhibit.control_number
        for exhibit in exhibits
        if rendition_states(parts.get(exhibit.id, []), settings.get(exhibit.batch, {}))[Goal.PDF] == RenditionState.LAZY
    ]
