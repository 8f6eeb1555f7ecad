"""The queue of the load: exhibits that ended, or changed since, and whose load is not complete as they are now."""

from collections.abc import Sequence

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    null,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.database_clock import now_ms
from redwell.adapters.sql.list_parameters import among, as_list, rows_of
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import Integer, String, ingestion, load_pending
from redwell.adapters.sql_exhibits.exhibit_rows import put_back
from redwell.core.case.checkpoints import LOADED, Checkpoint
from redwell.core.work.transitions import Stage

_AT_ONCE = 5_000
LEASE_MS = 600_000  # far more than lies between two commits of an index


_ids = select(rows_of("ids", int).c.value).where(true())  # SQLite would take ON CONFLICT for a join's ON
_ADD = Prepared(
    insert(load_pending)
    .from_select(["exhibit"], _ids)
    .on_conflict_do_update(index_elements=["exhibit"], set_={"taken": constant(0)})
)
# A row is its own lock: whoever takes it first has it, until its lease is over. One that changes meanwhile stays with
# them: another loader could tell the index how it is now, and be followed by the first, who tells how it was.
_is_mine = load_pending.c.owner == bindparam("loader", type_=String)
_is_free = (load_pending.c.until_ms < now_ms()) | and_(load_pending.c.taken == constant(0), _is_mine)
_mine = {
    "taken": constant(1),
    "owner": bindparam("loader", type_=String),
    "until_ms": now_ms() + bindparam("lease_ms", type_=Integer),
}
_TAKE = Prepared(
    update(load_pending)
    .where(
        load_pending.c.exhibit.in_(
            select(load_pending.c.exhibit).where(_is_free).order_by(load_pending.c.exhibit).limit(bindparam("limit"))
        )
    )
    .values(_mine)
    .returning(load_pending.c.exhibit)
)
_TAKE_THESE = Prepared(
    update(load_pending)
    .where(among(load_pending.c.exhibit, "ids"), _is_free)
    .values(_mine)
    .returning(load_pending.c.exhibit)
)
_taken = (
    among(load_pending.c.exhibit, "ids"),
    load_pending.c.taken == constant(1),
    _is_mine,
)
_UNNUMBERED = Prepared(select(exhibit.c.id).where(among(exhibit.c.id, "ids"), exhibit.c.number.is_(None)))
_DROP = Prepared(delete(load_pending).where(among(load_pending.c.exhibit, "ids")))
_ENDED = Prepared(select(ingestion.c.id).where(among(ingestion.c.id, "ids"), ingestion.c.state == constant(Stage.DONE)))
_REACH = Prepared(
    update(exhibit)
    .where(exhibit.c.id.in_(select(load_pending.c.exhibit).where(*_taken)))
    .values(checkpoint=constant(LOADED))
)
_DONE = Prepared(delete(load_pending).where(*_taken))
_LEAVE = Prepared(  # what changed meanwhile is anybody's
    update(load_pending)
    .where(among(load_pending.c.exhibit, "ids"), load_pending.c.taken == constant(0), _is_mine)
    .values(owner=null(), until_ms=constant(0))
)


def add_pending(tx: Connection, exhibits: Sequence[int], reached: int = Checkpoint.STARTED) -> None:
    """Each is named once; its load goes on behind the checkpoint that it has reached and that still holds."""
    if exhibits:
        _ADD.run(tx, ids=as_list(exhibits))
        put_back(tx, exhibits, reached)


def add_ended(tx: Connection, after: int, reached: int) -> int | None:
    """Exhibits that have ended, from the one after `after` on; the last one that was looked at, None at the end."""
    ids = (
        select(ingestion.c.id, ingestion.c.state)
        .where(ingestion.c.id > after, ingestion.c.source == 0)
        .order_by(ingestion.c.id)
        .limit(_AT_ONCE)
    )
    rows = tx.execute(ids).all()
    add_pending(tx, [row.id for row in rows if row.state == Stage.DONE], reached)
    return rows[-1].id if rows else None


def add_ended_of(tx: Connection, exhibits: Sequence[int]) -> None:
    """Those of these that have ended: they have a number now, and were passed over before."""
    if exhibits:
        add_pending(tx, [key for (key,) in _ENDED.all(tx, ids=as_list(exhibits))])


def take_pending(tx: Connection, limit: int, loader: str, lease_ms: int = LEASE_MS) -> list[int]:
    """They stay pending until `mark_loaded`; nobody takes them a second time unless they change meanwhile, or the
    loader is not heard of for so long. What has no number yet leaves the queue, and comes back with its number."""
    while taken := {key for (key,) in _TAKE.all(tx, limit=limit, loader=loader, lease_ms=lease_ms)}:
        unnumbered = {key for (key,) in _UNNUMBERED.all(tx, ids=as_list(taken))}
        if unnumbered:
            _DROP.run(tx, ids=as_list(unnumbered))
        if numbered := taken - unnumbered:
            return sorted(numbered)
    return []


def take_these(tx: Connection, exhibits: Sequence[int], loader: str) -> list[int]:
    """Those of them that nobody has taken."""
    rows = _TAKE_THESE.all(tx, ids=as_list(exhibits), loader=loader, lease_ms=LEASE_MS)
    return [key for (key,) in rows]


def give_back(tx: Connection) -> None:
    """What a loader took that died before it marked them; reads the whole queue, once in a run."""
    held = load_pending.c.owner.is_not(None)
    tx.execute(update(load_pending).where(held).values(taken=0, owner=null(), until_ms=0))


def mark_loaded(tx: Connection, exhibits: Sequence[int], loader: str) -> None:
    """What changed since it was taken stays pending, and what another loader has taken over since is left to it."""
    ids = as_list(exhibits)
    _REACH.run(tx, ids=ids, loader=loader)
    _DONE.run(tx, ids=ids, loader=loader)
    _LEAVE.run(tx, ids=ids, loader=loader)
