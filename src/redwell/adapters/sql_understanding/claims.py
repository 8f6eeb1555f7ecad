"""Which ingestions there are for understanding, and who is at them (SPEC B3, B7). In a transaction."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, and_, func, insert, or_, select, update

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.job_tables import job
from redwell.adapters.sql.prepared import as_json
from redwell.adapters.sql.tables import document as content
from redwell.adapters.sql.tables import ingestion
from redwell.adapters.sql.understanding_tables import understanding
from redwell.core.ids import uuid7_bytes
from redwell.core.trip import trip
from redwell.core.understanding.states import Status, died_each_time
from redwell.core.understanding.turns import Claimed, Want
from redwell.ports.understanding import Wish

_AT_ONCE = 500
_rows = understanding.c


def wish(tx: Connection, wishes: Sequence[Wish]) -> list[bytes]:
    asked = list[bytes]()
    for each in wishes:
        assert (each.source is None) != (each.uploader is None), "a source or a person, never both"
        document = tx.execute(select(exhibit.c.document).where(exhibit.c.id == each.exhibit)).scalar()
        if document is None:
            continue
        is_open = and_(_rows.document == document, _rows.status == Status.IN_PROGRESS)
        standing = tx.execute(select(_rows.uid, _rows.schema).where(is_open)).first()
        if standing is not None and standing.schema == each.schema and not (each.source or each.is_arrival):
            asked.append(bytes(standing.uid))
            continue
        uid = uuid7_bytes()
        row = {"uid": uid, "document": document, "source_metadata": as_json(each.said), "status": Status.IN_PROGRESS}
        kept = {"exhibit": each.exhibit, "schema": each.schema, "source": each.source, "uploader": each.uploader}
        tx.execute(insert(understanding).values(**row, **kept))
        asked.append(uid)
    return list(dict.fromkeys(asked))


def known(tx: Connection, exhibits: Sequence[int]) -> set[int]:
    found = set[int]()
    for start in range(0, len(exhibits), _AT_ONCE):
        chosen = exhibit.c.id.in_(exhibits[start : start + _AT_ONCE])
        query = select(exhibit.c.id).join(understanding, _rows.document == exhibit.c.document).where(chosen)
        found |= set(tx.execute(query).scalars())
    return found


def _free(stale_ms: int) -> ColumnElement[bool]:
    return and_(_rows.status == Status.IN_PROGRESS, or_(_rows.started_ms.is_(None), _rows.started_ms < stale_ms))


def claim(tx: Connection, want: Want, tries: int) -> list[Claimed]:
    """One conditional update; two that try have one winner, since writers take turns."""
    stale_ms = want.now_ms - want.stale_s * 1000
    while rows := _next_free(tx, want, stale_ms):
        if why := died_each_time(rows[0].attempt, tries):
            tx.execute(update(understanding).where(_rows.id == rows[0].id).values(failed(why, want.now_ms)))
            continue
        taken = update(understanding).where(_rows.id.in_([row.id for row in rows]), _free(stale_ms))
        taken = taken.values(started_ms=want.now_ms, owner=want.owner, attempt=_rows.attempt + 1)
        columns = (_rows.id, _rows.uid, _rows.exhibit, _rows.document, _rows.schema, _rows.attempt, _rows.owner)
        claimed = _told_apart(tx, [Claimed(**row) for row in tx.execute(taken.returning(*columns)).mappings()])
        trip("understand.claim.before_commit")
        return sorted(claimed, key=lambda each: each.id)
    return []


def _told_apart(tx: Connection, claimed: Sequence[Claimed]) -> list[Claimed]:
    """With what log lines about them say."""
    last = select(func.max(job.c.id)).where(job.c.batch == ingestion.c.batch).scalar_subquery()
    query = (
        select(ingestion.c.id, content.c.uid, ingestion.c.batch, last.label("job"))
        .join_from(ingestion, content, ingestion.c.document == content.c.id)
        .where(ingestion.c.id.in_([each.exhibit for each in claimed]))
    )
    about = {row.id: {"document_uid": bytes(row.uid), "batch": row.batch, "job": row.job} for row in tx.execute(query)}
    return [replace(each, **about.get(each.exhibit, {})) for each in claimed]


def _next_free(tx: Connection, want: Want, stale_ms: int) -> Sequence[Any]:
    """Stale ones first, then in their order; each by a look at one end of an index, however many are open."""
    query = select(_rows.id, _rows.attempt).where(_rows.status == Status.IN_PROGRESS)
    if want.uid:
        return tx.execute(query.where(_rows.uid == want.uid, _free(stale_ms))).all()
    stale = query.where(_rows.started_ms < stale_ms).order_by(_rows.started_ms, _rows.id).limit(1)
    if found := tx.execute(stale).all():
        return found
    waiting = tx.execute(query.where(_rows.started_ms.is_(None)).order_by(_rows.id).limit(want.most)).all()
    untried = list(takewhile(lambda row: not row.attempt, waiting))
    return untried or waiting[:1]


def failed(detail: str, now_ms: int) -> dict[str, object]:
    ended = {"status": Status.FAILED, "started_ms": None, "owner": None, "detail": detail[:2_000]}
    return {**ended, "completed_ms": now_ms, "flagged": 1, "doubt": 1_000_000}


def held_of(tx: Connection, held: Sequence[Claimed]) -> set[int]:
    """Those that are still in the hands of whoever claimed them."""
    mine = {(each.id, each.attempt, each.owner) for each in held}
    columns = (_rows.id, _rows.attempt, _rows.owner)
    is_held = and_(_rows.id.in_([each.id for each in held]), _rows.status == Status.IN_PROGRESS)
    query = select(*columns).where(is_held, _rows.started_ms.is_not(None))
    return {row.id for row in tx.execute(query) if (row.id, row.attempt, row.owner) in mine}


def _held(held: Claimed) -> ColumnElement[bool]:
    """By owner and attempt: what is handed back and claimed again may have the same attempt, but another owner."""
    return and_(
        _rows.id == held.id,
        _rows.attempt == held.attempt,
        _rows.owner == held.owner,
        _rows.status == Status.IN_PROGRESS,
        _rows.started_ms.is_not(None),
    )


def beat(tx: Connection, held: Sequence[Claimed], now_ms: int) -> set[int]:
    lost = set[int]()
    for each in held:
        if not tx.execute(update(understanding).where(_held(each)).values(started_ms=now_ms)).rowcount:
            lost.add(each.id)
    return lost


def status(tx: Connection, uid: bytes) -> Status | None:
    found = tx.execute(select(_rows.status).where(_rows.uid == uid)).scalar()
    return Status(found) if found else None


def orphans(tx: Connection, stale_ms: int) -> list[bytes]:
    return [bytes(uid) for uid in tx.execute(select(_rows.uid).where(_free(stale_ms)).order_by(_rows.id)).scalars()]


def owners(tx: Connection) -> list[str]:
    held = and_(_rows.status == Status.IN_PROGRESS, _rows.started_ms.is_not(None), _rows.owner.is_not(None))
    return list(tx.execute(select(_rows.owner).where(held).distinct()).scalars())


def free(tx: Connection, dead: Sequence[str]) -> int:
    held = and_(_rows.status == Status.IN_PROGRESS, _rows.owner.in_(dead))
    return tx.execute(update(understanding).where(held).values(started_ms=None, owner=None)).rowcount


def hand_back(tx: Connection, held: Sequence[Claimed]) -> None:
    for each in held:
        freed = {"started_ms": None, "owner": None, "attempt": _rows.attempt - 1}
        tx.execute(update(understanding).where(_held(each)).values(freed))
