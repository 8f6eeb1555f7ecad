"""The CaseStore on a SQL database. Each method is one transaction over the functions beside it."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql import (
    batches,
    contents,
    endings,
    jobs,
    leases,
    manifests,
    moves,
    occurrences,
    parked,
    queue_tables,
    reading,
    retries,
    volumes,
)
from redwell.adapters.sql.contents import Recipe
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.document_events import Journal
from redwell.adapters.sql.index_store import IndexStore
from redwell.adapters.sql.job_store import JobStore
from redwell.adapters.sql.outbox import prepare_outbox
from redwell.adapters.sql.schema import VERSION, case_info, metadata
from redwell.adapters.sql.settled import Limits, Settled
from redwell.adapters.sql.waiting import ROWS_PER_STEP
from redwell.core.errors import StaleClaim
from redwell.core.events import Event
from redwell.core.jobs import JobKind, NewJob
from redwell.core.ledger import Attempts
from redwell.core.records import Claim, Failure, Found, Member, Read, Reading, Result, Selection, ToRead, Walk
from redwell.core.trip import trip
from redwell.ports.case_store import NewBatch, Want


def create_case(database: Database, info: Mapping[str, str]) -> None:
    """The tables of a new case; those that are there stay as they are."""

    def work(tx: Connection) -> None:
        database.prepare(tx)
        metadata.create_all(tx)
        queue_tables.metadata.create_all(tx)
        prepare_outbox(tx)
        rows = [{"key": key, "value": value} for key, value in {**info, "schema": str(VERSION)}.items()]
        tx.execute(insert(case_info).on_conflict_do_nothing(), rows)

    database.write(work)


class SqlCaseStore(IndexStore, JobStore):
    def __init__(
        self,
        database: Database,
        worker: str,
        recipe: Recipe,
        *,
        limits: Limits,
        prefix: str,
        attempts: Attempts | None = None,
        document_events: bool = False,
    ) -> None:
        super().__init__(database)
        self._worker = worker
        self._recipe = recipe
        self._limits = limits
        self._prefix = prefix
        self._attempts = attempts or Attempts()
        self._journal = Journal(document_events)
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
            added = batches.add_found(tx, walk, found, self._prefix)
            self._journal.walked(tx, walk.batch, added)
            trip("walk.before_commit")
            return added

        added = self.database.write(work)
        trip("walk.after_commit")
        return added

    def close_walk(self, walk: Walk, last: Sequence[Found], listed: int) -> None:
        def work(tx: Connection) -> None:
            self._fence_walk(tx, walk)
            added = batches.add_found(tx, walk, last, self._prefix)
            batches.close_walk(tx, walk, listed)
            volumes.join_walk(tx, walk.id, self._recipe)
            self._journal.walked(tx, walk.batch, added, listed)
            trip("walk.before_close")

        self.database.write(work)
        trip("walk.after_close")

    def _fence_walk(self, tx: Connection, walk: Walk) -> None:
        if not batches.holds_walk(tx, walk):
            raise StaleClaim(f"the walk of {walk.locator} was taken over")

    def claim_reads(self, batch: int, limit: int) -> list[ToRead]:
        return self.database.write(lambda tx: reading.claim_reads(tx, batch, limit, self._worker))

    def record_reads(self, reads: Sequence[Read]) -> None:
        def work(tx: Connection) -> Settled:
            ahead = reading.record_reads(tx, reads, self._recipe)
            self._journal.read(tx, reads)
            settled = self._settle(tx, ahead)
            trip("read.before_commit")
            return settled

        settled = self.database.write(work)
        trip("read.after_commit")
        self.on_settled(settled)

    def claim_work(self, limit: int, max_bytes: int, want: Want | None = None) -> list[Claim]:
        def work(tx: Connection) -> list[Claim]:
            wants = [want] if want else [Want(batch=job.batch) for job in jobs.open_jobs(tx)]
            found = (leases.claim_work(tx, limit, max_bytes, each, self._worker) for each in wants)
            return next((claims for claims in found if claims), [])

        claims = self.database.write(work)
        trip("claim.after_commit")
        return claims

    def still_held(self, claims: Sequence[tuple[int, int]]) -> set[int]:
        with self.database.read() as tx:
            return {key for key, _ in leases.live_claims(tx, claims)}

    def record(self, members: Sequence[Member], results: Sequence[Result]) -> int:
        def work(tx: Connection) -> tuple[Settled, int]:
            said: tuple[Member | Result, ...] = (*members, *results)
            live = leases.live_claims(tx, {(s.derivation, s.attempt) for s in said})
            added = manifests.add_members(tx, members, live)
            ended = endings.finish(tx, results, live)
            self._journal.finished(tx, {r.derivation: r.outcome for r in results if r.derivation in ended})
            settled = self._settle(tx, added.touched | ended, added.readings)
            trip("record.before_commit")
            return settled, len(results) - len(ended)

        settled, dropped = self.database.write(work)
        trip("record.after_commit")
        self.on_settled(settled)
        return dropped

    def blame(self, failures: Sequence[Failure]) -> None:
        def work(tx: Connection) -> Settled:
            touched = endings.blame(tx, failures, self._attempts)
            self._journal.blamed(tx, failures)
            settled = self._settle(tx, touched)
            trip("blame.before_commit")
            return settled

        self.on_settled(self.database.write(work))

    def release(self, claims: Sequence[tuple[int, int]]) -> None:
        self.database.write(lambda tx: leases.release(tx, claims))

    def leave_containers(self, claims: Sequence[tuple[int, int]]) -> None:
        self.database.write(lambda tx: leases.leave_containers(tx, claims))

    def settle_some(self, batch: int | None = None) -> int:
        some = None if batch is None else self._ahead(batch)
        if some is not None and not some:
            return 0

        def work(tx: Connection) -> Settled:
            settled = occurrences.settle(tx, some, self._recipe, self._limits)
            self._journal.settled(tx, settled)
            trip("settle.before_commit")
            return settled

        settled = self.database.write(work)
        self.on_settled(settled)
        return settled.moved

    def _ahead(self, batch: int) -> set[int]:
        """Looks through all that waits if nothing is ahead: meanwhile others may write."""
        with self.database.read() as tx:
            return leases.ahead(tx, batch)

    def _settle(
        self, tx: Connection, derivations: set[int], readings: Mapping[contents.Key, Reading] | None = None
    ) -> Settled:
        """With some that earlier steps left over, so that a thousand copies of one content do not wait for the end."""
        some = derivations | set(islice(self._left_over, ROWS_PER_STEP))
        if not some:
            return Settled()
        settled = occurrences.settle(tx, some, self._recipe, self._limits, readings)
        self._left_over -= some
        self._left_over |= settled.left_over
        self._journal.settled(tx, settled)
        return settled

    def sweep(self, alive: Callable[[str], bool]) -> int:
        def work(tx: Connection) -> tuple[Settled, int]:
            swept, ended = moves.sweep(tx, alive, self._attempts)
            self._journal.blamed(tx, endings.end_abandoned(tx, ended))
            return self._settle(tx, {row["id"] for row in ended}), swept

        settled, swept = self.database.write(work)
        self.on_settled(settled)
        return swept

    def reopen(self, chosen: Selection, new: NewJob | None = None) -> int:
        return self.database.write(lambda tx: self._again(tx, retries.chosen_rows(tx, chosen), new))

    def retry_parked(self, keys: Sequence[int], new: NewJob) -> int:
        """Those among the keys that are parked, or all without keys; how many."""
        return self.database.write(lambda tx: self._again(tx, parked.parked_rows(tx, keys), new))

    def _again(self, tx: Connection, rows: Sequence[Mapping[str, Any]], new: NewJob | None) -> int:
        for batch in sorted(retries.reopen(tx, rows, self._recipe)):
            jobs.ensure(tx, batch, new or NewJob(kind=JobKind.RETRY))
        return len(rows)

    def finish_batch(self, batch: int) -> bool:
        def work(tx: Connection) -> bool:
            ended = jobs.finish(tx, batch)
            trip("finish.before_commit")
            return ended

        return self.database.write(work)

    def add_event(self, fact: Event) -> None:
        self.database.write(lambda tx: jobs.add_event(tx, fact))
