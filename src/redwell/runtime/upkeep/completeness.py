"""How finished a case is. Asked by every command that answers from one, before it looks."""

from typing import Protocol

from redwell.core.case.completeness import Completeness
from redwell.core.errors import NotFound
from redwell.core.jobs.job import GC, WorkerRow
from redwell.ports.case_reader import CaseReader


class LookedAt(Protocol):
    """A case that is open for work, or only to be looked at."""

    @property
    def name(self) -> str: ...
    @property
    def rows(self) -> CaseReader: ...
    def state_of(self, worker: WorkerRow) -> str: ...


def completeness(case: LookedAt) -> Completeness:
    return case.rows.completeness(is_at_work(case))


def is_at_work(case: LookedAt) -> bool:
    """Whether a process works on the case; of one on another machine it is believed that it lives."""
    return any(row.kind != GC and case.state_of(row) != "dead" for row in case.rows.workers())


def check_batch(case: LookedAt, batch: int) -> None:
    if batch not in {row.id for row in case.rows.batches()}:
        raise NotFound(f"case {case.name!r} has no batch {batch}")
