"""Which documents of finished imports are still to be asked about. In a transaction.

An import has a row from the moment that somebody says who uploaded it, or that its first documents are asked about;
the cursor moves with the wishes, so that killed anywhere each document is asked about once.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, exists, func, or_, select
from sqlalchemy.dialects.postgresql import insert as upsert

from redwell.adapters.sql.tables import batch
from redwell.adapters.sql.understanding_tables import arrival, data_schema, understanding, understanding_plan
from redwell.adapters.sql_understanding import claims
from redwell.core.trip import trip
from redwell.core.understanding.states import Status
from redwell.ports.understanding import Plan, Wish

_plans = understanding_plan.c


def unplanned(tx: Connection) -> list[Plan]:
    """What was brought, and what ended since the case has a schema; the rest waits for `redwell understand`."""
    first = select(func.min(data_schema.c.at_ms)).scalar_subquery()
    source = select(func.min(arrival.c.source)).where(arrival.c.batch == batch.c.id).scalar_subquery()
    query = (
        select(batch.c.id, func.coalesce(_plans.cursor, "").label("cursor"), _plans.uploader, source.label("source"))
        .select_from(batch.outerjoin(understanding_plan, _plans.batch == batch.c.id))
        .where(batch.c.finished_ms.is_not(None), or_(_plans.is_done.is_(None), _plans.is_done == 0))
        .where(or_(batch.c.finished_ms >= first, _plans.uploader.is_not(None), source.is_not(None)))
        .order_by(batch.c.id)
    )
    return [
        Plan(batch=row.id, cursor=row.cursor, source=row.source, uploader=row.uploader) for row in tx.execute(query)
    ]


def said(tx: Connection, key: int) -> dict[str, Mapping[str, Any]]:
    rows = tx.execute(select(arrival.c.name, arrival.c.said).where(arrival.c.batch == key))
    return {row.name: json.loads(row.said) for row in rows}


def note_uploader(tx: Connection, key: int, who: str) -> None:
    tx.execute(upsert(understanding_plan).values(batch=key, uploader=who).on_conflict_do_nothing())


def plan_on(tx: Connection, plan: Plan, wishes: Sequence[Wish], cursor: str | None) -> list[bytes]:
    standing = tx.execute(select(understanding_plan).where(_plans.batch == plan.batch)).first()
    if standing is not None and (standing.is_done or standing.cursor != plan.cursor):
        return []
    moved = {"cursor": cursor or plan.cursor, "is_done": int(cursor is None)}
    new = upsert(understanding_plan).values(batch=plan.batch, uploader=plan.uploader, **moved)
    tx.execute(new.on_conflict_do_update(index_elements=["batch"], set_=moved))
    asked = claims.wish(tx, wishes)
    trip("understand.plan.before_commit")
    return asked


def has_work(tx: Connection) -> bool:
    has_schema = exists(select(data_schema.c.id))
    is_open = select(understanding.c.id).where(understanding.c.status == Status.IN_PROGRESS, has_schema).limit(1)
    return tx.execute(is_open).first() is not None or bool(unplanned(tx))
