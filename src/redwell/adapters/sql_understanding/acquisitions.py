"""Rows of the acquisition queue: what watchers have seen and not brought yet. Part of sources.py."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, and_, delete, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from redwell.adapters.sql.understanding_tables import acquisition, arrival
from redwell.ports.sources import Sighted

WAITING, FAILED, GONE = "waiting", "failed", "gone"
_AT_ONCE = 500
_rows = acquisition.c


def _of(source: int, key: str) -> ColumnElement[bool]:
    return and_(_rows.source == source, _rows.key == key)


def add(tx: Connection, source: int, found: Sequence[Sighted], now_ms: int) -> int:
    """Those that have neither arrived nor wait; a key is taken once."""
    added = 0
    for start in range(0, len(found), _AT_ONCE):
        some = {each.key: each for each in found[start : start + _AT_ONCE]}
        come = select(arrival.c.key).where(arrival.c.source == source, arrival.c.key.in_(some))
        seen = select(_rows.key).where(_rows.source == source, _rows.key.in_(some))
        for key in {*tx.execute(come).scalars(), *tx.execute(seen).scalars()}:
            del some[key]
        if some:
            rows = [_row(source, each, now_ms) for each in some.values()]
            tx.execute(upsert(acquisition).on_conflict_do_nothing(), rows)
        added += len(some)
    return added


def _row(source: int, each: Sighted, now_ms: int) -> dict[str, object]:
    seen = {"key": each.key, "name": each.name, "place": each.place, "is_again": int(each.is_again)}
    return {"source": source, "state": WAITING, "at_ms": now_ms, **seen}


def following(tx: Connection, source: int, most: int) -> list[Sighted]:
    waiting = select(acquisition).where(_rows.source == source, _rows.state == WAITING)
    rows = tx.execute(waiting.order_by(_rows.attempt, _rows.at_ms, _rows.key).limit(most))
    return [Sighted(key=row.key, name=row.name, place=row.place, is_again=bool(row.is_again)) for row in rows]


def end(tx: Connection, source: int, key: str) -> None:
    tx.execute(delete(acquisition).where(_of(source, key)))


def fail(tx: Connection, source: int, key: str, detail: str, most: int) -> None:
    """It waits for its next try, as long as there may be another; 0: it is gone."""
    tried = tx.execute(select(_rows.attempt).where(_of(source, key))).scalar()
    if tried is None:
        return
    state = WAITING if tried + 1 < most else FAILED if most else GONE
    told = {"attempt": tried + 1, "state": state, "detail": detail[:500]}
    tx.execute(update(acquisition).where(_of(source, key)).values(told))


def try_again(tx: Connection, source: int) -> None:
    chosen = and_(_rows.source == source, _rows.state == FAILED)
    tx.execute(update(acquisition).where(chosen).values(state=WAITING, attempt=0))
