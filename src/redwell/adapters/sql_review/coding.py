"""Tags and the changes of them, each in the transaction that it is given."""

from collections.abc import Iterator, Sequence
from itertools import islice

from sqlalchemy import Connection, delete, func, insert, select, update

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.review_tables import coded, coding, tag, tagging
from redwell.adapters.sql_review.audit_log import append, now_ms
from redwell.core.errors import Conflict, NotFound, UserError
from redwell.core.review.values import KEYS, Action, Changed, Coding, Entry, Tag, Undone, checked_name

AT_ONCE = 500
_NAMED = 50  # changes of more documents than this are one entry in the log, with their number


def add_tag(tx: Connection, name: str, who: str) -> Tag:
    name = checked_name(name, "a tag")
    if tx.execute(select(tag.c.id).where(tag.c.folded == name.casefold())).scalar() is not None:
        raise UserError(f"there is a tag {name!r} already")
    taken = set(tx.execute(select(tag.c.key)).scalars())
    key = next((key for key in KEYS if key not in taken), "")
    made = insert(tag).values(name=name, folded=name.casefold(), key=key).returning(tag.c.id)
    new = Tag(id=tx.execute(made).scalar_one(), name=name, key=key)
    append(tx, [Entry(who=who, action=Action.TAG_MADE, detail={"tag": name})])
    return new


def version(tx: Connection, key: int) -> int:
    return tx.execute(select(func.max(coded.c.coding)).where(coded.c.exhibit == key)).scalar() or 0


def code(tx: Connection, wanted: Coding) -> Changed:
    name = tx.execute(select(tag.c.name).where(tag.c.id == wanted.tag)).scalar()
    if name is None:
        raise NotFound(f"there is no tag {wanted.tag}")
    if wanted.seen is not None and any(version(tx, key) > wanted.seen for key in wanted.exhibits):
        raise Conflict("somebody has changed this document since you opened it: look at it again, then decide")
    changing = [key for chunk in chunks(wanted.exhibits) for key in _different(tx, wanted, chunk)]
    if not changing:
        return Changed(change=0, exhibits=0)
    number = _note_change(tx, wanted, changing)
    _apply(tx, wanted, changing)
    action = Action.TAGGED if wanted.on else Action.UNTAGGED
    append(tx, _entries(wanted.who, action, {"tag": name, "change": number}, changing))
    return Changed(change=number, exhibits=len(changing))


def _note_change(tx: Connection, wanted: Coding, changing: Sequence[int]) -> int:
    row = {"who": wanted.who, "at_ms": now_ms(), "tag": wanted.tag, "is_on": int(wanted.on)}
    number = int(tx.execute(insert(coding).values(row).returning(coding.c.id)).scalar_one())
    tx.execute(insert(coded), [{"exhibit": key, "coding": number} for key in changing])
    return number


def undo(tx: Connection, change: int, who: str) -> Undone:
    made = tx.execute(select(coding).where(coding.c.id == change, coding.c.who == who, coding.c.undone == 0)).first()
    if made is None:
        raise NotFound("there is no such change of yours, or it is undone already")
    later = coded.alias()
    touched = select(later.c.exhibit).where(later.c.exhibit == coded.c.exhibit, later.c.coding > change).exists()
    keys = list(tx.execute(select(coded.c.exhibit).where(coded.c.coding == change)).scalars())
    free = list(tx.execute(select(coded.c.exhibit).where(coded.c.coding == change, ~touched)).scalars())
    tx.execute(update(coding).where(coding.c.id == change).values(undone=1))
    back = Coding(who=who, tag=made.tag, on=not made.is_on, exhibits=tuple(free))
    if free:
        number = _note_change(tx, back, free)
        tx.execute(update(coding).where(coding.c.id == number).values(undone=1))
        _apply(tx, back, free)
    append(tx, _entries(who, Action.UNDONE, {"change": change}, free))
    return Undone(change=change, exhibits=len(free), kept=len(keys) - len(free))


def _different(tx: Connection, wanted: Coding, chunk: Sequence[int]) -> list[int]:
    """Exhibits that there are, and that are not so already, in the order they were named."""
    has = select(tagging.c.exhibit).where(tagging.c.tag == wanted.tag, tagging.c.exhibit.in_(chunk))
    having = set(tx.execute(has).scalars())
    there = set(tx.execute(select(exhibit.c.id).where(exhibit.c.id.in_(chunk))).scalars())
    return [key for key in chunk if key in there and (key in having) != wanted.on]


def _apply(tx: Connection, wanted: Coding, keys: Sequence[int]) -> None:
    if wanted.on:
        at_ms = now_ms()
        tx.execute(
            insert(tagging), [{"exhibit": k, "tag": wanted.tag, "who": wanted.who, "at_ms": at_ms} for k in keys]
        )
        return
    for chunk in chunks(keys):
        tx.execute(delete(tagging).where(tagging.c.tag == wanted.tag, tagging.c.exhibit.in_(chunk)))


def _entries(who: str, action: Action, detail: dict[str, object], keys: Sequence[int]) -> list[Entry]:
    if len(keys) > _NAMED:
        return [Entry(who=who, action=action, detail={**detail, "documents": len(keys)})]
    return [Entry(who=who, action=action, exhibit=key, detail=detail) for key in keys]


def chunks(keys: Sequence[int]) -> Iterator[list[int]]:
    following = iter(dict.fromkeys(keys))
    while chunk := list(islice(following, AT_ONCE)):
        yield chunk
