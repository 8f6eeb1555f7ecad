"""Where each batch's uploader is in its life (core.viewing.uploader_life), and which contents it has handed over.

Like the loader's (loaders), its life is one value of the case for each batch, changed in the transaction that tells of
it. With the viewing engine that is built in there is no such value: its life goes with the job's, and is told here.
"""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.case_tables import uploaded
from redwell.adapters.sql.case_values import info, put_info
from redwell.adapters.sql.job_tables import event, job
from redwell.adapters.sql.prepared import Prepared, constant, insert_rows
from redwell.adapters.sql.tables import batch as batches
from redwell.adapters.sql.tables import case_info, document
from redwell.adapters.sql_jobs import loaders
from redwell.adapters.sql_queues.event_journal import add_event
from redwell.core.events.event import Component, EventType, Status
from redwell.core.events.packed import LONGEST_REASON, About, Group, PackedEvents
from redwell.core.ids import uuid7_bytes, uuid_text
from redwell.core.jobs.job import JobKind, JobState
from redwell.core.jobs.loader_life import Uploader
from redwell.core.viewing.uploader_life import UploaderFact, UploaderLife, moved

_KEY = "uploader "
_SAID = {
    EventType.UPLOADER_STARTED: Uploader.STARTED,
    EventType.UPLOADER_FINISHED: Uploader.FINISHED,
    EventType.UPLOADER_CANCELLED: Uploader.CANCELLED,
    EventType.UPLOADER_FAILED: Uploader.FAILED,
}
_of_content = (uploaded.c.batch == bindparam("key"), uploaded.c.document == bindparam("document"))
_IS_THERE = Prepared(select(uploaded.c.at_ms).where(*_of_content))
_DOCUMENT = Prepared(select(document.c.id).where(document.c.uid == bindparam("uid")))
_ADD = Prepared(insert_rows(uploaded, ("batch", "document", "file", "at_ms")).on_conflict_do_nothing())
_LAST_JOB = Prepared(
    select(job.c.id, job.c.kind, batches.c.settings, job.c.state)
    .join_from(job, batches, batches.c.id == job.c.batch)
    .where(job.c.batch == bindparam("key"))
    .order_by(job.c.id.desc())
    .limit(constant(1))
)
_read = msgspec.json.Decoder(UploaderLife).decode


def of(tx: Connection, key: int) -> UploaderLife:
    kept = info(tx, f"{_KEY}{key}")
    return _read(kept) if kept else UploaderLife()


def all_of(tx: Connection) -> dict[int, UploaderLife]:
    rows = tx.execute(select(case_info.c.key, case_info.c.value).where(case_info.c.key.startswith(_KEY)))
    return {int(key.removeprefix(_KEY)): _read(value) for key, value in rows}


def change(tx: Connection, key: int, changes: Mapping[str, Any]) -> UploaderLife:
    life = msgspec.structs.replace(of(tx, key), **changes)
    put_info(tx, f"{_KEY}{key}", msgspec.json.encode(life).decode())
    return life


def say(tx: Connection, key: int, fact: UploaderFact, changes: Mapping[str, Any], detail: Mapping[str, Any]) -> bool:
    """Whether the fact changed anything; then the changes go with it, and it is told."""
    life, told = moved(of(tx, key), fact)
    if life.phase is of(tx, key).phase:
        return False
    life = change(tx, key, {**changes, "phase": life.phase})
    if told:
        add_event(tx, told, key, life.job, detail)
        if told in _SAID:
            loaders.uploader_said(tx, key, _SAID[told])
    return True


def is_uploaded(tx: Connection, key: int, uid: bytes) -> bool:
    found = _DOCUMENT.all(tx, uid=uid)
    return bool(found and _IS_THERE.all(tx, key=key, document=found[0][0]))


def add(tx: Connection, key: int, uid: bytes, exhibits: Sequence[int], file: str) -> bool:
    """A content can be viewed; told the first time."""
    if is_uploaded(tx, key, uid):
        return False
    [(content,)] = _DOCUMENT.all(tx, uid=uid)
    _ADD.many(tx, [{"batch": key, "document": content, "file": file, "at_ms": time.time_ns() // 1_000_000}])
    tell_of(tx, EventType.DOCUMENT_UPLOADED, key, exhibits, {"file": file})
    return True


def tell_of(tx: Connection, kind: EventType, key: int, exhibits: Sequence[int], detail: Mapping[str, Any]) -> None:
    """Something about these exhibits; with a `reason` where it is an error."""
    status = Status.ERROR if kind is EventType.ERROR else Status.SUCCESS
    reason = str(detail.get("reason", ""))[:LONGEST_REASON]
    packed = PackedEvents(
        id=uuid_text(uuid7_bytes()),
        timestamp=time.time_ns() // 1_000_000,
        source=Component.UPLOADER.value,
        job=of(tx, key).job,
        status=status.value,
        detail={name: value for name, value in detail.items() if name != "reason"},
        about=About.EXHIBITS,
        groups=(Group(tuple(exhibits), "", reason),),
    )
    tx.execute(event.insert().values(type=kind.value, batch=key, body=packed.to_json()))


def begin_within(tx: Connection, key: int) -> None:
    """Of the engine that is built in: it begins with a job that makes PDFs."""
    [(last, kind, settings, _)] = _LAST_JOB.all(tx, key=key)
    known = json.loads(settings)
    makes = kind in (JobKind.RENDER, JobKind.IDLE) or "eager" in (known.get("pdf"), known.get("pages"))
    if makes and loaders.of(tx, key).uploader is not Uploader.STARTED:
        add_event(tx, EventType.UPLOADER_STARTED, key, last, {})
        loaders.uploader_said(tx, key, Uploader.STARTED)


def end_within(tx: Connection, key: int) -> None:
    """With the job, whichever way that ended."""
    if loaders.of(tx, key).uploader is Uploader.STARTED:
        [(last, _, _, state)] = _LAST_JOB.all(tx, key=key)
        kind = EventType.UPLOADER_CANCELLED if state == JobState.CANCELLED else EventType.UPLOADER_FINISHED
        add_event(tx, kind, key, last, {})
        loaders.uploader_said(tx, key, _SAID[kind])
