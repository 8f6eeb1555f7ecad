"""How finished a case is, by its rows: reads what is open and the sources, however much is done."""

import json
from collections import Counter
from collections.abc import Iterator

from redwell.adapters.sql_reader.session import Session
from redwell.adapters.sql_reader.sources_again import SourceRow, read_again, sources
from redwell.core.case.completeness import Completeness, OpenBatch, UnreadSource
from redwell.core.jobs.job import STOPPED, JobState, shown_state
from redwell.core.outcomes import Outcome
from redwell.core.work.transitions import Stage

_OPEN_BATCHES = "SELECT id FROM batch WHERE finished_ms IS NULL ORDER BY id"
_OPEN_JOBS = "SELECT batch, state FROM job WHERE finished_ms IS NULL"
_OPEN_ROWS = f"SELECT source, batch, count(*) FROM ingestion WHERE state <> '{Stage.DONE}' GROUP BY source, batch"
_UNINDEXED = f"""SELECT (SELECT count(*) FROM load_pending) + (SELECT count(*) FROM exhibit x
    JOIN ingestion i ON i.id = x.id LEFT JOIN load_pending p ON p.exhibit = x.id
    WHERE x.number IS NULL AND i.state = '{Stage.DONE}' AND p.exhibit IS NULL)"""
# "+ 0": of the id itself PostgreSQL would look for the largest from the end of the case
_WALKED = "SELECT count(*), max(id + 0) FROM ingestion WHERE parent = :source"


def completeness(session: Session, at_work: bool) -> Completeness:
    """`at_work` says whether anybody is: the rows alone can't tell."""
    batches = tuple(_open_batches(session, at_work))
    unread = tuple(source for source in unread_sources(session) if source.read_by is None)
    if not batches and not unread:
        return Completeness()
    [(unindexed,)] = session.all(_UNINDEXED)
    searchable = _exhibits(session) - unindexed - sum(each.open for each in batches)
    return Completeness(searchable=max(searchable, 0), unindexed=unindexed, batches=batches, unread=unread)


def _exhibits(session: Session) -> int:
    """All rows but sources. Counted apart, either is read from an index alone."""
    [(everything,)] = session.all("SELECT count(*) FROM ingestion")
    [(sources,)] = session.all("SELECT count(*) FROM ingestion WHERE parent IS NULL")
    return int(everything - sources)


def _open_batches(session: Session, at_work: bool) -> Iterator[OpenBatch]:
    keys = [key for (key,) in session.all(_OPEN_BATCHES)]
    if not keys:
        return
    states = dict[int, str](session.all(_OPEN_JOBS))
    rows, sources = Counter[int](), Counter[int]()
    for source, key, count in session.all(_OPEN_ROWS):
        (sources if source else rows)[key] = count
    for key in keys:
        state = shown_state(JobState(states[key]), rows[key], at_work) if key in states else STOPPED
        yield OpenBatch(batch=key, state=state, open=rows[key], sources=sources[key])


def unread_sources(session: Session, batch: int | None = None) -> Iterator[UnreadSource]:
    """Sources of cancelled imports, of one batch or of all, that were not read to their end."""
    cancelled = [source for source in sources(session) if source.outcome == Outcome.CANCELLED]
    again = read_again(session) if cancelled else {}
    for row in cancelled:
        if batch in (None, row.batch):
            seen, read_to = _so_far(session, row)
            by = max((later.batch for later in again.get(row.id, ())), default=None)
            yield UnreadSource(key=row.id, batch=row.batch, path=row.name, seen=seen, read_to=read_to, read_by=by)


def _so_far(session: Session, source: SourceRow) -> tuple[int, str | None]:
    """As it was written when the import was cancelled; older releases wrote the count as if it were all."""
    if written := json.loads(source.metadata):
        return written["seen"], written["read_to"]
    seen, read_to = walked_so_far(session, source.id)
    return seen if source.listed is None else source.listed, read_to


def walked_so_far(session: Session, source: int) -> tuple[int, str | None]:
    """How many files of a source are known, and the last one; numbers are given in walking order."""
    [(count, last)] = session.all(_WALKED, source=source)
    paths = session.all("SELECT path FROM ingestion WHERE id = :last", last=last)
    return count, next((path for (path,) in paths), None)
