"""The journal of a case, read by those who tell others: rows, and the events of each (ports.messaging.event_log)."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, bindparam, delete, or_, select
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql.case_values import info, put_info
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.job_tables import event, job, parked_post
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import derivation, document, ingestion
from redwell.core.events.event import Component, Event, EventType
from redwell.core.events.packed import About, EventRow, Known, KnownWork, PackedEvents, unpacked
from redwell.core.ids import uuid_text
from redwell.core.work.kinds import Purpose
from redwell.ports.messaging.event_log import ParkedPost

MOST_PLACES = 10_000  # looked up for the works of one row
_ROWS = Prepared(select(event).where(event.c.id > bindparam("after")).order_by(event.c.id).limit(bindparam("limit")))
_OPEN_BATCHES = Prepared(select(job.c.batch).where(job.c.finished_ms.is_(None)))
_SPAN = Prepared(
    select(ingestion.c.id, document.c.uid)
    .join_from(ingestion, document, ingestion.c.document == document.c.id, isouter=True)
    .where(
        ingestion.c.id >= bindparam("first"),
        ingestion.c.id <= bindparam("last"),
        ingestion.c.source == constant(0),
        ingestion.c.batch == bindparam("batch"),
    )
    .order_by(ingestion.c.id)
)
_EXHIBITS = Prepared(
    select(ingestion.c.id, document.c.uid)
    .join_from(ingestion, document, ingestion.c.document == document.c.id)
    .where(among(ingestion.c.id, "ids"))
)
_WORKS = Prepared(
    select(derivation.c.id, document.c.uid)
    .join_from(derivation, document, derivation.c.document == document.c.id)
    .where(among(derivation.c.id, "ids"))
)
_PLACES = Prepared(
    select(derivation.c.id, ingestion.c.id)
    .join_from(derivation, ingestion, ingestion.c.document == derivation.c.document)
    .where(
        among(derivation.c.id, "ids"),
        or_(derivation.c.purpose != constant(Purpose.READ), ingestion.c.derivation == derivation.c.id),
        ingestion.c.batch == bindparam("batch"),
        ingestion.c.id <= bindparam("upto"),
    )
    .limit(constant(MOST_PLACES))
)


class SqlEventLog:
    """Keeps the promises of `ports.messaging.event_log.EventLog`; `case` is the number that events are told with."""

    def __init__(self, database: Database, case: int) -> None:
        self._database, self._case = database, case

    def rows(self, after: int = 0, limit: int = 1_000) -> list[EventRow]:
        with self._database.read() as tx:
            return [
                EventRow(key, EventType(kind), batch, packed(body))
                for key, kind, batch, body in _ROWS.all(tx, after=after, limit=limit)
            ]

    def unpack(self, rows: Sequence[EventRow]) -> list[Event]:
        with self._database.read() as tx:
            return [each for row in rows for each in unpacked(row, self._case, _known(tx, row))]

    def open_batches(self) -> set[int]:
        with self._database.read() as tx:
            return {batch for (batch,) in _OPEN_BATCHES.all(tx)}

    def told(self, who: str) -> int:
        with self._database.read() as tx:
            return int(info(tx, _key(who)) or 0)

    def tell_up_to(self, who: str, row: int) -> None:
        self._database.write(lambda tx: put_info(tx, _key(who), str(row)))

    def park(self, row: int, detail: str) -> None:
        parked = insert(parked_post).values(event=row, detail=detail).on_conflict_do_nothing()
        self._database.write(lambda tx: tx.execute(parked) and None)

    def unpark(self, row: int) -> None:
        self._database.write(lambda tx: tx.execute(delete(parked_post).where(parked_post.c.event == row)) and None)

    def parked(self) -> list[ParkedPost]:
        query = select(event.c.id, event.c.type, event.c.batch, parked_post.c.detail).join_from(
            parked_post, event, event.c.id == parked_post.c.event
        )
        with self._database.read() as tx:
            rows = tx.execute(query.order_by(event.c.id)).all()
        return [ParkedPost(event=key, type=kind, batch=batch, detail=why) for key, kind, batch, why in rows]


def packed(body: str) -> PackedEvents:
    return msgspec.json.decode(body, type=PackedEvents)


def _key(who: str) -> str:
    return f"told {who}"


def _known(tx: Connection, row: EventRow) -> Known:
    about, keys = row.packed.about, [key for group in row.packed.groups for key in group.keys]
    if about is About.WORKS:
        return Known(works=_known_works(tx, row, keys))
    if about is About.EXHIBITS and row.packed.span:
        first, last = row.packed.span
        found = _SPAN.all(tx, first=first, last=last, batch=row.batch)
        is_read = row.packed.source != Component.INTAKE  # of a file that a walk finds nobody knows the content yet
        return Known(exhibits={key: uuid_text(uid) if uid and is_read else None for key, uid in found})
    if about is About.EXHIBITS:
        return Known(exhibits={key: uuid_text(uid) for key, uid in _EXHIBITS.all(tx, ids=as_list(keys))})
    return Known()


def _known_works(tx: Connection, row: EventRow, keys: Sequence[int]) -> dict[int, KnownWork]:
    places: dict[int, list[int]] = {key: [] for key in keys}
    for key, exhibit in _PLACES.all(tx, ids=as_list(keys), batch=row.batch, upto=row.packed.upto):
        places[key].append(exhibit)
    works = _WORKS.all(tx, ids=as_list(keys))
    return {key: KnownWork(uuid_text(uid), tuple(sorted(places[key]))) for key, uid in works}
