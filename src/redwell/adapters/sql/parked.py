"""Dead letters: contents on which child after child has died, past the table of attempts (SPEC A5).

They ended without a handler's word. Their documents are complete with a named outcome; a person may look or try again.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, select

from redwell.adapters.sql.schema import derivation, document, ingestion
from redwell.adapters.sql.streams import streamed_mappings
from redwell.core.ledger import Work

_SHOWN = ("id", "outcome", "detail", "lane", "tries", "deaths", "attempt", "generation", "members", "context")


def _parked() -> Select[Any]:
    return (
        select(*(derivation.c[name] for name in _SHOWN), document.c.sha256, document.c.size)
        .join_from(derivation, document, derivation.c.document == document.c.id)
        .where(derivation.c.state == Work.DONE, derivation.c.handler.is_(None))
        .order_by(derivation.c.id)
    )


def parked(tx: Connection) -> Iterator[dict[str, Any]]:
    for row in streamed_mappings(tx, _parked()):
        yield {**row, "sha256": row["sha256"].hex()}


def places(tx: Connection, key: int, limit: int) -> list[dict[str, Any]]:
    """Where a content occurs."""
    columns = (ingestion.c.control, ingestion.c.path, ingestion.c.batch)
    query = select(*columns).where(
        ingestion.c.derivation == key,
        ingestion.c.document == select(derivation.c.document).where(derivation.c.id == key).scalar_subquery(),
    )
    return [
        dict(row) for row in tx.execute(query.order_by(ingestion.c.number, ingestion.c.control).limit(limit)).mappings()
    ]


def parked_rows(tx: Connection, keys: Sequence[int]) -> list[dict[str, Any]]:
    """Whole rows of those among the keys that are parked; of all when there are none."""
    query = (
        select(derivation, document.c.size)
        .join_from(derivation, document, derivation.c.document == document.c.id)
        .where(derivation.c.state == Work.DONE, derivation.c.handler.is_(None))
    )
    if keys:
        query = query.where(derivation.c.id.in_(keys))
    return [dict(row) for row in tx.execute(query).mappings()]
