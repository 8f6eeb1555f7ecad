"""Dead letters: contents on which child after child has died, past the table of attempts (SPEC A5).

They ended without a handler's word. Their documents are complete with a named outcome; a person may look or try again.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Select, select

from redwell.adapters.sql.schema import derivation, document, ingestion
from redwell.adapters.sql.statements import constant
from redwell.adapters.sql.streams import streamed_mappings
from redwell.adapters.sql.volumes import work_size
from redwell.core.ledger import Work

_PARKED = (derivation.c.state == constant(Work.DONE), derivation.c.handler.is_(None))  # an index has just these
_SHOWN = ("id", "outcome", "detail", "lane", "tries", "deaths", "attempt", "generation", "members", "context")


def _parked() -> Select[Any]:
    return (
        select(*(derivation.c[name] for name in _SHOWN), document.c.sha256, document.c.size)
        .join_from(derivation, document, derivation.c.document == document.c.id)
        .where(*_PARKED)
        .order_by(derivation.c.id)
    )


def parked(tx: Connection) -> Iterator[dict[str, Any]]:
    for row in streamed_mappings(tx, _parked()):
        yield {**row, "sha256": row["sha256"].hex()}


def _occurring(key: int) -> Select[Any]:
    content = select(derivation.c.document).where(derivation.c.id == key).scalar_subquery()
    return (
        select(ingestion, document.c.uid.label("document_uid"))
        .join_from(ingestion, document, ingestion.c.document == document.c.id)
        .where(ingestion.c.document == content, ingestion.c.derivation == key)
        .order_by(ingestion.c.number, ingestion.c.control)
    )


def places(tx: Connection, key: int, limit: int) -> list[dict[str, Any]]:
    """Where a content occurs."""
    rows = tx.execute(_occurring(key).limit(limit)).mappings()
    return [{name: row[name] for name in ("control", "path", "batch")} for row in rows]


def identity(tx: Connection, key: int, limit: int) -> dict[str, Any]:
    """The ids of a content's occurrences, as the outside knows them."""
    rows = tx.execute(_occurring(key).limit(limit)).mappings().all()
    if not rows:
        return {}
    return {
        "ingestion_id": str(UUID(bytes=rows[0]["uid"])),
        "document_id": str(UUID(bytes=rows[0]["document_uid"])),
        "exhibit_ids": [row["id"] for row in rows],
    }


def parked_rows(tx: Connection, keys: Sequence[int]) -> list[dict[str, Any]]:
    """Whole rows of those among the keys that are parked; of all when there are none."""
    query = (
        select(derivation, work_size())
        .join_from(derivation, document, derivation.c.document == document.c.id)
        .where(*_PARKED)
    )
    if keys:
        query = query.where(derivation.c.id.in_(keys))
    return [dict(row) for row in tx.execute(query).mappings()]
