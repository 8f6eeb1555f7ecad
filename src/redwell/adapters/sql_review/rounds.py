"""Rounds of review on a SQL database. Writers of a case take turns, so no two people are ever given the same."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, func, insert, or_, select, update

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.review_tables import review_item as item
from redwell.adapters.sql.review_tables import review_round, tagging
from redwell.adapters.sql_review.audit_log import append, now_ms
from redwell.adapters.sql_review.coding import chunks
from redwell.adapters.sql_review.deleted import mark_deleted, shown
from redwell.core.errors import Conflict, NotFound, UserError
from redwell.core.review.rounds import Item, NewRound, Portion, Round, portion, tags_told
from redwell.core.review.values import Action, Entry, checked_name

_ROUNDS = select(*shown(review_round)).where(review_round.c.deleted_ms == 0)
FAMILY_MORE = 500  # further items looked at, for the rest of the last family


class SqlReviewRounds:
    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Round]:
        with self._database.read() as tx:
            return [_round(tx, row) for row in tx.execute(_ROUNDS.order_by(review_round.c.id))]

    def one(self, key: int) -> Round:
        with self._database.read() as tx:
            return _one(tx, key)

    def make(self, new: NewRound, items: Sequence[Item]) -> Round:
        name = checked_name(new.name, "a round")
        if not items:
            raise UserError("there is no document to be handed out")

        def work(tx: Connection) -> Round:
            row = {"name": name, "query": new.query, "who": new.who, "at_ms": now_ms(), "size": new.size}
            row |= {"lease_s": new.lease_s, "second_of": new.second_of, "seed": new.seed}
            key = tx.execute(insert(review_round).values(row).returning(review_round.c.id)).scalar_one()
            tx.execute(insert(item), [_row(key, place, each) for place, each in enumerate(items)])
            detail = {"round": key, "name": name, "documents": len(items)}
            append(tx, [Entry(who=new.who, action=Action.ROUND_MADE, detail=detail)])
            return _one(tx, key)

        return self._database.write(work)

    def hand_out(self, key: int, who: str) -> Portion:
        return self._database.write(lambda tx: _hand_out(tx, key, who))

    def held(self, key: int, who: str) -> list[int]:
        mine = and_(_within(key), item.c.holder == who)
        latest = select(func.max(item.c.lease_ms)).where(mine).scalar_subquery()
        query = select(item.c.exhibit).where(mine, item.c.lease_ms == latest).order_by(item.c.position)
        with self._database.read() as tx:
            return list(tx.execute(query).scalars())

    def finish(self, key: int, exhibit: int, who: str) -> None:
        self._database.write(lambda tx: _finish(tx, key, exhibit, who))

    def give_back(self, key: int, who: str) -> int:
        def work(tx: Connection) -> int:
            mine = and_(_within(key), item.c.done_ms == 0, item.c.holder == who)
            count = tx.execute(update(item).where(mine).values(holder="", lease_ms=0)).rowcount
            if count:
                append(tx, [Entry(who=who, action=Action.GIVEN_BACK, detail={"round": key, "documents": count})])
            return count

        return self._database.write(work)

    def finished(self, key: int) -> list[Item]:
        query = select(item.c.exhibit, item.c.family, item.c.holder).where(_within(key), item.c.done_ms > 0)
        with self._database.read() as tx:
            rows = list(tx.execute(query.order_by(item.c.position)))
            tags = _tags(tx, [row.exhibit for row in rows])
            return [
                Item(exhibit=r.exhibit, family=r.family, before=tags.get(r.exhibit, ""), first_by=r.holder)
                for r in rows
            ]

    def drop(self, key: int, who: str) -> None:
        def work(tx: Connection) -> None:
            name = _one(tx, key).name
            mark_deleted(tx, review_round, review_round.c.id == key)
            append(tx, [Entry(who=who, action=Action.ROUND_DROPPED, detail={"round": key, "name": name})])

        self._database.write(work)


def _row(key: int, place: int, each: Item) -> dict[str, Any]:
    row = {"round": key, "position": place, "exhibit": each.exhibit, "family": each.family}
    return {**row, "first_by": each.first_by, "tags_before": each.before}


def _within(key: int) -> ColumnElement[bool]:
    """Nothing is in a round that was deleted."""
    return item.c.round.in_(select(review_round.c.id).where(review_round.c.id == key, review_round.c.deleted_ms == 0))


def _one(tx: Connection, key: int) -> Round:
    row = tx.execute(_ROUNDS.where(review_round.c.id == key)).first()
    if row is None:
        raise NotFound("there is no such round of review")
    return _round(tx, row)


def _round(tx: Connection, row: Any) -> Round:
    is_done = item.c.done_ms > 0
    is_out = and_(item.c.done_ms == 0, item.c.holder != "", item.c.lease_ms > now_ms())
    agreed = and_(is_done, item.c.tags_before == item.c.tags_after)
    sums = [func.sum(case((test, 1), else_=0)) for test in (is_done, is_out, agreed)]
    told = tx.execute(select(func.count(), *sums).where(item.c.round == row.id)).one()
    total, done, out, same = (int(each or 0) for each in told)
    return Round(**row._mapping, total=total, done=done, out=out, agreed=same)


def _hand_out(tx: Connection, key: int, who: str) -> Portion:
    of, now = _one(tx, key), now_ms()
    ends = now + of.lease_s * 1000
    left = select(item.c.exhibit, item.c.family).where(item.c.round == key, item.c.done_ms == 0)
    left = left.order_by(item.c.position)
    mine = [row.exhibit for row in tx.execute(left.where(item.c.holder == who, item.c.lease_ms > now))]
    if not mine:
        is_free = or_(item.c.holder == "", item.c.lease_ms <= now, item.c.holder == who)
        free = tx.execute(left.where(is_free, item.c.first_by != who).limit(of.size + FAMILY_MORE))
        mine = portion([(row.exhibit, row.family) for row in free], of.size)
        if mine:
            append(tx, [Entry(who=who, action=Action.HANDED_OUT, detail={"round": key, "documents": len(mine)})])
    for chunk in chunks(mine):
        held = and_(item.c.round == key, item.c.exhibit.in_(chunk))
        tx.execute(update(item).where(held).values(holder=who, lease_ms=ends))
    return Portion(round=key, exhibits=mine, ends_ms=ends)


def _finish(tx: Connection, key: int, exhibit: int, who: str) -> None:
    """Once; what is finished stays so."""
    row = tx.execute(select(item).where(_within(key), item.c.exhibit == exhibit)).first()
    if row is None:
        raise NotFound("this document is not in that round of review")
    if row.done_ms:
        return
    if row.holder != who:
        raise Conflict("your time for this document was over, and it went to somebody else: take the next portion")
    after = _tags(tx, [exhibit]).get(exhibit, "")
    place = and_(item.c.round == key, item.c.exhibit == exhibit)
    tx.execute(update(item).where(place).values(done_ms=now_ms(), tags_after=after))
    append(tx, [Entry(who=who, action=Action.REVIEWED, exhibit=exhibit, detail={"round": key})])


def _tags(tx: Connection, exhibits: Sequence[int]) -> dict[int, str]:
    found: dict[int, list[int]] = {}
    for chunk in chunks(exhibits):
        for row in tx.execute(select(tagging.c.exhibit, tagging.c.tag).where(tagging.c.exhibit.in_(chunk))):
            found.setdefault(row.exhibit, []).append(row.tag)
    return {exhibit: tags_told(tags) for exhibit, tags in found.items()}
