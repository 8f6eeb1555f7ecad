"""The CaseStore on one SQLite file. Each method is one transaction over the functions beside it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from redwell.adapters.sqlite import (
    batches,
    contents,
    endings,
    leases,
    looking,
    manifests,
    occurrences,
    pending,
    reading,
)
from redwell.adapters.sqlite.audit import Audit
from redwell.adapters.sqlite.contents import Recipe
from redwell.adapters.sqlite.database import Database
from redwell.adapters.sqlite.occurrences import Limits, Settled
from redwell.adapters.sqlite.schema import VERSION, blob, case_info, event, metadata
from redwell.core.blobs import Location
from redwell.core.errors import StaleClaim, UserError
from redwell.core.events import Event
from redwell.core.ledger import Attempts, OpenRows
from redwell.core.records import Claim, Failure, Found, Member, Read, Result, ToRead, Walk
from redwell.core.trip import trip
from redwell.ports.case_store import NewBatch


class SqliteCaseStore:
    def __init__(
        self, path: Path, worker: str, recipe: Recipe, *, limits: Limits, prefix: str, attempts: Attempts | None = None
    ) -> None:
        self.database = Database(path)
        self._worker = worker
        self._recipe = recipe
        self._limits = limits
        self._prefix = prefix
        self._attempts = attempts or Attempts()
        self._left_over: set[int] = set()  # a short cut only: `settle_some` finds them too
        self.on_settled: Callable[[Settled], None] = lambda _: None

    @staticmethod
    def create(path: Path, info: Mapping[str, str]) -> None:
        """A new case file; an existing one is left as it is."""
        database = Database(path)
        try:
            with database.write() as tx:
                metadata.create_all(tx)
                rows = [{"key": k, "value": v} for k, v in {**info, "schema": str(VERSION)}.items()]
                tx.execute(insert(case_info).prefix_with("OR IGNORE"), rows)
        finally:
            database.close()

    def info(self) -> dict[str, str]:
        with self.database.read() as tx:
            info = {row.key: row.value for row in tx.execute(select(case_info))}
        if info["schema"] != str(VERSION):
            raise UserError(
                f"this case has schema {info['schema']}, this Redwell reads {VERSION}; use the same release"
            )
        return info

    def create_batch(self, new: NewBatch) -> int:
        with self.database.write() as tx:
            return batches.create_batch(tx, new)

    def claim_walks(self, batch: int) -> list[Walk]:
        with self.database.write() as tx:
            return batches.claim_walks(tx, batch, self._worker)

    def add_found(self, walk: Walk, found: Sequence[Found]) -> int:
        with self.database.write() as tx:
            self._fence_walk(tx, walk)
            added = batches.add_found(tx, walk, found, self._prefix)
            trip("walk.before_commit")
        trip("walk.after_commit")
        return added

    def close_walk(self, walk: Walk, last: Sequence[Found], listed: int) -> None:
        with self.database.write() as tx:
            self._fence_walk(tx, walk)
            batches.add_found(tx, walk, last, self._prefix)
            batches.close_walk(tx, walk, listed)
            trip("walk.before_close")
        trip("walk.after_close")

    def _fence_walk(self, tx: Connection, walk: Walk) -> None:
        if not batches.holds_walk(tx, walk):
            raise StaleClaim(f"the walk of {walk.locator} was taken over")

    def claim_reads(self, batch: int, limit: int) -> list[ToRead]:
        with self.database.write() as tx:
            return reading.claim_reads(tx, batch, limit, self._worker)

    def known_blobs(self, sha256s: Sequence[bytes]) -> dict[bytes, Location]:
        with self.database.read() as tx:
            return contents.known_blobs(tx, sha256s)

    def record_reads(self, reads: Sequence[Read]) -> None:
        with self.database.write() as tx:
            settled = self._settle(tx, reading.record_reads(tx, reads, self._recipe))
            trip("read.before_commit")
        trip("read.after_commit")
        self.on_settled(settled)

    def claim_work(self, limit: int, max_bytes: int) -> list[Claim]:
        with self.database.write() as tx:
            claims = leases.claim_work(tx, limit, max_bytes, self._worker)
        trip("claim.after_commit")
        return claims

    def record(self, members: Sequence[Member], results: Sequence[Result]) -> int:
        with self.database.write() as tx:
            touched = manifests.add_members(tx, members)
            ended, dropped = endings.finish(tx, results)
            settled = self._settle(tx, touched | ended)
            trip("record.before_commit")
        trip("record.after_commit")
        self.on_settled(settled)
        return dropped

    def blame(self, failures: Sequence[Failure]) -> None:
        with self.database.write() as tx:
            settled = self._settle(tx, endings.blame(tx, failures, self._attempts))
            trip("blame.before_commit")
        self.on_settled(settled)

    def release(self, claims: Sequence[tuple[int, int]]) -> None:
        with self.database.write() as tx:
            leases.release(tx, claims)

    def settle_some(self) -> int:
        with self.database.write() as tx:
            settled = occurrences.settle(tx, None, self._recipe, self._limits)
            trip("settle.before_commit")
        self.on_settled(settled)
        return settled.moved

    def _settle(self, tx: Connection, derivations: set[int]) -> Settled:
        """With what the last step left over, so that a thousand copies of one content do not wait for the end."""
        derivations |= self._left_over
        if not derivations:
            return Settled()
        settled = occurrences.settle(tx, derivations, self._recipe, self._limits)
        self._left_over = settled.left_over
        return settled

    def sweep(self, alive: Callable[[str], bool]) -> int:
        with self.database.write() as tx:
            swept, ended = leases.sweep(tx, alive, self._attempts)
            endings.end_abandoned(tx, ended)
            settled = self._settle(tx, {row["id"] for row in ended})
        self.on_settled(settled)
        return swept

    def reopen(self, outcome: str) -> int:
        with self.database.write() as tx:
            return leases.reopen(tx, outcome, self._recipe)

    def finish_batch(self, batch: int) -> bool:
        with self.database.write() as tx:
            ended = batches.finish_batch(tx, batch)
            trip("finish.before_commit")
        return ended

    def open_rows(self, batch: int) -> OpenRows:
        with self.database.read() as tx:
            return batches.open_rows(tx, batch)

    def pending_index(self, limit: int) -> list[dict[str, Any]]:
        with self.database.write() as tx:
            taken = pending.take_pending(tx, limit)
        with self.database.read() as tx:
            return pending.exhibits(tx, taken)

    def indexed(self, exhibits: Sequence[int]) -> None:
        with self.database.write() as tx:
            trip("index.before_mark")
            pending.mark_indexed(tx, exhibits)

    def batches(self) -> list[dict[str, Any]]:
        with self.database.read() as tx:
            return looking.batches(tx)

    def exhibits(self, *, batch: int | None = None, outcome: str | None = None) -> Iterator[dict[str, Any]]:
        with self.database.read() as tx:
            yield from looking.exhibits(tx, batch, outcome)

    def exhibit(self, key: int) -> dict[str, Any] | None:
        with self.database.read() as tx:
            return looking.one(tx, key)

    def a_path_of(self, derivation: int) -> str | None:
        with self.database.read() as tx:
            return looking.a_path_of(tx, derivation)

    def counts(self, batch: int | None = None) -> dict[str, int]:
        with self.database.read() as tx:
            return looking.counts(tx, batch)

    def duplicates(self, batch: int) -> int:
        with self.database.read() as tx:
            return looking.duplicates(tx, batch)

    def sources(self, batch: int) -> list[dict[str, Any]]:
        with self.database.read() as tx:
            return looking.sources(tx, batch)

    def sandbox(self, batch: int) -> dict[str, str]:
        with self.database.read() as tx:
            return looking.sandbox(tx, batch)

    def derived(self, batch: int) -> int:
        with self.database.read() as tx:
            return looking.derived(tx, batch)

    @contextmanager
    def audit(self) -> Iterator[Audit]:
        """One consistent view of all rows, for verify."""
        with self.database.read() as tx:
            yield Audit(tx)

    def blobs(self) -> Iterator[tuple[bytes, Location]]:
        with self.database.read() as tx:
            for row in tx.execution_options(stream_results=True).execute(select(blob)):
                yield row.sha256, Location(row.pack, row.offset, row.length)

    def add_event(self, fact: Event) -> None:
        with self.database.write() as tx:
            tx.execute(insert(event).values(type=fact.event_type, batch=fact.batch, body=fact.to_json()))

    def close(self) -> None:
        self.database.close()
