"""The SourceStore on a SQL database. Keeps the promises of ports.sources."""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.prepared import as_json
from redwell.adapters.sql.understanding_tables import acquisition, arrival, source
from redwell.adapters.sql_review.audit_log import append
from redwell.adapters.sql_understanding import acquisitions
from redwell.core.errors import NotFound
from redwell.core.review.values import Action, Entry
from redwell.core.trip import trip
from redwell.core.work.attempts import ACQUISITION
from redwell.ports.sources import Arrival, Sighted, Source

_AT_ONCE = 500


class SqlSourceStore:
    def __init__(self, database: Database, tries: int = ACQUISITION) -> None:
        self._database, self._tries = database, tries

    def add(self, kind: str, name: str, settings: Mapping[str, Any], who: str) -> Source:
        def work(tx: Connection) -> Source:
            there = tx.execute(select(source.c.id).where(source.c.kind == kind, source.c.name == name)).scalar()
            row = {"settings": as_json(settings), "state": "active"}
            if there is None:
                new = insert(source).values(kind=kind, name=name, who=who, at_ms=_now(), **row)
                there = tx.execute(new.returning(source.c.id)).scalar_one()
            else:
                tx.execute(update(source).where(source.c.id == there).values(row))
            append(tx, [Entry(who=who, action=Action.SOURCE_CHANGED, detail={"source": name, "state": "active"})])
            return _one(tx, there)

        return self._database.write(work)

    def all(self) -> list[Source]:
        with self._database.read() as tx:
            return _sources(tx, select(source).where(source.c.state != "removed").order_by(source.c.id))

    def set_state(self, key: int, state: str, who: str) -> Source:
        def work(tx: Connection) -> Source:
            changed = _one(tx, key)
            tx.execute(update(source).where(source.c.id == key).values(state=state))
            if state == "active":
                acquisitions.try_again(tx, key)
            append(tx, [Entry(who=who, action=Action.SOURCE_CHANGED, detail={"source": changed.name, "state": state})])
            return _one(tx, key)

        return self._database.write(work)

    def known(self, key: int, keys: Sequence[str]) -> set[str]:
        found = set[str]()
        with self._database.read() as tx:
            for start in range(0, len(keys), _AT_ONCE):
                chosen = and_(arrival.c.source == key, arrival.c.key.in_(keys[start : start + _AT_ONCE]))
                found |= set(tx.execute(select(arrival.c.key).where(chosen)).scalars())
        return found

    def queue(self, key: int, found: Sequence[Sighted], cursor: str | None = None) -> int:
        def work(tx: Connection) -> int:
            added = acquisitions.add(tx, key, found, _now())
            if cursor is not None:
                tx.execute(update(source).where(source.c.id == key).values(cursor=cursor, detail=""))
            trip("acquire.before_commit")
            return added

        added = self._database.write(work)
        trip("acquire.after_commit")
        return added

    def queued(self, key: int, most: int) -> list[Sighted]:
        with self._database.read() as tx:
            return acquisitions.following(tx, key, most)

    def acquired(self, key: int, wanted: str, arrival: Arrival | None) -> bool:
        def work(tx: Connection) -> bool:
            acquisitions.end(tx, key, wanted)
            new = _arrive(tx, key, [arrival] if arrival else [])
            trip("arrive.before_commit")
            return bool(new)

        added = self._database.write(work)
        trip("arrive.after_commit")
        return added

    def not_acquired(self, key: int, wanted: str, detail: str, is_gone: bool = False) -> None:
        self._database.write(lambda tx: acquisitions.fail(tx, key, wanted, detail, 0 if is_gone else self._tries))

    def arrive(self, key: int, arrivals: Sequence[Arrival]) -> list[Arrival]:
        def work(tx: Connection) -> list[Arrival]:
            new = _arrive(tx, key, arrivals)
            trip("arrive.before_commit")
            return new

        added = self._database.write(work)
        trip("arrive.after_commit")
        return added

    def has_content(self, key: int, sha256: bytes) -> bool:
        query = select(arrival.c.key).where(arrival.c.source == key, arrival.c.sha256 == sha256).limit(1)
        with self._database.read() as tx:
            return tx.execute(query).scalar() is not None

    def open_arrivals(self, key: int) -> list[Arrival]:
        with self._database.read() as tx:
            return _arrivals(tx, select(arrival).where(arrival.c.source == key, arrival.c.batch.is_(None)))

    def taken(self, key: int, keys: Sequence[str], batch: int) -> None:
        def work(tx: Connection) -> None:
            for start in range(0, len(keys), _AT_ONCE):
                chosen = and_(arrival.c.source == key, arrival.c.key.in_(keys[start : start + _AT_ONCE]))
                tx.execute(update(arrival).where(chosen).values(batch=batch))

        self._database.write(work)

    def arrivals(self, key: int, batch: int) -> list[Arrival]:
        with self._database.read() as tx:
            return _arrivals(tx, select(arrival).where(arrival.c.source == key, arrival.c.batch == batch))

    def trouble(self, key: int, detail: str) -> None:
        self._database.write(
            lambda tx: tx.execute(update(source).where(source.c.id == key).values(detail=detail[:500]))
        )

    def close(self) -> None:
        self._database.close()


def _one(tx: Connection, key: int) -> Source:
    found = _sources(tx, select(source).where(source.c.id == key))
    if not found:
        raise NotFound(f"there is no source {key}; `redwell source list` shows them")
    return found[0]


def _arrive(tx: Connection, key: int, arrivals: Sequence[Arrival]) -> list[Arrival]:
    new = list[Arrival]()
    for each in arrivals:
        row = {"source": key, "key": each.key, "name": each.name, "sha256": each.sha256}
        made = upsert(arrival).values(**row, said=as_json(each.said), at_ms=_now()).on_conflict_do_nothing()
        if tx.execute(made.returning(arrival.c.key)).scalar() is not None:
            new.append(each)
    values: dict[str, Any] = {"detail": ""} | ({"last_arrival_ms": _now()} if new else {})
    tx.execute(update(source).where(source.c.id == key).values(values))
    return new


def _sources(tx: Connection, query: Select[Any]) -> list[Source]:
    of_state = select(acquisition.c.source, acquisition.c.state, func.count().label("many"))
    counted = tx.execute(of_state.group_by(acquisition.c.source, acquisition.c.state))
    queued = {(row.source, row.state): row.many for row in counted}
    return [
        Source(
            id=row.id,
            kind=row.kind,
            name=row.name,
            settings=json.loads(row.settings),
            cursor=row.cursor,
            state=row.state,
            last_arrival_ms=row.last_arrival_ms,
            detail=row.detail,
            waiting=queued.get((row.id, acquisitions.WAITING), 0),
            failed=queued.get((row.id, acquisitions.FAILED), 0),
        )
        for row in tx.execute(query)
    ]


def _arrivals(tx: Connection, query: Select[Any]) -> list[Arrival]:
    return [
        Arrival(key=row.key, name=row.name, sha256=bytes(row.sha256), said=json.loads(row.said), batch=row.batch)
        for row in tx.execute(query.order_by(arrival.c.at_ms, arrival.c.key))
    ]


def _now() -> int:
    return time.time_ns() // 1_000_000
