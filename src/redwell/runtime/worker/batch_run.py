"""One batch in this process: `redwell import`, `resume` and `retry` run it to its end, beside whatever else runs.

It serves every open job of the case by its turn, reads the sources of its own, and ends with its own.
"""

import os
import time
from collections.abc import Callable

from redwell.core.work.capacity import Capacity
from redwell.core.work.kinds import Phase
from redwell.core.work.transitions import Standing
from redwell.processing.results import Status
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.worker.case_worker import CaseWorker
from redwell.runtime.worker.other_workers import Heartbeat
from redwell.runtime.worker.progress import Progress
from redwell.runtime.worker.served_jobs import Scope
from redwell.runtime.worker.slots import Slots

NAMED_S = 0.2
PARTS_S = 4.0


class BatchRun:
    """`on_tick` is called about ten times a second with the progress. `stop` drains; it is not undone."""

    def __init__(
        self,
        case: Case,
        batch: int,
        on_tick: Callable[[Progress], None] | None = None,
        kind: str = "import",
        milestone: Standing = Standing.OVER,
    ) -> None:
        settings = case.settings
        self._case, self._batch, self._on_tick = case, batch, on_tick
        self._counts_parts_at = time.monotonic() + PARTS_S
        self._heartbeat = Heartbeat(settings.lease_s)
        slots = Slots(Capacity(settings.slots or os.cpu_count() or 1, large=settings.large_weight), settings.ageing_s)
        scope = Scope(kind=kind, reads=lambda job: job.batch == batch, until=batch, milestone=milestone)
        self._work = CaseWorker(case, slots, self._heartbeat, scope)
        self._work.on_tick = self._tick
        self.progress = self._work.progress.of(batch)
        self.progress.go_on_from(case.store.open_rows(batch))

    def stop(self) -> None:
        """Take nothing new, finish what runs."""
        self._work.stop()

    def __call__(self) -> bool:
        """True when the batch is over; False when the run was stopped before."""
        try:
            return self._work()
        finally:
            self._heartbeat.stop()

    def _tick(self, work: CaseWorker) -> None:
        if self._on_tick:
            self._look_at_parts()
            self.progress.children = [self._at_work(status) for status in work.pool.status()]
            self._on_tick(self.progress)

    def _look_at_parts(self) -> None:
        """How much of renditions and recognition is left; counted seldom."""
        if self._case.recipe.renditions and time.monotonic() >= self._counts_parts_at:
            renditions, recognitions = self._case.store.open_parts(self._batch)
            self.progress.parts[Phase.RENDITION].left = renditions
            self.progress.parts[Phase.OCR].left = recognitions
            self._counts_parts_at = time.monotonic() + PARTS_S

    def _at_work(self, status: Status) -> str:
        """What a child is on and for how long; a name is looked up only where a person could read it."""
        since = max(0.0, time.monotonic() - status.since)  # one that waited for us began later than it did
        if status.task is None or since < NAMED_S:
            return f"{since:6.1f} s"
        return f"{since:6.1f} s  {self._case.store.a_path_of(status.task) or ''}"
