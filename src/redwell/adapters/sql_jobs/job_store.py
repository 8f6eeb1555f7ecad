"""The part of the SQL case store that knows jobs and workers. Each method is one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from redwell.adapters.sql_jobs import jobs, runs, uploaders, workers
from redwell.adapters.sql_jobs.uploader_store import UploaderStore
from redwell.adapters.sql_ledger import cancel, parked_work
from redwell.adapters.sql_queues.event_journal import noted
from redwell.core.jobs.job import Job, NewJob, WorkerRow
from redwell.core.jobs.run import NewRun
from redwell.core.trip import trip

CANCELLED_PER_STEP = 1_000
PLACES = 100


class JobStore(UploaderStore):
    def open_jobs(self) -> list[Job]:
        with self.database.look() as tx:
            return jobs.open_jobs(tx)

    def ensure_job(self, batch: int, new: NewJob) -> int:
        return self.database.write(lambda tx: jobs.ensure(tx, batch, new))

    def start_job(self, batch: int, worker: str, layers: Mapping[str, str], run: NewRun | None = None) -> None:
        def work(tx: Connection) -> None:
            jobs.start(tx, batch, worker, layers, run)
            if self.views_itself:
                uploaders.begin_within(tx, batch)

        self.database.write(work)

    def note_change(self, worker: str, changed: Mapping[str, Any]) -> None:
        """What the runs of a retry changed."""
        self.database.write(lambda tx: runs.note_change(tx, worker, changed))

    def served(self, batches: Sequence[int]) -> None:
        self.database.write(lambda tx: jobs.served(tx, batches))

    def leave_jobs(self, batches: Sequence[int], worker: str) -> None:
        if batches:
            self.database.write(lambda tx: jobs.leave(tx, batches, worker))

    def backlog(self) -> int:
        """Documents that are known and not done, of all batches."""
        with self.database.read() as tx:
            return workers.backlog(tx)

    def begin_cancelling(self, batch: int) -> bool:
        return self.database.write(lambda tx: jobs.begin_cancelling(tx, batch))

    def cancel_some(self, batch: int) -> int:
        def work(tx: Connection) -> int:
            with noted(tx) as notes:
                ended = cancel.cancel_some(tx, batch, CANCELLED_PER_STEP)
                notes.cancelled(batch, [row["id"] for row in ended if not row["source"]])
            return len(ended)

        ended = self.database.write(work)
        trip("cancel.after_commit")
        return ended

    def beat(self, row: WorkerRow) -> None:
        self.database.write(lambda tx: workers.beat(tx, row))

    def remove_workers(self, keys: Sequence[str]) -> None:
        if keys:
            self.database.write(lambda tx: workers.remove(tx, keys))

    def workers(self) -> list[WorkerRow]:
        with self.database.read() as tx:
            return workers.workers(tx)

    def identity_of(self, derivation: int) -> dict[str, Any]:
        """What a log line says about the occurrences of a content."""
        with self.database.read() as tx:
            return parked_work.identity(tx, derivation, PLACES)
