"""Where each batch's loader is in its life (core.jobs.loader_life): written with what is told of it.

One value of the case for each batch. Who says a fact reads it in the transaction that changes it, and writers of a
case take turns: so whatever comes twice finds the phase that the first one left, and changes nothing.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.case_values import info, put_info
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import case_info, ingestion
from redwell.adapters.sql_ledger.batch_range import first_source, of_batch
from redwell.adapters.sql_queues.event_journal import add_event
from redwell.core.case.checkpoints import LOADED
from redwell.core.events.event import EventType
from redwell.core.jobs.loader_life import Fact, Life, Uploader, moved

CHUNK = 100  # exhibits that a consumer may take together (SPEC C1)
_KEY = "loader "
_RANGED = (EventType.BATCH_DOCUMENT_RELATIONS, EventType.BATCH_ATTACHMENTS)
_read = msgspec.json.Decoder(Life).decode
_NOT_LOADED = Prepared(
    select(ingestion.c.path)
    .join_from(ingestion, exhibit, exhibit.c.id == ingestion.c.id)
    .where(of_batch(ingestion, bindparam("batch")), exhibit.c.checkpoint != constant(LOADED))
    .order_by(ingestion.c.id)
    .limit(bindparam("limit"))
)


def say(tx: Connection, fact: Fact, batch: int, job: int, outcomes: Mapping[str, int] | None = None) -> Life:
    """The life after it. A loader without a queue has nothing to be cleared away: its end is told at once."""
    life = before = of(tx, batch)
    for each in (fact, Fact.CLEARED) if not life.queue else (fact,):
        after, told = moved(life, each)
        for kind in told:
            add_event(tx, kind, batch, job, _detail(tx, kind, batch, outcomes) | _queue(kind, life))
        life = msgspec.structs.replace(after, job=job) if told else after
    if life != before:
        keep(tx, batch, life)
    return life


def uploader_said(tx: Connection, batch: int, status: Uploader) -> None:
    """What becomes of the uploader is kept beside the load, and never stops it."""
    life = of(tx, batch)
    if life.uploader is status:
        return
    if status is Uploader.FAILED:
        add_event(tx, EventType.WARNING, batch, life.job, {"what": "the uploader failed; the load goes on"})
    keep(tx, batch, msgspec.structs.replace(life, uploader=status))


def of(tx: Connection, batch: int) -> Life:
    kept = info(tx, f"{_KEY}{batch}")
    return _read(kept) if kept else Life()


def all_of(tx: Connection) -> dict[int, Life]:
    rows = tx.execute(select(case_info.c.key, case_info.c.value).where(case_info.c.key.startswith(_KEY)))
    return {int(key.removeprefix(_KEY)): _read(value) for key, value in rows}


def keep(tx: Connection, batch: int, life: Life) -> None:
    put_info(tx, f"{_KEY}{batch}", msgspec.json.encode(life).decode())


def _detail(tx: Connection, kind: EventType, batch: int, outcomes: Mapping[str, int] | None) -> dict[str, Any]:
    if kind in _RANGED:
        first, last = _range(tx, batch)
        return {"startId": first, "endId": last + 1, "chunkSize": CHUNK}
    return {"outcomes": dict(outcomes or {})} if kind is EventType.LOADER_FINISHED else {}


def _queue(kind: EventType, life: Life) -> dict[str, Any]:
    """It listens to this one already: who is told of the start may send to it."""
    return {"queue": life.queue} if kind is EventType.LOADER_STARTED and life.queue else {}


def not_loaded(tx: Connection, batch: int) -> list[str]:
    """By their paths, some of the batch's exhibits whose load is not complete; looks through the batch."""
    return [path for (path,) in _NOT_LOADED.all(tx, batch=batch, limit=CHUNK)]


def _range(tx: Connection, batch: int) -> tuple[int, int]:
    """Ids of a batch's rows come after its sources; those of others may lie between, and none behind the newest."""
    first, newest = tx.execute(select(first_source(batch), select(func.max(ingestion.c.id)).scalar_subquery())).one()
    return int(first or 0), int(newest or 0)
