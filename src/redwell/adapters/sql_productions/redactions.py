"""Redactions and the changes of them, each function in the transaction that it is given."""

from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, select, update

from redwell.adapters.sql.production_tables import redaction, redaction_change
from redwell.adapters.sql_review.audit_log import append, now_ms
from redwell.adapters.sql_review.coding import chunks
from redwell.core.errors import NotFound, UserError
from redwell.core.production.redactions import Redaction, checked
from redwell.core.review.values import Action, Entry
from redwell.ports.productions import RedactionChange

_SIDES = ("left", "top", "right", "bottom")
_MILLION = 1_000_000
_NAMED = 50


def redact(tx: Connection, new: Sequence[Redaction], who: str, note: str) -> int:
    if not new:
        raise UserError("there is nothing to redact")
    change = _change(tx, who, note)
    rows = [_row(checked(each), change) for each in new]
    tx.execute(insert(redaction), rows)
    _log(tx, who, Action.REDACTED, change, sorted({each.exhibit for each in new}))
    return change


def _change(tx: Connection, who: str, note: str) -> int:
    made = insert(redaction_change).values(who=who, at_ms=now_ms(), note=note).returning(redaction_change.c.id)
    return int(tx.execute(made).scalar_one())


def _row(each: Redaction, change: int) -> dict[str, int | str]:
    sides = {side: round(getattr(each, side) * _MILLION) for side in _SIDES}
    return {"exhibit": each.exhibit, "page": each.page, "reason": each.reason, "change": change, **sides}


def _log(tx: Connection, who: str, action: Action, change: int, exhibits: Sequence[int]) -> None:
    if len(exhibits) > _NAMED:
        append(tx, [Entry(who=who, action=action, detail={"change": change, "documents": len(exhibits)})])
    else:
        append(tx, [Entry(who=who, action=action, exhibit=key, detail={"change": change}) for key in exhibits])


def _live() -> tuple[object, ...]:
    undone = select(redaction_change.c.id).where(redaction_change.c.undone != 0)
    return redaction.c.removed.is_(None), redaction.c.change.not_in(undone)


def remove(tx: Connection, keys: Sequence[int], who: str) -> int:
    wanted = set(keys)
    rows = tx.execute(select(redaction).where(redaction.c.id.in_(wanted), *_live())).all()  # type: ignore[arg-type]
    if len(rows) < len(wanted) or not rows:
        raise NotFound("one of these redactions is not there any more: look again")
    change = _change(tx, who, "removed")
    tx.execute(update(redaction).where(redaction.c.id.in_(wanted)).values(removed=change))
    _log(tx, who, Action.UNREDACTED, change, sorted({row.exhibit for row in rows}))
    return change


def undo(tx: Connection, change: int, who: str) -> int:
    made = tx.execute(
        select(redaction_change).where(redaction_change.c.id == change, redaction_change.c.undone == 0)
    ).first()
    if made is None:
        raise NotFound(f"there is no change {change} of redactions, or it is undone already")
    tx.execute(update(redaction_change).where(redaction_change.c.id == change).values(undone=1))
    back = tx.execute(
        update(redaction).where(redaction.c.removed == change).values(removed=None).returning(redaction.c.exhibit)
    ).all()
    gone = tx.execute(select(redaction.c.exhibit).where(redaction.c.change == change, redaction.c.removed.is_(None)))
    exhibits = [row.exhibit for row in (*back, *gone)]
    _log(tx, who, Action.UNDONE, change, sorted(set(exhibits)))
    return len(exhibits)


def changes(tx: Connection) -> list[RedactionChange]:
    made, removed = (
        select(column, func.count().label("count")).where(column.is_not(None)).group_by(column).subquery()
        for column in (redaction.c.change, redaction.c.removed)
    )
    query = (
        select(redaction_change, made.c.count.label("boxes"), removed.c.count.label("taken"))
        .outerjoin(made, made.c.change == redaction_change.c.id)
        .outerjoin(removed, removed.c.removed == redaction_change.c.id)
        .order_by(redaction_change.c.id.desc())
    )
    return [
        RedactionChange(row.id, row.who, row.at_ms, row.note, row.boxes or 0, row.taken or 0, bool(row.undone))
        for row in tx.execute(query)
    ]


def in_force(tx: Connection, exhibits: Sequence[int]) -> dict[int, list[Redaction]]:
    found: dict[int, list[Redaction]] = {}
    for chunk in chunks(exhibits):
        query = select(redaction).where(redaction.c.exhibit.in_(chunk), *_live())  # type: ignore[arg-type]
        for row in tx.execute(query.order_by(redaction.c.page, redaction.c.id)):
            sides = {side: getattr(row, side) / _MILLION for side in _SIDES}
            found.setdefault(row.exhibit, []).append(
                Redaction(
                    **{name: getattr(row, name) for name in ("id", "exhibit", "page", "reason", "change")}, **sides
                )
            )
    return found
