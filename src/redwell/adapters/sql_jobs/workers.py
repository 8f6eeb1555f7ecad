"""Who works on a case: a row per process, whose number rises while it lives (core.jobs.liveness)."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Connection, bindparam, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql.job_tables import worker
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import ingestion
from redwell.core.jobs.job import WorkerRow
from redwell.core.work.transitions import Stage

_ALL = Prepared(select(worker).order_by(worker.c.id))
_BEAT = Prepared(worker.update().where(worker.c.id == bindparam("key")).values(beat=worker.c.beat + constant(1)))
_GONE = Prepared(delete(worker).where(among(worker.c.id, "ids")))


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
