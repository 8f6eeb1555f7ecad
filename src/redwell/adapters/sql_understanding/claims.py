"""How an ingestion for understanding moves: wished for, claimed, completed, failed (SPEC B3, B7). In a transaction."""

from collections.abc import Sequence

from msgspec.structs import asdict
from sqlalchemy import ColumnElement, Connection, and_, delete, insert, or_, select, update

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.prepared import as_json
from redwell.adapters.sql.understanding_tables import model_window, proposal, understanding
from redwell.adapters.sql_understanding.data_rows import write_data
from redwell.core.ids import uuid7_bytes
from redwell.core.trip import trip
from redwell.core.understanding.states import Status, after_failure
from redwell.ports.understanding import Claimed, Result, Window, Wish

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
    return asked


def known(tx: Connection, exhibits: Sequence[int]) -> set[int]:
    found = set[int]()
    for start in range(0, len(exhibits), _AT_ONCE):
        chosen = exhibit.c.id.in_(exhibits[start : start + _AT_ONCE])
        query = select(exhibit.c.id).join(understanding, _rows.document == exhibit.c.document).where(chosen)
        found |= set(tx.execute(query).scalars())
    return found


def _free(stale_ms: int) -> ColumnElement[bool]:
    return and_(_rows.status == Status.IN_PROGRESS, or_(_rows.started_ms.is_(None), _rows.started_ms < stale_ms))


def claim(tx: Connection, owner: str, now_ms: int, stale_ms: int, uid: bytes | None) -> Claimed | None:
    """One conditional update; two that try have one winner, since writers take turns."""
    query = select(_rows.id).where(_free(stale_ms))
    query = query.where(_rows.uid == uid) if uid else query.order_by(_rows.id).limit(1)
    key = tx.execute(query).scalar()
    if key is None:
        return None
    taken = update(understanding).where(_rows.id == key, _free(stale_ms))
    taken = taken.values(started_ms=now_ms, owner=owner, attempt=_rows.attempt + 1)
    columns = (_rows.id, _rows.uid, _rows.exhibit, _rows.document, _rows.schema, _rows.attempt)
    row = tx.execute(taken.returning(*columns)).mappings().first()
    trip("understand.claim.before_commit")
    return Claimed(**row) if row else None


def _held(held: Claimed) -> ColumnElement[bool]:
    return and_(
        _rows.id == held.id,
        _rows.attempt == held.attempt,
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
        tx.execute(update(understanding).where(_held(each)).values(started_ms=None, owner=None))


def complete(tx: Connection, held: Claimed, result: Result, now_ms: int) -> bool:
    """The trigger takes the result on to the document."""
    ended = {
        "status": Status.COMPLETED,
        "completed_ms": now_ms,
        "schema": result.schema,
        "structured_data": as_json(result.data) if result.data is not None else None,
        "flagged": int(result.is_flagged),
        "doubt": result.doubt,
        "model": result.model,
        "quality": result.quality,
        "detail": result.detail,
    }
    if not tx.execute(update(understanding).where(_held(held)).values(ended)).rowcount:
        return False
    tx.execute(delete(proposal).where(proposal.c.understanding == held.id))
    rows = [
        {"understanding": held.id, "path": each.path, "place": place, "body": as_json(asdict(each))}
        for place, each in enumerate(result.proposals)
    ]
    if rows:
        tx.execute(insert(proposal), rows)
    _write_windows(tx, held.id, result.windows)
    values = {each.path: each.value for each in result.proposals if each.value}
    write_data(tx, held.id, held.document, result.name, values)
    trip("understand.complete.before_commit")
    return True


def _write_windows(tx: Connection, key: int, windows: Sequence[Window]) -> None:
    tx.execute(delete(model_window).where(model_window.c.understanding == key))
    last = {(each.start, each.stop, each.part): {"understanding": key, **asdict(each)} for each in windows}
    if last:
        tx.execute(insert(model_window), list(last.values()))


def fail(tx: Connection, held: Claimed, detail: str, now_ms: int) -> Status | None:
    standing = after_failure(held.attempt)
    values: dict[str, object] = {"status": standing, "started_ms": None, "owner": None, "detail": detail[:2_000]}
    if standing is Status.FAILED:
        values |= {"completed_ms": now_ms, "flagged": 1, "doubt": 1_000_000}
    changed = tx.execute(update(understanding).where(_held(held)).values(values)).rowcount
    trip("understand.fail.before_commit")
    return standing if changed else None
