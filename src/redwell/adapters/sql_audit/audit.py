"""One consistent, read-only view of a case for verify: what is wrong in its rows, and what to compare elsewhere.

Everything is streamed; what is kept in memory does not grow with the case, except where a comment says so.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from redwell.adapters.sql_audit import case_checks as queries
from redwell.adapters.sql_audit import text_rows
from redwell.adapters.sql_audit.load_checks import load_findings
from redwell.adapters.sql_audit.review_log import broken_links
from redwell.adapters.sql_audit.row_checks import ROW_PASSES, WHO
from redwell.adapters.sql_audit.shown_checks import shown_wrongly
from redwell.adapters.sql_ledger import seals
from redwell.adapters.sql_reader import exhibit_rows
from redwell.adapters.sql_reader.completeness import unread_sources, walked_so_far
from redwell.adapters.sql_reader.exhibit_rows import UNREADABLE
from redwell.adapters.sql_reader.session import Row, Session, Unreadable
from redwell.core.blobs import Digests, Location
from redwell.core.case.findings import Check, Finding
from redwell.core.case.near import Neighbour, Texted
from redwell.core.case.rows import Exhibit
from redwell.core.case.seals import seal
from redwell.core.case.threads import Judged
from redwell.core.command_lines import command_line
from redwell.core.outcomes import Code
from redwell.core.work.transitions import Stage, Work
from redwell.core.work.volumes import is_context_of
from redwell.ports.audit import Kept


class _Sealed(NamedTuple):
    """A table whose rows are sealed when they are done."""

    table: str
    key: tuple[str, ...]
    values: tuple[str, ...]  # that the seal covers
    done: str = "1 = 1"
    label: tuple[str, ...] = ()  # what a person knows the row by: the first of these that it has

    @property
    def query(self) -> str:
        names = (f'"{name}"' for name in (*self.values, "seal", *self.key, *self.label))  # `user` is a word of SQL, too
        return f"SELECT {', '.join(names)} FROM {self.table} WHERE {self.done}"


_SEALED = (
    _Sealed("batch", ("id",), seals.BATCH),
    _Sealed("job", ("id",), seals.JOB, "finished_ms IS NOT NULL"),
    _Sealed("run", ("id",), seals.RUN),
    _Sealed("document", ("id",), seals.DOCUMENT),
    _Sealed("member", ("derivation", "ordinal"), seals.MEMBER, label=("locator",)),
    _Sealed("artifact", ("derivation", "kind", "number"), seals.ARTIFACT),
    _Sealed("derivation", ("id",), seals.DERIVATION, f"state = '{Work.DONE}'"),
    _Sealed("ingestion", ("id",), seals.INGESTION, f"state = '{Stage.DONE}'", ("path", "locator")),
)


class SqlAudit:
    """Sees the case as it was when the first question was asked, whoever writes meanwhile."""

    def __init__(self, session: Session, label: str) -> None:
        self._session, self._label = session, label

    def imbalances(self, batch: int | None = None) -> Iterator[Finding]:
        """Rows that do not add up, of one batch or of all; cheap enough for the end of every import."""
        scope = queries.WHOLE_CASE if batch is None else queries.ONE_BATCH
        values = (
            {} if batch is None else {"batch": batch, "first": self._session.all(queries.FIRST_ROW, batch=batch)[0][0]}
        )
        yield from self.guarded(self._unfinished(scope, values))
        for query in ROW_PASSES:
            yield from self.guarded(self._wrong(query.format(**scope), values))
        for query in queries.CASE_QUERIES if batch is None else ():
            yield from self.guarded(self._wrong(query, {}))
        yield from self.guarded(self._unread(batch))
        if batch is None:
            yield from self.guarded(self._changed_sets())
            yield from self.guarded(self._shown_wrongly())

    def _unread(self, batch: int | None) -> Iterator[Finding]:
        """What cancelled imports left unknown; and whether the rows are still those that they had seen."""
        for source in unread_sources(self._session, batch):
            there, _ = walked_so_far(self._session, source.key)
            if there != source.seen:
                yield Finding(Check.WALK, source.path, f"the walk had seen {source.seen} files, there are {there}")
            if source.read_by is None:
                yield Finding(Check.CANCELLED, f"batch {source.batch}", str(source))

    def _shown_wrongly(self) -> Iterator[Finding]:
        for key in shown_wrongly(self._session):
            what = "it is not shown as what was made of its content says"
            yield Finding(Check.OUTCOME, self.name_of(key) or f"exhibit {key}", what)

    def _changed_sets(self) -> Iterator[Finding]:
        for work, context, contents in self._listed_sets():
            try:
                same = is_context_of(context, contents)
            except UNREADABLE:
                same = False
            if not same:
                what = "its volumes are not those that its key stands for"
                yield Finding(Check.REFERENCE, f"derivation {work}", what)

    def _listed_sets(self) -> Iterator[tuple[int, str, list[tuple[int, bytes]]]]:
        """Each head's derivation, its context, and the volumes that are listed for it."""
        for (key, context), rows in groupby(self._rows(queries.LISTED_SETS), key=lambda row: row[:2]):
            yield key, context, [(number, sha256) for *_, number, sha256 in rows]

    def guarded(self, findings: Iterator[Finding]) -> Iterator[Finding]:
        """What the database cannot read is a finding too; the other checks go on."""
        try:
            with self._session.guard():
                yield from findings
        except Unreadable as error:
            yield Finding(Check.DATABASE, self._label, str(error))

    def integrity(self) -> Iterator[Finding]:
        """What the database itself says about its files."""
        for said in self._session.integrity():
            yield Finding(Check.DATABASE, self._label, said)

    def _unfinished(self, scope: Mapping[str, str], values: Mapping[str, int]) -> Iterator[Finding]:
        name = next((value for (value,) in self._session.all("SELECT value FROM case_info WHERE key = 'name'")), "")
        for key, finished, left in self._rows(queries.UNFINISHED.format(**scope), **values):
            if finished is None or left:
                standing = f"{left:,} rows are open" if left else "no row is open, but its end was not written"
                remedy = command_line("resume", str(name), key)
                yield Finding(Check.UNFINISHED, f"batch {key}", f"{standing}; go on with: {remedy}")

    def read_later(self) -> Iterator[Finding]:
        """Sources that a cancelled import left unknown, and a later batch read to their end."""
        for source in unread_sources(self._session):
            if source.read_by is not None:
                detail = f"{source}; batch {source.read_by} read it to the end"
                yield Finding(Check.CANCELLED, f"batch {source.batch}", detail)

    def discrepancies(self) -> Iterator[Finding]:
        """Containers whose members were counted to different numbers, by whom the problem says."""
        for who, problems in self._rows(queries.DISCREPANCIES):
            for problem in json.loads(problems):
                if problem["code"] == Code.COUNT_MISMATCH:
                    yield Finding(Check.COUNTS, str(who), problem["detail"])

    def _wrong(self, query: str, values: Mapping[str, int]) -> Iterator[Finding]:
        for check, subject, detail in self._rows(query, **values):
            yield Finding(Check(check), str(subject), str(detail))

    def _rows(self, query: str, **values: object) -> Iterator[Row]:
        return self._session.stream(query, **values)

    def seals(self) -> Iterator[Finding]:
        """Rows that were changed after they were done."""
        for sealed in _SEALED:
            yield from self.guarded(self._broken(sealed))

    def _broken(self, sealed: _Sealed) -> Iterator[Finding]:
        count = len(sealed.values)
        for row in self._rows(sealed.query):
            try:
                whole = row[count] == seal(row[:count])
            except UNREADABLE:
                whole = False
            if not whole:
                shown = dict(zip((*sealed.key, *sealed.label), row[count + 1 :], strict=True))
                yield Finding(Check.SEAL, _subject(sealed, shown), "the row is not as it was sealed")

    def review_log(self) -> Iterator[Finding]:
        """Entries of the audit log that were changed or taken out."""
        return broken_links(self._session)

    def packs(self) -> Iterator[tuple[str, int]]:
        """Every pack that is known, in order, with the number of its blobs; loose files come first as ''."""
        yield from self._rows("SELECT pack, count(*) FROM blob GROUP BY pack ORDER BY pack")

    def blobs(self, first: str, last: str) -> Iterator[Kept]:
        """The blobs of these packs, in the order to read them."""
        for sha256, pack, offset, length, document, sha1, md5 in self._rows(queries.BLOBS, first=first, last=last):
            native = Digests(sha256, sha1, md5) if document is not None else None
            yield Kept(sha256, Location(pack, offset, length), native)

    def affected(self, sha256s: Sequence[bytes]) -> dict[bytes, str]:
        """An exhibit of each content or text, or of the container it is in: what a person knows it by."""
        found: dict[bytes, str] = {}
        for query in queries.AFFECTED:
            left = [sha256 for sha256 in sha256s if sha256 not in found]
            if not left:
                break
            found |= {sha256: who for sha256, who in self._session.all(query, shas=left) if who is not None}
        return found

    def loads(self) -> Iterator[Finding]:
        return load_findings(self._session)

    def judged_mails(self) -> Iterator[Judged]:
        return text_rows.judged_mails(self._session)

    def neighbours(self) -> Iterator[tuple[Texted, Neighbour]]:
        return text_rows.neighbours(self._session)

    def exhibits(self) -> Iterator[tuple[int, bool, Exhibit | None]]:
        """Every exhibit by id: whether the index must have it, and what is known of it if that can be read."""
        return exhibit_rows.for_index(self._session)

    def name_of(self, exhibit: int) -> str | None:
        """What a person knows the exhibit by; None when there is no such row."""
        query = f"SELECT {WHO} FROM ingestion i WHERE i.id = :key"
        return next((str(who) for (who,) in self._session.all(query, key=exhibit)), None)

    def counts(self) -> tuple[int, int, int]:
        """Files that came in, exhibits, and how many of these are containers."""
        [(inputs, exhibits, containers)] = self._session.all(queries.COUNTS)
        return inputs, exhibits, int(containers)


def _subject(sealed: _Sealed, row: Mapping[str, object]) -> str:
    key = " ".join(str(row[name]) for name in sealed.key)
    name = next((row[name] for name in sealed.label if row[name]), "")
    return f"{sealed.table} {key} ({name})" if name else f"{sealed.table} {key}"
