"""The index's queue: exhibits that ended or changed and are not in the search index as they are now."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, true, update
from sqlalchemy.dialects.postgresql import Insert, insert

from redwell.adapters.sql import looking
from redwell.adapters.sql.lists import among, as_list, rows_of
from redwell.adapters.sql.schema import batch, derivation, document, index_pending, ingestion
from redwell.adapters.sql.statements import Prepared, constant
from redwell.core.ledger import Stage

_AT_ONCE = 5_000


def _add(statement: Insert) -> Prepared:
    return Prepared(statement.on_conflict_do_update(index_elements=["ingestion"], set_={"taken": constant(0)}))


_ids = select(rows_of("ids", int).c.value).where(true())  # SQLite would take ON CONFLICT for a join's ON
_ADD = _add(insert(index_pending).from_select(["ingestion"], _ids))
_key = select(ingestion.c.id).where(
    ingestion.c.parent == bindparam("parent"), ingestion.c.locator == bindparam("locator")
)
_ADD_CHILD = _add(insert(index_pending).from_select(["ingestion"], _key))
_TAKE = Prepared(
    update(index_pending)
    .where(
        index_pending.c.ingestion.in_(
            select(index_pending.c.ingestion)
            .where(index_pending.c.taken == constant(0))
            .order_by(index_pending.c.ingestion)
            .limit(bindparam("limit"))
        )
    )
    .values(taken=constant(1))
    .returning(index_pending.c.ingestion)
)
_TAKEN = Prepared(
    select(
        *(ingestion.c[c] for c in ("id", "name", "path", "batch", "outcome", "metadata")),
        ingestion.c.control.label("control_number"),
        batch.c.custodian,
        *(document.c.sha256, document.c.md5),
        *(derivation.c[c] for c in ("media_type", "kind", "text")),
        derivation.c.metadata.label("own_metadata"),
    )
    .join_from(ingestion, batch, ingestion.c.batch == batch.c.id)
    .join(document, ingestion.c.document == document.c.id, isouter=True)
    .join(derivation, looking.shown_work(), isouter=True)
    .where(among(ingestion.c.id, "ids"))
    .order_by(ingestion.c.id)
)
_DONE = Prepared(
    delete(index_pending).where(among(index_pending.c.ingestion, "ids"), index_pending.c.taken == constant(1))
)


def add_pending(tx: Connection, exhibits: Sequence[int]) -> None:
    """Each is named once."""
    if exhibits:
        _ADD.run(tx, ids=as_list(exhibits))


def add_pending_children(tx: Connection, places: Iterable[tuple[int, str]]) -> None:
    """The same for exhibits that are known by (parent, locator)."""
    _ADD_CHILD.many(tx, [{"parent": parent, "locator": locator} for parent, locator in places])


def add_ended(tx: Connection, after: int) -> int | None:
    """Exhibits that have ended, from the one after `after` on; the last one that was looked at, None at the end."""
    ids = (
        select(ingestion.c.id, ingestion.c.state)
        .where(ingestion.c.id > after, ingestion.c.source == 0)
        .order_by(ingestion.c.id)
        .limit(_AT_ONCE)
    )
    rows = tx.execute(ids).all()
    add_pending(tx, [row.id for row in rows if row.state == Stage.DONE])
    return rows[-1].id if rows else None


def take_pending(tx: Connection, limit: int) -> list[int]:
    """They stay pending until `mark_indexed`; nobody takes them a second time unless they change meanwhile."""
    return [key for (key,) in _TAKE.all(tx, limit=limit)]


def give_back(tx: Connection) -> None:
    """What an indexer took that died before it marked them; reads the whole queue, once in a run."""
    tx.execute(update(index_pending).where(index_pending.c.taken == 1).values(taken=0))


def exhibits(tx: Connection, taken: Sequence[int]) -> list[dict[str, Any]]:
    """As they are now: read after they were taken, so that no change can be missed."""
    rows = _TAKEN.rows(tx, ids=as_list(taken))
    for row in rows:
        row["metadata"] = looking.joined_metadata(row)
    return rows


def mark_indexed(tx: Connection, exhibits: Sequence[int]) -> None:
    """What changed since it was taken stays pending."""
    _DONE.run(tx, ids=as_list(exhibits))
