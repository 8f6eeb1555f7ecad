"""The reading half of the SQL case store. Each method sees one consistent state of the case."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import inspect, select

from redwell.adapters.sql import batches, contents, looking, retries
from redwell.adapters.sql.audit import Audit
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.schema import VERSION, blob, case_info
from redwell.adapters.sql.streams import streamed
from redwell.core.blobs import Location
from redwell.core.errors import UserError
from redwell.core.ledger import OpenRows, Standing
from redwell.core.records import Selection


class CaseViews:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._unindexed: dict[int, int] = {}  # of each batch an exhibit that was in the index's queue

    def is_made(self) -> bool:
        """False while whoever makes the case has not made its tables yet; they come all at once."""
        with self.database.read() as tx:
            return inspect(tx).has_table(case_info.name)

    def info(self) -> dict[str, str]:
        with self.database.read() as tx:
            info = {row.key: row.value for row in tx.execute(select(case_info))}
        if info["schema"] != str(VERSION):
            raise UserError(
                f"this case has schema {info['schema']}, this Redwell reads {VERSION}; use the same release"
            )
        return info

    def known_blobs(self, sha256s: Sequence[bytes]) -> dict[bytes, Location]:
        with self.database.read() as tx:
            return contents.known_blobs(tx, sha256s)

    def open_rows(self, batch: int) -> OpenRows:
        with self.database.read() as tx:
            return batches.open_rows(tx, batch)

    def waits_for_more_than(self, batch: int, count: int) -> bool:
        with self.database.read() as tx:
            return batches.waits_for_more_than(tx, batch, count)

    def standing(self, batch: int) -> Standing:
        with self.database.read() as tx:
            return batches.standing(tx, batch, self._unindexed)

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

    def counts_by_batch(self, batches: Sequence[int]) -> dict[int, dict[str, int]]:
        with self.database.read() as tx:
            return looking.counts_by_batch(tx, batches)

    def concerned(self, chosen: Selection) -> dict[int, str]:
        with self.database.read() as tx:
            return retries.concerned(tx, chosen)

    def outcomes_of(self, exhibits: Iterable[int]) -> dict[int, str]:
        with self.database.read() as tx:
            return retries.outcomes_of(tx, exhibits)

    def duplicates(self, batch: int) -> int:
        with self.database.read() as tx:
            return looking.duplicates(tx, batch)

    def sources(self, batch: int) -> list[dict[str, Any]]:
        with self.database.read() as tx:
            return looking.sources(tx, batch)

    def source_paths(self, batch: int) -> list[bytes]:
        with self.database.read() as tx:
            return looking.source_paths(tx, batch)

    def sandbox(self, batch: int) -> dict[str, str]:
        with self.database.read() as tx:
            return looking.sandbox(tx, batch)

    def events(self, after: int = 0, limit: int = 10_000) -> list[dict[str, Any]]:
        """In the order they were written."""
        with self.database.read() as tx:
            return looking.events(tx, after, limit)

    def derived(self, batch: int) -> int:
        with self.database.read() as tx:
            return looking.derived(tx, batch)

    @contextmanager
    def audit(self) -> Iterator[Audit]:
        """One consistent view of all rows, for verify."""
        with self.database.read() as tx:
            yield Audit(tx, self.database)

    def blobs(self) -> Iterator[tuple[bytes, Location]]:
        with self.database.read() as tx:
            for row in streamed(tx, select(blob)):
                yield row.sha256, Location(row.pack, row.offset, row.length)

    def close(self) -> None:
        self.database.close()
