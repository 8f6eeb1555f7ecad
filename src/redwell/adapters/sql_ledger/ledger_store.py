"""The CaseStore on a SQL database. Each method is one transaction over the functions beside it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, inspect
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql import overlay_tables, production_tables, review_tables, understanding_tables
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.schema_version import VERSION
from redwell.adapters.sql.tables import case_info, metadata
from redwell.adapters.sql_exhibits import exhibit_rows, kept_counts, load_queue, parts, settle
from redwell.adapters.sql_exhibits.load_store import LoadStore
from redwell.adapters.sql_exhibits.settle_rows import ROWS_PER_STEP
from redwell.adapters.sql_jobs import jobs, uploaders
from redwell.adapters.sql_jobs.job_store import JobStore
from redwell.adapters.sql_ledger import (
    batches,
    claim_rows,
    claim_transitions,
    contents,
    member_rows,
    open_renditions,
    parked_work,
    read_rows,
    renditions,
    reopen,
    volumes,
    work_results,
)
from redwell.adapters.sql_queues import queue_tables
from redwell.adapters.sql_queues.event_journal import Notes, noted
from redwell.adapters.sql_queues.outbox import prepare_outbox
from redwell.core.blobs import Stored
from redwell.core.case.rows import OPEN
from redwell.core.case.settled import Limits, Settled
from redwell.core.errors import StaleClaim
from redwell.core.jobs.job import JobKind, NewJob
from redwell.core.trip import trip
from redwell.core.work.kinds import Purpose, Table, by_table
from redwell.core.work.recipe import Recipe
from redwell.core.work.records import Claim, Derived, Failure, Found, Member, Read, Result, Selection, ToRead, Walk
from redwell.ports.ledger import NewBatch, Want


def create_case(database: Database, info: Mapping[str, str]) -> None:
    """The tables of a new case. One that is there stays as it is, also where it is of an older release."""

    def work(tx: Connection) -> None:
        database.prepare(tx)
        if inspect(tx).has_table(case_info.name):
            return
        metadata.create_all(tx)
        review_tables.metadata.create_all(tx)
        production_tables.metadata.create_all(tx)
        understanding_tables.metadata.create_all(tx)
        overlay_tables.metadata.create_all(tx)
        queue_tables.metadata.create_all(tx)
        prepare_outbox(tx)
        rows = [{"key": key, "value": value} for key, value in {**info, "schema": str(VERSION)}.items()]
        tx.execute(insert(case_info).on_conflict_do_nothing(), rows)

    database.write(work)


class SqlCaseStore(LoadStore, JobStore):
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

    def volume_files(self, derivation: int, numbers: Sequence[int]) -> dict[int, Stored]:
        with self.database.read() as tx:
            return volumes.files_of(tx, derivation, numbers)

    def claim_work(self, limit: int, max_bytes: int, want: Want | None = None) -> list[Claim]:
        def work(tx: Connection) -> list[Claim]:
            wants = [want] if want else [Want(batch=job.batch) for job in jobs.open_jobs(tx)]
            found = (claim_rows.claim_work(tx, limit, max_bytes, each, self._taker) for each in wants)
            return next((claims for claims in found if claims), [])

        claims = self.database.write(work)
        trip("claim.after_commit")
        return claims

    def still_held(self, claims: Sequence[tuple[int, int]]) -> set[int]:
        with self.database.read() as tx:
            return {key for key, _ in claim_rows.live_claims(tx, claims)}

    def record(self, members: Sequence[Member], results: Sequence[Result]) -> int:
        def work(tx: Connection) -> tuple[Settled, int]:
            said: tuple[Member | Result, ...] = (*members, *results)
            live = claim_rows.live_claims(tx, {(s.derivation, s.attempt) for s in said})
            with noted(tx) as notes:
                added = member_rows.add_members(tx, members, live)
                again = work_results.try_plainly(tx, results, live, self._attempts)
                notes.blamed(again)
                over = [r for r in results if r.derivation not in {failure.derivation for failure in again}]
                ended = work_results.finish(tx, over, live)
                taken = [r for r in over if r.derivation in ended and (r.derivation, r.attempt) in live]
                notes.finished({r.derivation: r.outcome for r in taken}, is_published=self.views_itself)
                self._follow(tx, [live[r.derivation, r.attempt] for r in taken])
                settled = self._settle(tx, notes, added.touched | ended, added.readings)
            trip("record.before_commit")
            return settled, len(over) - len(ended)

        settled, dropped = self.database.write(work)
        trip("record.after_commit")
        self.on_settled(settled)
        return dropped

    def _follow(self, tx: Connection, ended: Sequence[claim_rows.Held]) -> None:
        """What can be made of the artifacts that are there now; exhibits are shown by what became of their parts."""
        if later := [row.id for row in ended if row.purpose != Purpose.READ]:
            self._parts_ended(tx, later)

    def _parts_ended(self, tx: Connection, works: Iterable[int]) -> None:
        if ended := renditions.ended_among(tx, works):
            renditions.renditions_ended(tx, ended, self._recipe)
            parts.load_all_with(tx, [each.document for each in ended if each.changes_exhibits])

    def blame(self, failures: Sequence[Failure]) -> None:
        def work(tx: Connection) -> Settled:
            with noted(tx) as notes:
                touched = work_results.blame(tx, failures, self._attempts)
                notes.blamed(failures)
                self._parts_ended(tx, touched)
                settled = self._settle(tx, notes, touched)
            trip("blame.before_commit")
            return settled

        self.on_settled(self.database.write(work))

    def release(self, claims: Sequence[tuple[int, int]]) -> None:
        self.database.write(lambda tx: claim_rows.release(tx, claims))

    def leave_containers(self, claims: Sequence[tuple[int, int]]) -> None:
        self.database.write(lambda tx: claim_rows.leave_containers(tx, claims))

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

    def sweep(self, alive: Callable[[str], bool]) -> int:
        def work(tx: Connection) -> tuple[Settled, int]:
            swept, ended = claim_transitions.sweep(tx, alive, self._attempts)
            if not ended:
                return Settled(), swept
            with noted(tx) as notes:
                notes.blamed(work_results.end_abandoned(tx, ended))
                self._parts_ended(tx, [row["id"] for row in ended])
                return self._settle(tx, notes, {row["id"] for row in ended}), swept

        settled, swept = self.database.write(work)
        self.on_settled(settled)
        return swept

    def reopen(self, chosen: Selection, new: NewJob | None = None) -> int:
        return self.database.write(lambda tx: self._again(tx, reopen.chosen_rows(tx, chosen), new))

    def want_parts(self, exhibits: Sequence[int], new: NewJob) -> set[int]:
        """What the recipe asks for of exhibits that have ended, and what could not be done here before: the batches
        that have such work open now."""

        def work(tx: Connection) -> set[int]:
            wanted = renditions.ended_exhibits(tx, exhibits)
            with noted(tx) as notes:
                rows = renditions.unable(tx, {document for document, _ in wanted}, self._recipe)
                reopen.reopen(tx, rows, self._recipe)
                parts.load_all_with(tx, [row["document"] for row in rows])
                notes.reopened(row["id"] for row in rows)
                renditions.want_renditions(tx, wanted, self._recipe)
                batches_at_it = {batch for _, batch in wanted if open_renditions.is_rendering(tx, batch)}
                for batch in sorted(batches_at_it):
                    jobs.ensure(tx, batch, new)
            trip("want.before_commit")
            return batches_at_it

        return self.database.write(work)

    def retry_parked(self, keys: Sequence[int], new: NewJob) -> int:
        """Those among the keys that are parked, or all without keys; how many."""
        return self.database.write(lambda tx: self._again(tx, parked_work.parked_rows(tx, keys), new))

    def _again(self, tx: Connection, rows: Sequence[Mapping[str, Any]], new: NewJob | None) -> int:
        with noted(tx) as notes:
            for batch in sorted(reopen.reopen(tx, rows, self._recipe)):
                jobs.ensure(tx, batch, new or NewJob(kind=JobKind.RETRY))
            parts.load_all_with(tx, [row["document"] for row in rows if row["purpose"] != Purpose.READ])
            notes.reopened(row["id"] for row in rows)
        return len(rows)

    def finish_batch(self, batch: int) -> bool:
        mark = self.database.write(lambda tx: kept_counts.begin(tx, batch))
        outcomes = self.outcomes_in(batch)  # before: it looks at every exhibit of the batch, and others want to write
        if OPEN in outcomes:
            return False

        def work(tx: Connection) -> bool:
            ended = jobs.finish(tx, batch, outcomes)
            if ended:
                kept_counts.keep(tx, batch, mark, outcomes)
            if ended and self.views_itself:
                uploaders.end_within(tx, batch)
            trip("finish.before_commit")
            return ended

        return self.database.write(work)
