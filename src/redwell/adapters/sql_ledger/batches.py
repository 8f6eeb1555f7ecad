"""Batches and the walks of their sources."""

import json
import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from redwell.adapters.sql.case_values import info, put_info
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.long_locators import key_of, stored_locator, whole_locator
from redwell.adapters.sql.moves import movable, moved
from redwell.adapters.sql.prepared import Prepared, as_json, constant, insert_rows, problems_json
from redwell.adapters.sql.tables import batch, ingestion, load_pending
from redwell.adapters.sql_ledger.batch_range import first_source
from redwell.adapters.sql_ledger.claim_rows import WAITS
from redwell.adapters.sql_ledger.open_renditions import is_rendering, open_renditions
from redwell.adapters.sql_ledger.seals import INGESTION, batch_seal, ingestion_seal
from redwell.core.case.families import FILE_DEPTH, SOURCE_DEPTH
from redwell.core.ids import uuid7_bytes
from redwell.core.names import display, unquoted
from redwell.core.work.records import Found, Walk
from redwell.core.work.transitions import TAKE, OpenRows, Stage, Standing
from redwell.ports.ledger import NewBatch

FILES = "files"  # that were found in the case so far
_ADD_FOUND = Prepared(insert_rows(ingestion, (*INGESTION, "state", "seal")))
_KNOWN = Prepared(
    select(ingestion.c.locator).where(ingestion.c.parent == bindparam("parent"), among(ingestion.c.locator, "locators"))
)
_CLAIM_WALKS = Prepared(
    ingestion.update()
    .where(
        ingestion.c.state != constant(Stage.DONE),
        movable(ingestion, TAKE),
        ingestion.c.source == constant(1),
        ingestion.c.batch == bindparam("batch"),
    )
    .values(moved(ingestion, TAKE))
    .returning(ingestion.c.id, ingestion.c.attempt, whole_locator(ingestion))
)
_open_of = (
    ingestion.c.state != constant(Stage.DONE),
    ingestion.c.state == bindparam("state"),
    ingestion.c.source == bindparam("source"),
    ingestion.c.batch == bindparam("batch"),
)
_OPEN = Prepared(select(func.count()).select_from(ingestion).where(*_open_of))
_WAITING = Prepared(select(ingestion.c.id).where(*WAITS).limit(constant(1)).offset(bindparam("count")))
_ANY = Prepared(select(ingestion.c.id).where(*_open_of).limit(constant(1)))
_STATES = (Stage.FOUND, Stage.READING, Stage.GATHERED, Stage.WAITING)  # that are open
# The last one, which is indexed last. What is older than the batch is not looked at. Asked whether there is an exhibit
# of the batch, PostgreSQL would look for it among all of the case; so it is asked of which batch each pending one is.
_batch_of_pending = select(ingestion.c.batch).where(ingestion.c.id == load_pending.c.exhibit).scalar_subquery()
_pending_of = (
    load_pending.c.exhibit > first_source(bindparam("batch")),
    _batch_of_pending == bindparam("batch"),
)
_LAST_UNINDEXED = Prepared(
    select(load_pending.c.exhibit).where(*_pending_of).order_by(load_pending.c.exhibit.desc()).limit(constant(1))
)
_IS_UNINDEXED = Prepared(select(load_pending.c.exhibit).where(load_pending.c.exhibit == bindparam("exhibit")))
_UNINDEXED = Prepared(select(func.count()).select_from(load_pending).where(*_pending_of))


def create_batch(tx: Connection, new: NewBatch) -> int:
    row: dict[str, Any] = {
        "uid": uuid7_bytes(),
        "type": new.type,
        "custodian": new.custodian,
        "settings": json.dumps(dict(new.settings), sort_keys=True),
        "sources": len(new.sources),
        "created_ms": time.time_ns() // 1_000_000,
    }
    row["seal"] = batch_seal(row)
    key = int(tx.execute(batch.insert().returning(batch.c.id), row).scalar_one())
    for ordinal, source in enumerate(new.sources):
        tx.execute(ingestion.insert(), _source_row(key, ordinal, source))
    return key


def _source_row(key: int, ordinal: int, locator: str) -> dict[str, Any]:
    return {
        "uid": uuid7_bytes(),
        "batch": key,
        **stored_locator(locator),
        "source": 1,
        "name": display(unquoted(locator)),
        "path": "",
        "ordinal": ordinal,
        "depth": SOURCE_DEPTH,
        "role": "source",
        "state": Stage.FOUND,
    }


def claim_walks(tx: Connection, key: int, worker: str) -> list[Walk]:
    rows = sorted(_CLAIM_WALKS.all(tx, batch=key, worker=worker))
    return [Walk(id=i, attempt=attempt, batch=key, locator=locator) for i, attempt, locator in rows]


def holds_walk(tx: Connection, walk: Walk) -> bool:
    query = select(ingestion.c.id).where(
        ingestion.c.id == walk.id, ingestion.c.attempt == walk.attempt, ingestion.c.state == Stage.READING
    )
    return tx.execute(query).first() is not None


