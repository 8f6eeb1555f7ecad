"""Queues in a SQL database: tables beside the case's own, or in a database of their own. Used by every worker.

In PostgreSQL workers claim beside each other and skip what another one is claiming; in SQLite they take turns.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import Connection

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.list_parameters import as_list
from redwell.adapters.sql.prepared import Prepared, as_json
from redwell.adapters.sql_queues import queue_tables as tables
from redwell.core.jobs.queue_names import checked
from redwell.ports.messaging.queue import Delivery, Depth, Message, NoSuchQueue, QueueSpec, require_sendable

FIRST_PAUSE_S = 0.01
LONGEST_PAUSE_S = 0.5
SLICE = 5_000  # rows deleted in one transaction


@dataclass(frozen=True, slots=True)
class _Known:
    id: int
    lease_ms: int
    max_receives: int
    tags: str
    dead: int | None  # the queue of its dead letters


def prepare(database: Database) -> None:
    """The tables, in a database of their own; those that are there stay as they are."""

    def work(tx: Connection) -> None:
        database.prepare(tx)
        tables.metadata.create_all(tx)

    database.write(work)


class SqlQueue:
    """Keeps the promises of `ports.messaging.queue.Queue`; safe to use from several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, _Known] = {}

    def create(self, spec: QueueSpec) -> None:
        self._database.write_one(lambda tx: create(tx, spec))
        self._known.pop(spec.name, None)

    def delete(self, name: str) -> None:
        try:
            known = self._look(name)
        except NoSuchQueue:
            return
        self._clear(known)
        self._database.write_one(lambda tx: tables.DROP.run(tx, name=name))
        self._clear(known)  # of what was sent meanwhile
        self._known.pop(name, None)

    def _clear(self, known: _Known) -> None:
        while self._rows(tables.CLEAR, queue=known.id, limit=SLICE):
            pass

    def names(self, prefix: str) -> list[str]:
        with self._database.read() as tx:
            return [name for (name,) in tables.NAMES.all(tx, prefix=prefix)]

    def tags(self, name: str) -> Mapping[str, str]:
        return msgspec.json.decode(self._look(name).tags, type=dict[str, str])

    def send(self, queue: str, messages: Sequence[Message]) -> None:
        require_sendable(messages)
        if messages:
            self._database.write_one(lambda tx: put(tx, queue, messages))

    def receive(self, queue: str, limit: int = 10, wait_s: int = 0, lease_s: int | None = None) -> list[Delivery]:
        known = self._known.get(queue) or self._look(queue)
        end, pause = time.monotonic() + wait_s, FIRST_PAUSE_S
        taken = self._claim(queue, known, limit, lease_s)
        while not taken and (left := end - time.monotonic()) > 0:
            time.sleep(min(pause, left))
            pause = min(2 * pause, LONGEST_PAUSE_S)
            known = self._look(queue)
            if self._is_ready(known):
                taken = self._claim(queue, known, limit, lease_s)
        if not taken:
            self._look(queue)  # it may be gone, or another one of its name be there
        return taken

    def extend(self, deliveries: Sequence[Delivery], lease_s: int) -> list[Delivery]:
        return self._of_holder(tables.HIDE, deliveries, later_ms=lease_s * 1000)

    def acknowledge(self, deliveries: Sequence[Delivery]) -> list[Delivery]:
        return self._of_holder(tables.REMOVE, deliveries)

    def give_back(self, deliveries: Sequence[Delivery], delay_s: int = 0) -> list[Delivery]:
        return self._of_holder(tables.HIDE, deliveries, later_ms=delay_s * 1000)

    def depth(self, queue: str) -> Depth:
        known = self._look(queue)
        with self._database.read() as tx:
            [(waiting, leased, delayed)] = tables.DEPTH.all(tx, queue=known.id)
        return Depth(waiting=waiting, leased=leased, delayed=delayed)

    def peek(self, queue: str, limit: int = 100) -> list[Delivery]:
        known = self._look(queue)
        with self._database.read() as tx:
            return _deliveries(queue, tables.PEEK.all(tx, queue=known.id, limit=limit))

    def redrive(self, source: str, target: str, limit: int = 1000) -> int:
        known, to = self._look(source), self._look(target)
        return len(self._rows(tables.MOVE, queue=known.id, to=to.id, limit=limit))

    def close(self) -> None:
        """The database belongs to who opened it."""

    def _claim(self, queue: str, known: _Known, limit: int, lease_s: int | None) -> list[Delivery]:
        later_ms = known.lease_ms if lease_s is None else lease_s * 1000

        while rows := self._rows(tables.CLAIM, queue=known.id, limit=limit, later_ms=later_ms):
            if live := self._living(rows, known):
                return _deliveries(queue, live)
        return []

    def _living(self, rows: Sequence[Any], known: _Known) -> list[Any]:
        """Without those that have been received too often: they are dead letters from now on."""
        if known.dead is None:
            return list(rows)
        if dead := [key for key, received, _ in rows if received > known.max_receives]:
            self._database.write_one(lambda tx: tables.BURY.run(tx, ids=as_list(dead), to=known.dead))
        return [row for row in rows if row[1] <= known.max_receives]

    def _is_ready(self, known: _Known) -> bool:
        with self._database.read() as tx:
            return bool(tables.READY.all(tx, queue=known.id)[0][0])

    def _of_holder(self, statement: Prepared, deliveries: Sequence[Delivery], **values: Any) -> list[Delivery]:
        """Returns those whose message is gone, or has been received by somebody since."""
        if not deliveries:
            return []
        ids, receipts = as_list(int(each.id) for each in deliveries), as_list(each.receipt for each in deliveries)
        held = {receipt for (receipt,) in self._rows(statement, ids=ids, receipts=receipts, **values)}
        return [each for each in deliveries if each.receipt not in held]

    def _rows(self, statement: Prepared, **values: Any) -> Sequence[Any]:
        return self._database.write_one(lambda tx: statement.all(tx, **values))

    def _look(self, name: str) -> _Known:
        with self._database.read() as tx:
            rows = tables.SPEC.rows(tx, name=name)
        if not rows:
            self._known.pop(name, None)
            raise NoSuchQueue(f"there is no queue {name}")
        self._known[name] = known = _Known(**rows[0])
        return known


def create(tx: Connection, spec: QueueSpec) -> None:
    tables.CREATE.run(
        tx,
        name=checked(spec.name),
        lease_ms=spec.lease_s * 1000,
        dead_letters=spec.dead_letters,
        max_receives=spec.max_receives,
        tags=as_json(spec.tags),
    )


def put(tx: Connection, queue: str, messages: Sequence[Message]) -> None:
    """With the transaction, where the caller has one; else those of one delay together."""
    for delay_s, some in groupby(messages, key=lambda each: each.delay_s):
        bodies = as_list(each.body for each in some)
        if not tables.SEND.all(tx, name=queue, later_ms=delay_s * 1000, bodies=bodies):
            raise NoSuchQueue(f"there is no queue {queue}")


def _deliveries(queue: str, rows: Iterable[Any]) -> list[Delivery]:
    return [
        Delivery(queue=queue, id=str(key), body=body, received=received, receipt=f"{key}.{received}")
        for key, received, body in sorted(rows)
    ]
