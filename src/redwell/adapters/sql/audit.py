"""One consistent, read-only view of a case for verify: what is wrong in its rows, and what to compare elsewhere.

Everything is streamed; what is kept in memory does not grow with the case, except where a comment says so.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, Table, bindparam, null, select, text
from sqlalchemy.exc import DatabaseError

from redwell.adapters.sql import audit_queries as queries
from redwell.adapters.sql import row_seals
from redwell.adapters.sql.accounts import ROW_PASSES, WHO
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.looking import exhibit, exhibit_rows
from redwell.adapters.sql.schema import batch, case_info, derivation, document, index_pending, ingestion, job, member
from redwell.adapters.sql.streams import streamed, streamed_mappings
from redwell.adapters.sql.volumes import listed_sets
from redwell.core.blobs import Digests, Location
from redwell.core.findings import Check, Finding
from redwell.core.ledger import Stage, Work
from redwell.core.outcomes import Code
from redwell.core.volumes import is_context_of

UNREADABLE = (ValueError, TypeError, KeyError, AttributeError)  # what a row changed by hand may make of reading it


@dataclass(frozen=True, slots=True)
class Kept:
    """A blob by its row; `native` holds the hashes of the document whose content it is."""

    sha256: bytes
    location: Location
    native: Digests | None


class Audit:
    """Sees the case as it was when the first question was asked, whoever writes meanwhile."""

    def __init__(self, tx: Connection, database: Database) -> None:
        self._tx, self._database = tx, database

    def imbalances(self, key: int | None = None) -> Iterator[Finding]:
        """Rows that do not add up, of one batch or of all; cheap enough for the end of every import."""
        scope = queries.WHOLE_CASE if key is None else queries.ONE_BATCH
        values = {} if key is None else {"batch": key, "first": next(self._rows(queries.FIRST_ROW, batch=key))[0]}
        yield from self.guarded(self._unfinished(scope, values))
        for query in ROW_PASSES:
            yield from self.guarded(self._wrong(query.format(**scope), values))
        for query in queries.CASE_QUERIES if key is None else ():
            yield from self.guarded(self._wrong(query, {}))
        yield from self.guarded(self._changed_sets()) if key is None else ()

    def _changed_sets(self) -> Iterator[Finding]:
        for work, context, contents in listed_sets(self._tx):
            try:
                same = is_context_of(context, contents)
            except UNREADABLE:
                same = False
            if not same:
                what = "its volumes are not those that its key stands for"
                yield Finding(Check.REFERENCE, f"derivation {work}", what)

    def guarded(self, findings: Iterator[Finding]) -> Iterator[Finding]:
        """What the database cannot read is a finding too; the other checks go on."""
        savepoint = self._tx.begin_nested()
        try:
            yield from findings
            savepoint.commit()
        except DatabaseError as error:
            if error.connection_invalidated:
                raise
            savepoint.rollback()
            yield Finding(Check.DATABASE, self._database.label, str(error.orig))

    def integrity(self) -> Iterator[Finding]:
        """What the database itself says about its files."""
        for said in self._database.integrity(self._tx):
            yield Finding(Check.DATABASE, self._database.label, said)

    def _unfinished(self, scope: Mapping[str, str], values: Mapping[str, int]) -> Iterator[Finding]:
        name = self._tx.execute(select(case_info.c.value).where(case_info.c.key == "name")).scalar()
        for key, finished, left in self._rows(queries.UNFINISHED.format(**scope), **values):
            if finished is None or left:
                standing = f"{left:,} rows are open" if left else "no row is open, but its end was not written"
                remedy = f"go on with: redwell resume --case {shlex.quote(str(name))} {key}"
                yield Finding(Check.UNFINISHED, f"batch {key}", f"{standing}; {remedy}")

    def discrepancies(self) -> Iterator[Finding]:
        """Containers whose members were counted to different numbers, by whom the problem says."""
        for who, problems in self._rows(queries.DISCREPANCIES):
            for problem in json.loads(problems):
                if problem["code"] == Code.COUNT_MISMATCH:
                    yield Finding(Check.COUNTS, str(who), problem["detail"])

    def _wrong(self, query: str, values: Mapping[str, int]) -> Iterator[Finding]:
        for check, subject, detail in self._rows(query, **values):
            yield Finding(Check(check), str(subject), str(detail))

    def _rows(self, query: str, **values: object) -> Iterator[Any]:
        yield from streamed(self._tx, text(query), values)

    def seals(self) -> Iterator[Finding]:
        """Rows that were changed after they were done."""
        checks: tuple[tuple[Table, Select[Any], Callable[[Mapping[str, Any]], bytes]], ...] = (
            (batch, select(batch), row_seals.batch_seal),
            (job, select(job).where(job.c.finished_ms.is_not(None)), row_seals.job_seal),
            (document, select(document), row_seals.document_seal),
            (member, select(member), row_seals.member_seal),
            (derivation, select(derivation).where(derivation.c.state == Work.DONE), row_seals.derivation_seal),
            (ingestion, select(ingestion).where(ingestion.c.state == Stage.DONE), row_seals.ingestion_seal),
        )
        for table, query, seal_of in checks:
            yield from self.guarded(self._broken(table, query, seal_of))

    def _broken(
        self, table: Table, query: Select[Any], seal_of: Callable[[Mapping[str, Any]], bytes]
    ) -> Iterator[Finding]:
        for row in streamed_mappings(self._tx, query):
            try:
                whole = row["seal"] == seal_of(row)
            except UNREADABLE:
                whole = False
            if not whole:
                key = " ".join(str(row[column.name]) for column in table.primary_key)
                yield Finding(Check.SEAL, f"{table.name} {key}{_label(row)}", "the row is not as it was sealed")

    def packs(self) -> Iterator[tuple[str, int]]:
        """Every pack that is known, in order, with the number of its blobs; loose files come first as ''."""
        yield from self._rows("SELECT pack, count(*) FROM blob GROUP BY pack ORDER BY pack")

    def blobs(self, first: str, last: str) -> Iterator[Kept]:
        """The blobs of these packs, in the order to read them."""
        for row in self._rows(queries.BLOBS, first=first, last=last):
            native = Digests(row.sha256, row.sha1, row.md5) if row.id is not None else None
            yield Kept(row.sha256, Location(row.pack, row.offset, row.length), native)

    def affected(self, sha256s: Sequence[bytes]) -> dict[bytes, str]:
        """An exhibit of each content or text, or of the container it is in: what a person knows it by."""
        found: dict[bytes, str] = {}
        for query in queries.AFFECTED:
            left = [sha256 for sha256 in sha256s if sha256 not in found]
            if not left:
                break
            wanted = text(query).bindparams(bindparam("shas", expanding=True))
            found |= {sha256: who for sha256, who in self._tx.execute(wanted, {"shas": left}) if who is not None}
        return found

    def exhibits(self) -> Iterator[tuple[int, bool, dict[str, Any] | None]]:
        """Every exhibit by id: whether the index must have it, and what is known of it if that can be read."""
        waits = index_pending.c.ingestion.is_not(None).label("waits")
        query = (
            exhibit_rows(null())
            .add_columns(waits)
            .join(index_pending, index_pending.c.ingestion == ingestion.c.id, isouter=True)
        )
        for row in streamed_mappings(self._tx, query.order_by(ingestion.c.id)):
            try:
                known = exhibit(row)
            except UNREADABLE:
                known = None
            yield row["id"], row["state"] == Stage.DONE and not row["waits"], known

    def name_of(self, key: int) -> str | None:
        """What a person knows the exhibit by; None when there is no such row."""
        query = f"SELECT {WHO} FROM ingestion i WHERE i.id = :key"
        return next((str(who) for (who,) in self._rows(query, key=key)), None)

    def counts(self) -> tuple[int, int, int]:
        """Files that came in, exhibits, and how many of these are containers."""
        inputs, exhibits, containers = next(self._rows(queries.COUNTS))
        return inputs, exhibits, containers


def _label(row: Mapping[str, Any]) -> str:
    name = row.get("path") or row.get("locator")
    return f" ({name})" if name else ""
