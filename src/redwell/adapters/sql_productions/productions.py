"""Productions and their numbers, each function in the transaction that it is given."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from redwell.adapters.sql.production_tables import bates_range, production, production_member
from redwell.adapters.sql_productions import redactions
from redwell.adapters.sql_review.audit_log import append, now_ms
from redwell.adapters.sql_review.coding import chunks
from redwell.core.errors import Conflict, NotFound
from redwell.core.production.redactions import Redaction
from redwell.core.production.values import Member, Production, Terms, Treatment, last_number
from redwell.core.review.values import Action, Entry
from redwell.ports.productions import NewProduction

_AT_ONCE = 1_000
_MEMBER = Member.__struct_fields__


def create(tx: Connection, new: NewProduction, members: Sequence[Member]) -> Production:
    if tx.execute(select(production.c.id).where(production.c.folded == new.name.casefold())).scalar() is not None:
        raise Conflict(f"there is a production {new.name!r} already; its set is frozen: choose another name")
    first, last = members[0].first, last_number(new.terms, members[-1])
    _check_unused(tx, new.terms, first, last)
    row = {
        "name": new.name,
        "folded": new.name.casefold(),
        "query": new.query,
        "who": new.who,
        "created_ms": now_ms(),
        "terms": msgspec.json.encode(new.terms).decode(),
        "first": first,
        "last": last,
        "documents": len(members),
        "pages": sum(member.pages for member in members),
        "left_out": json.dumps(new.left_out),
    }
    key = int(tx.execute(insert(production).values(row).returning(production.c.id)).scalar_one())
    for some in _some(members):
        tx.execute(insert(production_member), [{"production": key, **msgspec.to_builtins(each)} for each in some])
    tx.execute(insert(bates_range).values(prefix=new.terms.prefix.casefold(), first=first, last=last, production=key))
    told = {"production": new.name, "documents": len(members), "first": str(new.terms.number(first))}
    append(tx, [Entry(who=new.who, action=Action.PRODUCED, detail=told)])
    return find(tx, new.name)


def _some(members: Sequence[Member]) -> Iterator[Sequence[Member]]:
    return (members[at : at + _AT_ONCE] for at in range(0, len(members), _AT_ONCE))


def _check_unused(tx: Connection, terms: Terms, first: int, last: int) -> None:
    """By the range that ends next behind the first number: ranges do not overlap, so no other can."""
    query = select(bates_range).where(bates_range.c.prefix == terms.prefix.casefold(), bates_range.c.last >= first)
    nearest = tx.execute(query.order_by(bates_range.c.last).limit(1)).first()
    if nearest is not None and nearest.first <= last:
        free = next_number(tx, terms.prefix)
        used = f"{terms.number(nearest.first)} to {terms.number(nearest.last)}"
        raise Conflict(f"numbers are issued once, and {used} were before: begin with --start {free}, or another prefix")


def next_number(tx: Connection, prefix: str) -> int:
    query = select(func.max(bates_range.c.last)).where(bates_range.c.prefix == prefix.casefold())
    return (tx.execute(query).scalar() or 0) + 1


def find(tx: Connection, name: str) -> Production:
    row = tx.execute(select(production).where(production.c.folded == name.casefold())).mappings().first()
    if row is None:
        raise NotFound(f"there is no production {name!r}; `redwell production list` has them")
    return _production(row)


def productions(tx: Connection) -> list[Production]:
    return [_production(row) for row in tx.execute(select(production).order_by(production.c.id)).mappings()]


def _production(row: Any) -> Production:
    plain = {name: row[name] for name in Production.__struct_fields__ if name in row}
    terms, left_out = msgspec.json.decode(row["terms"], type=Terms), json.loads(row["left_out"])
    return Production(**{**plain, "terms": terms, "left_out": left_out, "is_fixed": row["redactions"] is not None})


def members(tx: Connection, key: int, after: int) -> list[Member]:
    """Some of them, behind one by its order."""
    query = select(production_member).where(production_member.c.production == key, production_member.c.ordinal > after)
    rows = tx.execute(query.order_by(production_member.c.ordinal).limit(_AT_ONCE)).mappings()
    return [Member(**{**{n: row[n] for n in _MEMBER}, "treatment": Treatment(row["treatment"])}) for row in rows]


def issued(tx: Connection, exhibits: Iterable[int]) -> dict[int, list[tuple[str, str]]]:
    found: dict[int, list[tuple[str, str]]] = {}
    for chunk in chunks(list(exhibits)):
        query = (
            select(production_member.c.exhibit, production_member.c.first, production.c.name, production.c.terms)
            .join(production, production.c.id == production_member.c.production)
            .where(production_member.c.exhibit.in_(chunk))
            .order_by(production.c.id)
        )
        for row in tx.execute(query):
            number = str(msgspec.json.decode(row.terms, type=Terms).number(row.first))
            found.setdefault(row.exhibit, []).append((row.name, number))
    return found


def fix(tx: Connection, key: int, who: str) -> dict[int, list[Redaction]]:
    row = tx.execute(select(production.c.name, production.c.redactions).where(production.c.id == key)).one()
    if row.redactions is None:
        query = select(production_member.c.exhibit).where(production_member.c.production == key)
        found = redactions.in_force(tx, list(tx.execute(query).scalars()))
        kept = msgspec.json.encode([each for boxes in found.values() for each in boxes]).decode()
        tx.execute(update(production).where(production.c.id == key).values(redactions=kept))
        told = {"production": row.name, "redactions": sum(map(len, found.values()))}
        append(tx, [Entry(who=who, action=Action.REDACTIONS_FIXED, detail=told)])
        return found
    fixed: dict[int, list[Redaction]] = {}
    for each in msgspec.json.decode(row.redactions, type=list[Redaction]):
        fixed.setdefault(each.exhibit, []).append(each)
    return fixed


def written(tx: Connection, key: int, manifest: str, who: str) -> None:
    name = tx.execute(
        update(production).where(production.c.id == key).values(manifest=manifest).returning(production.c.name)
    ).scalar_one()
    append(tx, [Entry(who=who, action=Action.PRODUCTION_WRITTEN, detail={"production": name, "manifest": manifest})])
