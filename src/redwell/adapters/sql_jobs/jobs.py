"""Jobs: the runs of batches, in what order they are served, and how they end."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, null, select

from redwell.adapters.sql.job_tables import job
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import batch
from redwell.adapters.sql_exhibits import kept_counts
from redwell.adapters.sql_jobs import loaders, runs
from redwell.adapters.sql_ledger import batches
from redwell.adapters.sql_ledger.seals import job_seal
from redwell.adapters.sql_queues.event_journal import add_event
from redwell.core.events.event import EventType
from redwell.core.jobs.job import Job, JobKind, JobState, NewJob
from redwell.core.jobs.loader_life import Fact
from redwell.core.jobs.run import NewRun

_open = job.c.finished_ms.is_(None)
_OPEN = Prepared(select(job).where(_open).order_by(job.c.batch))
_OPEN_OF = Prepared(select(job).where(_open, job.c.batch == bindparam("key")))
_SERVED = Prepared(
    job.update()
    .where(_open, among(job.c.batch, "batches"))
    .values(served_ms=bindparam("now"))  # core.jobs.priority's ageing
)

# nothing waits for its load when a job is over: the ledger says both (batches.standing)
_AFTER = {
    EventType.IMPORT_CANCELLED: (Fact.IMPORT_CANCELLED,),
    EventType.JOB_FINISHED: (Fact.JOB_FINISHED, Fact.ALL_LOADED),
}


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def ensure(tx: Connection, key: int, new: NewJob) -> int:
    """The open job of a batch; a new one, or the one that is there with what the new one brings along."""
    there = _OPEN_OF.rows(tx, key=key)
    if there:
        if new.passwords:
            tx.execute(job.update().where(job.c.id == there[0]["id"]).values(passwords=new.passwords))
        return int(there[0]["id"])
    added = int(tx.execute(job.insert().returning(job.c.id), _row(key, new)).scalar_one())
    tx.execute(batch.update().where(batch.c.id == key).values(finished_ms=null(), jobs=batch.c.jobs + 1))
    kept_counts.forget(tx, [key])
    add_event(tx, EventType.JOB_QUEUED, key, added, {"workerLimit": new.workers})
    return added


def _row(key: int, new: NewJob) -> dict[str, Any]:
    now = now_ms()
    return {
        "batch": key,
        "kind": new.kind,
        "state": JobState.QUEUED,
        "priority": new.priority,
        "workers": new.workers,
        "host": new.host,
        "passwords": new.passwords,
        "terms": new.terms,
        "created_ms": now,
        "served_ms": now,
    }


def open_jobs(tx: Connection) -> list[Job]:
    return [as_job(row) for row in _OPEN.rows(tx)]


def as_job(row: Mapping[Any, Any]) -> Job:
    known = {name: value for name, value in row.items() if name != "seal"}
    return Job(**{**known, "kind": JobKind(row["kind"]), "state": JobState(row["state"])})


def start(tx: Connection, key: int, worker: str, layers: Mapping[str, str], new: NewRun | None = None) -> None:
    """A worker begins with a job; the first one makes it running. `new` is kept with the case."""
    for row in _OPEN_OF.rows(tx, key=key):
        if row["started_ms"] is None:
            state = JobState.RUNNING if row["state"] == JobState.QUEUED else row["state"]
            tx.execute(job.update().where(job.c.id == row["id"]).values(started_ms=now_ms(), state=state))
            add_event(tx, EventType.JOB_STARTED, key, row["id"], {"workerLimit": row["workers"]})
            loaders.say(tx, Fact.JOB_STARTED, key, row["id"])
        if new:
            runs.begin(tx, {"batch": key, "job": row["id"], "worker": worker, "started_ms": now_ms()}, new, layers)
        detail = {"worker": worker, "layers": dict(layers)}
        add_event(tx, EventType.WORKER_STARTED, key, row["id"], detail)


def served(tx: Connection, keys: Sequence[int]) -> None:
    _SERVED.run(tx, batches=as_list(keys), now=now_ms())


def finish(tx: Connection, key: int, outcomes: Mapping[str, int]) -> bool:
    """True the first time that nothing of the batch is open any more: the ledger decides (SPEC A19).

    `outcomes` are the batch's, counted when nothing was open.
    """
    if not batches.finish_batch(tx, key):
        return False
    for row in _OPEN_OF.rows(tx, key=key):
        cancelled = row["state"] == JobState.CANCELLING
        state = JobState.CANCELLED if cancelled else JobState.FINISHED
        values = {"state": state.value, "finished_ms": now_ms()}
        tx.execute(job.update().where(job.c.id == row["id"]).values(**values, seal=job_seal({**row, **values})))
        kind = EventType.IMPORT_CANCELLED if cancelled else EventType.JOB_FINISHED
        add_event(tx, kind, key, row["id"], {"outcomes": dict(outcomes)})
        for fact in _AFTER[kind]:
            loaders.say(tx, fact, key, row["id"], outcomes)
    return True


def leave(tx: Connection, keys: Sequence[int], worker: str) -> None:
    """A worker leaves the jobs of these batches in order."""
    runs.end(tx, keys, worker, now_ms())
    for key in keys:
        row = tx.execute(select(job.c.id).where(job.c.batch == key).order_by(job.c.id.desc()).limit(1)).scalar_one()
        add_event(tx, EventType.WORKER_FINISHED, key, int(row), {"worker": worker})


def begin_cancelling(tx: Connection, key: int) -> bool:
    """True when the batch has an open job: from now on nobody begins anything of it."""
    cancelling = job.update().where(_open, job.c.batch == key).values(state=constant(JobState.CANCELLING))
    return tx.execute(cancelling).rowcount > 0
