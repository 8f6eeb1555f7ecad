"""The end of a batch as rows: which chunks there are, whether each is complete, and what is told of them.

Used by the loaders' lives, in the transaction that changes one. The rows say what is complete; a message only says
where to look.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import artifact, derivation, ingestion
from redwell.adapters.sql_ledger.batch_range import of_batch
from redwell.adapters.sql_queues.event_journal import add_event
from redwell.core.case.checkpoints import LOADED
from redwell.core.jobs.batch_end import BatchChunk, chunks_of
from redwell.core.work.kinds import Purpose
from redwell.core.work.page_ranges import range_in
from redwell.core.work.transitions import Stage

_NAMED = 100  # of what is incomplete
_head = exhibit.alias("head")
_in_pages = derivation.c.purpose.in_(
    [constant(each) for each in (Purpose.PAGES, Purpose.PAGE_TEXT, Purpose.IMAGE_LIST_TEXT)]
)
_MEMBERS = Prepared(
    select(exhibit.c.id)
    .join_from(ingestion, exhibit, exhibit.c.id == ingestion.c.id)
    .where(of_batch(ingestion, bindparam("batch")), exhibit.c.family != exhibit.c.id)
    .order_by(exhibit.c.id)
)
_PAGES = Prepared(
    select(exhibit.c.id, derivation.c.context)
    .join_from(ingestion, exhibit, exhibit.c.id == ingestion.c.id)
    .join(derivation, derivation.c.document == exhibit.c.document)
    .where(of_batch(ingestion, bindparam("batch")), _in_pages)
)
_APART = Prepared(
    select(ingestion.c.path)
    .join_from(ingestion, exhibit, exhibit.c.id == ingestion.c.id)
    .join(_head, _head.c.id == exhibit.c.family)
    .where(
        of_batch(ingestion, bindparam("batch")),
        exhibit.c.id >= bindparam("start"),
        exhibit.c.id < bindparam("end"),
        exhibit.c.family != exhibit.c.id,
        (exhibit.c.checkpoint != constant(LOADED)) | (_head.c.checkpoint != constant(LOADED)),
    )
    .order_by(exhibit.c.id)
)
_SETTLED = Prepared(
    select(derivation.c.id, derivation.c.context, derivation.c.state, func.count(func.distinct(artifact.c.number)))
    .join_from(exhibit, derivation, derivation.c.document == exhibit.c.document)
    .join(artifact, artifact.c.derivation == derivation.c.id, isouter=True)
    .where(exhibit.c.id == bindparam("exhibit"), _in_pages)
    .group_by(derivation.c.id, derivation.c.context, derivation.c.state)
)
_PATH = Prepared(select(ingestion.c.path).where(ingestion.c.id == bindparam("exhibit")))


def chunks(tx: Connection, batch: int) -> list[BatchChunk]:
    members = [key for (key,) in _MEMBERS.all(tx, batch=batch)]
    return chunks_of(members, [(key, range_in(context)) for key, context in _PAGES.all(tx, batch=batch)])


def tell(tx: Connection, batch: int, job: int, some: Iterable[BatchChunk]) -> None:
    for each in some:
        add_event(tx, each.kind, batch, job, each.detail)


def incomplete(tx: Connection, batch: int, some: Iterable[BatchChunk]) -> dict[BatchChunk, list[str]]:
    """Those of these chunks that are not there as a whole, each with the paths of what is missing."""
    found = dict[BatchChunk, list[str]]()
    for each in some:
        if each.exhibit:
            names = [f"{path}, pages {each.start} to {each.end - 1}" for (path,) in _PATH.all(tx, exhibit=each.exhibit)]
            count = _settled(tx, each)
        else:
            names = [path for (path,) in _APART.all(tx, batch=batch, start=each.start, end=each.end)]
            count = len(names)
        if not each.is_complete(count):
            found[each] = names
    return found


def name_missing(missing: dict[BatchChunk, list[str]]) -> dict[str, Any]:
    names = [name for some in missing.values() for name in some]
    what = "families or pages of the batch are incomplete; the load goes on without them"
    return {"what": what, "left": len(names), "incomplete": names[:_NAMED]}


def _settled(tx: Connection, chunk: BatchChunk) -> int:
    """Pages of the chunk that were made, or given up: of the work on them that is furthest behind."""
    counts = [
        chunk.end - chunk.start if state == Stage.DONE else made
        for _, context, state, made in _SETTLED.all(tx, exhibit=chunk.exhibit)
        if range_in(context).first == chunk.start and range_in(context).last
    ]
    return min(counts, default=chunk.end - chunk.start)
