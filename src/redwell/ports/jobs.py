"""The jobs of one case and the workers on it. Each method is one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from redwell.core.jobs.job import Job, NewJob, WorkerRow
from redwell.core.jobs.run import NewRun


class Jobs(Protocol):
    def open_jobs(self) -> list[Job]: ...
    def ensure_job(self, batch: int, new: NewJob) -> int:
        """The open job of a batch; a new one, or the one that is there with what the new one brings along."""
        ...

    def start_job(self, batch: int, worker: str, layers: Mapping[str, str], run: NewRun | None = None) -> None:
        """The first worker makes it running; each one's run is kept."""
        ...

    def note_change(self, worker: str, changed: Mapping[str, Any]) -> None:
        """What the runs of a retry changed."""
        ...

    def served(self, batches: Sequence[int]) -> None:
        """They have had a turn just now."""
        ...

    def leave_jobs(self, batches: Sequence[int], worker: str) -> None: ...
    def begin_cancelling(self, batch: int) -> bool:
        """From now on nobody begins anything of the batch; False when it has no open job."""
        ...

    def cancel_some(self, batch: int) -> int:
        """Open rows of a batch end as CANCELLED; 0 when none is left."""
        ...

    def backlog(self) -> int:
        """Documents that are known and not done, of all batches."""
        ...


class Workers(Protocol):
    """Who is at work, as the rows know it."""

    def beat(self, row: WorkerRow) -> None: ...
    def remove_workers(self, keys: Sequence[str]) -> None: ...
    def workers(self) -> list[WorkerRow]: ...
