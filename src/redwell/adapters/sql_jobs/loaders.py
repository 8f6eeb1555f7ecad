"""Where each batch's loader is in its life (core.jobs.loader_life): written with what is told of it.

One value of the case for each batch. Who says a fact reads it in the transaction that changes it, and writers of a
case take turns: so whatever comes twice finds the phase that the first one left, and changes nothing.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.case_values import info, put_info
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import case_info, ingestion
from redwell.adapters.sql_jobs import batch_ends
from redwell.adapters.sql_ledger.batch_range import of_batch
from redwell.adapters.sql_queues.event_journal import add_event
from redwell.core.case.checkpoints import LOADED
from redwell.core.events.event import EventType
from redwell.core.jobs.batch_end import BatchChunk, BatchEnd
from redwell.core.jobs.loader_life import Fact, Life, Phase, Uploader, moved
from redwell.core.work.polling import Pace, Poll, Verdict, polled

_NAMED = 100
_KEY = "loader "
_read = msgspec.json.Decoder(Life).decode
_NOT_LOADED = Prepared(
    select(ingestion.c.path)
    .join_from(ingestion, exhibit, exhibit.c.id == ingestion.c.id)
    .where(of_batch(ingestion, bindparam("batch")), exhibit.c.checkpoint != constant(LOADED))
    .order_by(ingestion.c.id)
    .limit(bindparam("limit"))
)


def say(tx: Connection, fact: Fact, batch: int, job: int, outcomes: Mapping[str, int] | None = None) -> Life:
    """The life after it. A loader without a queue has nobody to take its chunks, and nothing to be cleared away: its
    end is told at once."""
    life = before = of(tx, batch)
    for each in (fact, Fact.CHECKED, Fact.CLEARED) if not life.queue else (fact,):
        after = _moved(tx, each, batch, msgspec.structs.replace(life, job=job), outcomes)
        life = after if after.phase is not life.phase else life
        if each is Fact.ALL_LOADED and life.phase is Phase.CHECKING and before.phase is not life.phase:
            life = _begin_end(tx, batch, life)
    if life != before:
        keep(tx, batch, life)
    return life


def _moved(tx: Connection, fact: Fact, batch: int, life: Life, outcomes: Mapping[str, int] | None = None) -> Life:
    after, told = moved(life, fact)
    for kind in told:
        add_event(tx, kind, batch, life.job, _detail(kind, outcomes) | _queue(kind, life))
    return after


def _begin_end(tx: Connection, batch: int, life: Life) -> Life:
    if life.queue:
        return _go_on(tx, batch, life)
    batch_ends.tell(tx, batch, life.job, batch_ends.chunks(tx, batch))
    return life


def _go_on(tx: Connection, batch: int, life: Life) -> Life:
    """The next chunks go out; with none left the batch has ended."""
    if not life.end.open:
        life = msgspec.structs.replace(life, end=life.end.following(batch_ends.chunks(tx, batch)))
        batch_ends.tell(tx, batch, life.job, life.end.open)
    if life.end.open:
        return life
    return _moved(tx, Fact.CHECKED, batch, msgspec.structs.replace(life, end=BatchEnd()))


def take_chunks(tx: Connection, batch: int, some: Sequence[BatchChunk]) -> dict[BatchChunk, list[str]]:
    """Somebody was told of these; those that are not complete, by name. What nobody waits for any more is no matter."""
    life = of(tx, batch)
    wanted = [each for each in some if each in life.end.open] if life.phase is Phase.CHECKING else []
    missing = batch_ends.incomplete(tx, batch, wanted)
    if taken := [each for each in wanted if each not in missing]:
        keep(tx, batch, _go_on(tx, batch, msgspec.structs.replace(life, end=life.end.without(taken))))
    return missing


def poll_end(tx: Connection, batch: int, scale: float, pace: Pace) -> None:
    """What nobody takes is looked at here, told anew, and in the end named and gone on without (SPEC C3-C6)."""
    life = of(tx, batch)
    end, now_ms = life.end, time.time_ns() // 1_000_000
    if life.phase is not Phase.CHECKING or now_ms < end.due_ms:
        return
    seen = polled(Poll(previous_count=end.previous, retry_count=end.retries), end.left, pace=pace)
    if seen.stalled:
        missing = batch_ends.incomplete(tx, batch, end.open)
        end = end.without(set(end.open) - missing.keys())
        if missing and seen.verdict is Verdict.RETRIES_EXHAUSTED:
            add_event(tx, EventType.WARNING, batch, life.job, batch_ends.name_missing(missing))
            end = end.without(missing)
        batch_ends.tell(tx, batch, life.job, end.open)
    following = {"previous": seen.following.previous_count, "retries": seen.following.retry_count}
    end = msgspec.structs.replace(end, due_ms=now_ms + int(seen.delay_s * scale * 1000), **following)
    keep(tx, batch, _go_on(tx, batch, msgspec.structs.replace(life, end=end)))


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


def _detail(kind: EventType, outcomes: Mapping[str, int] | None) -> dict[str, Any]:
    return {"outcomes": dict(outcomes or {})} if kind is EventType.LOADER_FINISHED else {}


def _queue(kind: EventType, life: Life) -> dict[str, Any]:
    """It listens to this one already: who is told of the start may send to it."""
    return {"queue": life.queue} if kind is EventType.LOADER_STARTED and life.queue else {}


def not_loaded(tx: Connection, batch: int) -> list[str]:
    """By their paths, some of the batch's exhibits whose load is not complete; looks through the batch."""
    return [path for (path,) in _NOT_LOADED.all(tx, batch=batch, limit=_NAMED)]
