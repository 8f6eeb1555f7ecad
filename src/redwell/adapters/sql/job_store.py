"""The part of the SQL case store that knows jobs and workers. Each method is one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from redwell.adapters.sql import cancelling, jobs, parked, posts, workers
from redwell.adapters.sql.views import CaseViews
from redwell.core.jobs import Job, NewJob, WorkerRow
from redwell.core.trip import trip

CANCELLED_PER_STEP = 1_000
PLACES = 100


class JobStore(CaseViews):
    def open_jobs(self) -> list[Job]:
        with self.database.read() as tx:
            return jobs.open_jobs(tx)

    def all_jobs(self) -> list[Job]:
        with self.database.read() as tx:
            return jobs.all_jobs(tx)

    def ensure_job(self, batch: int, new: NewJob) -> int:
        return self.database.write(lambda tx: jobs.ensure(tx, batch, new))

    def start_job(self, batch: int, worker: str, layers: Mapping[str, str]) -> None:
        self.database.write(lambda tx: jobs.start(tx, batch, worker, layers))

    def served(self, batches: Sequence[int]) -> None:
        self.database.write(lambda tx: jobs.served(tx, batches))

    def leave_jobs(self, batches: Sequence[int], worker: str) -> None:
        if batches:
            self.database.write(lambda tx: jobs.leave(tx, batches, worker))

    def told(self, who: str) -> int:
        """The last event that a listener has heard of, or that was parked."""
        with self.database.read() as tx:
            return posts.told(tx, who)

    def tell_up_to(self, who: str, event: int) -> None:
        self.database.write(lambda tx: posts.tell_up_to(tx, who, event))

    def park_post(self, event: int, detail: str) -> None:
        self.database.write(lambda tx: posts.park(tx, event, detail))

    def unpark_post(self, event: int) -> None:
        self.database.write(lambda tx: posts.unpark(tx, event))

    def parked_posts(self) -> list[dict[str, Any]]:
        with self.database.read() as tx:
            return posts.parked(tx)

    def backlog(self) -> int:
        """Documents that are known and not done, of all batches."""
        with self.database.read() as tx:
            return workers.backlog(tx)

    def begin_cancelling(self, batch: int) -> bool:
        return self.database.write(lambda tx: jobs.begin_cancelling(tx, batch))

    def cancel_some(self, batch: int) -> int:
        ended = self.database.write(lambda tx: cancelling.cancel_some(tx, batch, CANCELLED_PER_STEP))
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

    def at_work(self) -> dict[str, dict[str, Any]]:
        with self.database.read() as tx:
            return workers.at_work(tx)

    def parked(self) -> list[dict[str, Any]]:
        with self.database.read() as tx:
            return list(parked.parked(tx))

    def identity_of(self, derivation: int) -> dict[str, Any]:
        """What a log line says about the occurrences of a content."""
        with self.database.read() as tx:
            return parked.identity(tx, derivation, PLACES)

    def places(self, derivation: int) -> list[dict[str, Any]]:
        with self.database.read() as tx:
            return parked.places(tx, derivation, PLACES)
