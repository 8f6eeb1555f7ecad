"""The CaseStore on a SQL database. Each method is one transaction over the functions beside it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from redwell.adapters.sql_exhibits import kept_counts, parts
from redwell.adapters.sql_jobs import jobs, uploaders
from redwell.adapters.sql_ledger import (
    claim_rows,
    claim_transitions,
    member_rows,
    open_renditions,
    parked_work,
    renditions,
    reopen,
    volumes,
    work_results,
)
from redwell.adapters.sql_ledger.intake_store import IntakeStore
from redwell.adapters.sql_queues.event_journal import noted
from redwell.core.blobs import Stored
from redwell.core.case.rows import OPEN
from redwell.core.case.settled import Settled
from redwell.core.jobs.job import JobKind, NewJob
from redwell.core.trip import trip
from redwell.core.work.kinds import Purpose
from redwell.core.work.records import Claim, Failure, Member, Result, Selection
from redwell.ports.ledger import Want


class SqlCaseStore(IntakeStore):
    def volume_files(self, derivation: int, numbers: Sequence[int]) -> dict[int, Stored]:
        with self.database.look() as tx:
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
        with self.database.look() as tx:
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
