"""The audit log: entries are added at its end, in the transaction of what they tell of."""

import json
import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert

from redwell.adapters.sql.prepared import as_json
from redwell.adapters.sql.review_tables import audit_entry, viewed
from redwell.core.review.audit_chain import FIRST, fields_of, link
from redwell.core.review.values import Action, Entry, Logged


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def append(tx: Connection, entries: Sequence[Entry]) -> None:
    last = tx.execute(select(audit_entry.c.id, audit_entry.c.hash).order_by(audit_entry.c.id.desc()).limit(1)).first()
    number, before = (last.id, bytes(last.hash)) if last else (0, FIRST)
    rows: list[dict[str, Any]] = []
    for entry in entries:
        number += 1
        at_ms, detail = entry.at_ms or now_ms(), as_json(dict(entry.detail))
        before = link(before, fields_of(number, at_ms, entry.who, str(entry.action), entry.exhibit, detail))
        row = {"id": number, "at_ms": at_ms, "who": entry.who, "action": str(entry.action), "exhibit": entry.exhibit}
        rows.append({**row, "detail": detail, "hash": before})
    if rows:
        tx.execute(insert(audit_entry), rows)
    views = {(e.exhibit, e.who): e.at_ms or now_ms() for e in reversed(entries) if e.action is Action.VIEWED}
    if views:
        new = [{"exhibit": exhibit, "who": who, "at_ms": at_ms} for (exhibit, who), at_ms in views.items()]
        tx.execute(upsert(viewed).on_conflict_do_nothing(), new)


def history(tx: Connection, exhibit: int, limit: int) -> list[Logged]:
    query = select(audit_entry).where(audit_entry.c.exhibit == exhibit)
    return _logged(tx, query.order_by(audit_entry.c.id.desc()).limit(limit))


def log(tx: Connection, before: int | None, limit: int) -> list[Logged]:
    query = select(audit_entry).order_by(audit_entry.c.id.desc()).limit(limit)
    return _logged(tx, query if before is None else query.where(audit_entry.c.id < before))


def _logged(tx: Connection, query: Any) -> list[Logged]:
    return [
        Logged(
            id=row.id,
            at_ms=row.at_ms,
            who=row.who,
            action=row.action,
            exhibit=row.exhibit,
            detail=json.loads(row.detail),
        )
        for row in tx.execute(query)
    ]
