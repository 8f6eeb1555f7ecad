"""Who works on a case: a row per process, whose number rises while it lives (core.liveness)."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql.lists import among, as_list
from redwell.adapters.sql.schema import derivation, ingestion, worker
from redwell.adapters.sql.statements import Prepared, constant
from redwell.core.jobs import WorkerRow
from redwell.core.ledger import Stage, Work

_ALL = Prepared(select(worker).order_by(worker.c.id))
_BEAT = Prepared(worker.update().where(worker.c.id == bindparam("key")).values(beat=worker.c.beat + constant(1)))
_GONE = Prepared(delete(worker).where(among(worker.c.id, "ids")))
_open = (derivation.c.state != constant(Work.DONE), derivation.c.state == constant(Work.LEASED))
_reading = (ingestion.c.state != constant(Stage.DONE), ingestion.c.state == constant(Stage.READING))


def register(tx: Connection, row: WorkerRow) -> None:
    tx.execute(insert(worker).values(asdict(row)).on_conflict_do_nothing())


def beat(tx: Connection, row: WorkerRow) -> None:
    """A worker that others took for dead and that lives after all is there again."""
    register(tx, row)
    _BEAT.run(tx, key=row.id)


def remove(tx: Connection, keys: Sequence[str]) -> None:
    _GONE.run(tx, ids=as_list(keys))


def workers(tx: Connection) -> list[WorkerRow]:
    return [WorkerRow(**row) for row in _ALL.rows(tx)]


def backlog(tx: Connection) -> int:
    open_rows = select(func.count()).where(ingestion.c.state != constant(Stage.DONE), ingestion.c.source == constant(0))
    return int(tx.execute(open_rows).scalar_one())


def at_work(tx: Connection) -> dict[str, dict[str, Any]]:
    """By worker: how many documents it holds, how many files it reads, and one of them by its path."""
    found: dict[str, dict[str, Any]] = {}
    held = select(derivation.c.owner, func.count(), func.min(derivation.c.id)).where(*_open)
    for owner, count, first in tx.execute(held.group_by(derivation.c.owner)):
        path = select(ingestion.c.path).where(
            ingestion.c.derivation == first, ingestion.c.state == constant(Stage.WAITING)
        )
        found[owner] = {"documents": count, "on": tx.execute(path.limit(1)).scalar() or ""}
    reads = select(ingestion.c.owner, func.count(), func.min(ingestion.c.path)).where(*_reading)
    for owner, count, path in tx.execute(reads.group_by(ingestion.c.owner)):
        found.setdefault(owner, {"documents": 0, "on": path})["reading"] = count
    return found
