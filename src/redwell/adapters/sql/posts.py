"""How far each listener (webhook, bus) has been told the events of a case, and what an endpoint refused."""

from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql.infos import info, put_info
from redwell.adapters.sql.schema import event, parked_post


def told(tx: Connection, who: str) -> int:
    return int(info(tx, _key(who)) or 0)


def _key(who: str) -> str:
    return f"told {who}"


def tell_up_to(tx: Connection, who: str, key: int) -> None:
    put_info(tx, _key(who), str(key))


def park(tx: Connection, key: int, detail: str) -> None:
    tx.execute(insert(parked_post).values(event=key, detail=detail).on_conflict_do_nothing())


def unpark(tx: Connection, key: int) -> None:
    tx.execute(delete(parked_post).where(parked_post.c.event == key))


def parked(tx: Connection) -> list[dict[str, Any]]:
    query = select(parked_post, event.c.type, event.c.batch).join_from(
        parked_post, event, event.c.id == parked_post.c.event
    )
    return [dict(row) for row in tx.execute(query.order_by(parked_post.c.event)).mappings()]
