"""Dead letters: contents on which child after child has died, past the table of attempts (SPEC A5).

They ended without a handler's word. Their documents are complete with a named outcome; a person may look or try again.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Select, select

from redwell.adapters.sql.prepared import constant
from redwell.adapters.sql.tables import derivation, document, ingestion
from redwell.adapters.sql_ledger.volumes import work_size

_PARKED = (derivation.c.given_up == constant(1),)  # an index has just these


def _occurring(key: int) -> Select[Any]:
    content = select(derivation.c.document).where(derivation.c.id == key).scalar_subquery()
    return (
        select(ingestion.c.id, ingestion.c.uid, document.c.uid.label("document_uid"))
        .join_from(ingestion, document, ingestion.c.document == document.c.id)
        .where(ingestion.c.document == content, ingestion.c.derivation == key)
        .order_by(ingestion.c.id)
    )


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


def exhibits_of(tx: Connection, keys: Sequence[int]) -> list[int]:
    """All whose content is parked, or that lie in such a one: what becomes of them may change with a retry."""
    of_parked = select(derivation.c.document).where(*_PARKED, *([derivation.c.id.in_(keys)] if keys else []))
    inside = ingestion.alias("inside")
    here = select(ingestion.c.id).where(ingestion.c.document.in_(of_parked))
    below = (
        select(inside.c.id)
        .join_from(inside, ingestion, inside.c.parent == ingestion.c.id)
        .where(ingestion.c.document.in_(of_parked))
    )
    return list(tx.execute(here.union(below)).scalars())


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