def add_found(tx: Connection, walk: Walk, found: Sequence[Found]) -> int:
    """Insert what is new, in walking order behind all files of the case; the exceptions among it are done at once."""
    locators = as_list(key_of(f.locator) for f in found)
    known = {locator for (locator,) in _KNOWN.all(tx, parent=walk.id, locators=locators)}
    fresh = [f for f in found if key_of(f.locator) not in known]
    if fresh:
        last = int(info(tx, FILES) or 0)
        _ADD_FOUND.many(tx, [_found_row(walk, f, ordinal) for ordinal, f in enumerate(fresh, last + 1)])
        put_info(tx, FILES, str(last + len(fresh)))
    return len(fresh)


def _found_row(walk: Walk, found: Found, ordinal: int) -> dict[str, Any]:
    row = {
        "uid": uuid7_bytes(),
        "batch": walk.batch,
        "parent": walk.id,
        **stored_locator(found.locator),
        "source": 0,
        "name": found.name,
        "path": found.path,
        "root": None,
        "ordinal": ordinal,
        "depth": FILE_DEPTH,
        "role": "file",
        "state": (Stage.DONE if found.outcome else Stage.FOUND).value,
        "document": None,
        "derivation": None,
        "listed": None,
        "outcome": found.outcome,
        "detail": found.problem.detail if found.problem else found.detail,
        "problems": problems_json([found.problem] if found.problem else []),
        "size": found.size,
        "dates": as_json(found.dates),
        "metadata": "{}",
        "seal": None,
    }
    if found.outcome:
        row["seal"] = ingestion_seal(row)
    return row


def close_walk(tx: Connection, walk: Walk, listed: int) -> None:
    """A walk that was begun again may have missed what the first one found: then the rows are more."""
    rows = tx.execute(select(func.count()).where(ingestion.c.parent == walk.id)).scalar_one()
    row = tx.execute(select(ingestion).where(ingestion.c.id == walk.id)).mappings().one()
    closed = {"state": Stage.DONE, "owner": None, "listed": max(listed, rows)}
    tx.execute(
        ingestion.update().where(ingestion.c.id == walk.id).values(**closed, seal=ingestion_seal({**row, **closed}))
    )


def walked_so_far(tx: Connection, source: int) -> tuple[int, str | None]:
    """How many files of a source are known, and the last one; numbers are given in walking order."""
    below = ingestion.c.parent == source
    count, last = tx.execute(select(func.count(), func.max(ingestion.c.id + constant(0))).where(below)).one()
    return count, tx.execute(select(ingestion.c.path).where(ingestion.c.id == last)).scalar()


def standing(tx: Connection, key: int, seen: dict[int, int]) -> Standing:
    """Cheap, however many rows are open. What was `seen` of batches in the index's queue is kept for the next time."""
    there = [state for state in _STATES for source in (1, 0) if _ANY.all(tx, batch=key, state=state, source=source)]
    if there:
        return Standing.UNREAD if Stage.FOUND in there else Standing.OPEN
    if _is_unindexed(tx, key, seen):
        return Standing.UNINDEXED
    return Standing.RENDERING if is_rendering(tx, key) else Standing.OVER


def _is_unindexed(tx: Connection, key: int, seen: dict[int, int]) -> bool:
    """While the exhibit that was seen last is there, none is looked for among those of all batches."""
    if key in seen and _IS_UNINDEXED.all(tx, exhibit=seen[key]):
        return True
    last = [exhibit for (exhibit,) in _LAST_UNINDEXED.all(tx, batch=key)]
    seen.update((key, exhibit) for exhibit in last)
    return bool(last)


def waits_for_more_than(tx: Connection, key: int, count: int) -> bool:
    """Looks at no more rows than that, however many are open."""
    return bool(_WAITING.all(tx, batch=key, count=count))


def open_rows(tx: Connection, key: int) -> OpenRows:
    """Reads what is open of this batch, not what others have open."""
    walks = sum(_open(tx, key, state, source=1) for state in _STATES)
    of_files = {state: _open(tx, key, state, source=0) for state in _STATES}
    waiting = of_files.pop(Stage.WAITING)
    [(unindexed,)] = _UNINDEXED.all(tx, batch=key)
    return OpenRows(walks, sum(of_files.values()), waiting, unindexed, *open_renditions(tx, key))


def _open(tx: Connection, key: int, state: Stage, source: int) -> int:
    [(count,)] = _OPEN.all(tx, batch=key, state=state, source=source)
    return int(count)


def finish_batch(tx: Connection, key: int) -> bool:
    """True the first time that nothing is open any more."""
    if standing(tx, key, {}) is not Standing.OVER:
        return False
    now = time.time_ns() // 1_000_000
    ended = batch.update().where(batch.c.id == key, batch.c.finished_ms.is_(None)).values(finished_ms=now)
    return tx.execute(ended).rowcount == 1
