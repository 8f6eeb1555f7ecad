"""The part of the CaseStore that batches, walks and readers ask, and how what they bring ahead is settled."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from sqlalchemy import Connection

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_exhibits import exhibit_rows, load_queue, settle
from redwell.adapters.sql_exhibits.load_store import LoadStore
from redwell.adapters.sql_exhibits.settle_rows import ROWS_PER_STEP
from redwell.adapters.sql_jobs import jobs
from redwell.adapters.sql_jobs.job_store import JobStore
from redwell.adapters.sql_ledger import (
    batches,
    claim_rows,
    contents,
    read_rows,
    volumes,
)
from redwell.adapters.sql_queues.event_journal import Notes, noted
from redwell.core.blobs import Stored
from redwell.core.case.settled import Limits, Settled
from redwell.core.errors import StaleClaim
from redwell.core.trip import trip
from redwell.core.work.kinds import Table, by_table
from redwell.core.work.recipe import Recipe
from redwell.core.work.records import Derived, Found, Read, ToRead, Walk
from redwell.ports.ledger import NewBatch


class IntakeStore(LoadStore, JobStore):
    def __init__(
        self,
        database: Database,
        worker: str,
        recipe: Recipe,
        *,
        limits: Limits,
        prefix: str,
        attempts: Table = by_table,
    ) -> None:
        super().__init__(database)
        self._worker = worker
        self._recipe = recipe
        self._limits = limits
        self._prefix = prefix
        self._attempts = attempts
        self._taker = claim_rows.Taker(worker, attempts)
        self._left_over: set[int] = set()  # a short cut only: `settle_some` finds them too
        self.on_settled: Callable[[Settled], None] = lambda _: None

    def create_batch(self, new: NewBatch) -> int:
        def work(tx: Connection) -> int:
            key = batches.create_batch(tx, new)
            jobs.ensure(tx, key, new.job)
            return key

        return self.database.write(work)

    def claim_walks(self, batch: int) -> list[Walk]:
        return self.database.write(lambda tx: batches.claim_walks(tx, batch, self._worker))

    def add_found(self, walk: Walk, found: Sequence[Found]) -> int:
        def work(tx: Connection) -> int:
            self._fence_walk(tx, walk)
            with noted(tx) as notes:
                added = self._add_files(tx, walk, found)
                notes.walked(walk.batch)
            trip("walk.before_commit")
            return added

        added = self.database.write(work)
        trip("walk.after_commit")
        return added

    def close_walk(self, walk: Walk, last: Sequence[Found], listed: int) -> None:
        def work(tx: Connection) -> None:
            self._fence_walk(tx, walk)
            with noted(tx) as notes:
                self._add_files(tx, walk, last)
                batches.close_walk(tx, walk, listed)
                volumes.join_walk(tx, walk.id, self._recipe)
                notes.walked(walk.batch, listed)
            trip("walk.before_close")

        self.database.write(work)
        trip("walk.after_close")

    def _add_files(self, tx: Connection, walk: Walk, found: Sequence[Found]) -> int:
        newest = exhibit_rows.newest(tx)
        added = batches.add_found(tx, walk, found)
        files = exhibit_rows.register_files(tx, walk.id, newest)
        load_queue.add_pending(tx, [file.id for file in files if file.is_done])
        return added

    def _fence_walk(self, tx: Connection, walk: Walk) -> None:
        if not batches.holds_walk(tx, walk):
            raise StaleClaim(f"the walk of {walk.locator} was taken over")

    def claim_reads(self, batch: int, limit: int) -> list[ToRead]:
        return self.database.write(lambda tx: read_rows.claim_reads(tx, batch, limit, self._worker))

    def record_reads(self, reads: Sequence[Read]) -> None:
        def work(tx: Connection) -> Settled:
            with noted(tx) as notes:
                recorded = read_rows.record_reads(tx, reads, self._recipe)
                exhibit_rows.hold_contents(tx, recorded.contents)
                notes.read(recorded.files)
                settled = self._settle(tx, notes, recorded.ahead)
            trip("read.before_commit")
            return settled

        settled = self.database.write(work)
        trip("read.after_commit")
        self.on_settled(settled)

    def add_contents(self, stored: Sequence[Stored]) -> None:
        self.database.write(lambda tx: contents.add_documents(tx, stored) and None)

    def settle_some(self, batch: int | None = None) -> int:
        some = None if batch is None else self._ahead(batch)
        if some is not None and not some:
            return 0

        def work(tx: Connection) -> Settled:
            with noted(tx) as notes:
                settled = settle.settle(tx, some, self._recipe, self._limits)
                notes.settled(settled)
            trip("settle.before_commit")
            return settled

        settled = self.database.write(work)
        self.on_settled(settled)
        return settled.moved

    def _ahead(self, batch: int) -> set[int]:
        """Looks through all that waits if nothing is ahead: meanwhile others may write."""
        with self.database.read() as tx:
            return claim_rows.ahead(tx, batch)

    def _settle(
        self,
        tx: Connection,
        notes: Notes,
        derivations: set[int],
        readings: Mapping[contents.Key, Derived] | None = None,
    ) -> Settled:
        """With some that earlier steps left over, so that a thousand copies of one content do not wait for the end."""
        some = derivations | set(islice(self._left_over, ROWS_PER_STEP))
        settled = settle.settle(tx, some, self._recipe, self._limits, readings) if some else Settled()
        self._left_over -= some
        self._left_over |= settled.left_over
        notes.settled(settled)
        return settled
