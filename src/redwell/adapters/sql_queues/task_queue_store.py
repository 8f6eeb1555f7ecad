"""The task queues of a case as its ledger knows them, and claims by message. For runtime.delivery.

Each method is one transaction, which also posts whatever is claimable and unposted (PostingDatabase).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, bindparam, exists, select
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql.database_clock import now_ms
from redwell.adapters.sql.job_tables import job, task_queue
from redwell.adapters.sql.prepared import Prepared, constant, new_values
from redwell.adapters.sql.tables import Integer, blob, derivation, document, ingestion
from redwell.adapters.sql_ledger import claim_rows
from redwell.adapters.sql_ledger.claim_rows import Claimable, Taker
from redwell.adapters.sql_ledger.ledger_reads import a_path_of
from redwell.adapters.sql_queues import task_posts
from redwell.adapters.sql_queues.event_journal import add_event
from redwell.adapters.sql_queues.posting_database import PostingDatabase
from redwell.adapters.sql_queues.queue import SqlQueue
from redwell.core.events.event import EventType
from redwell.core.trip import trip
from redwell.core.work.lanes import Lane
from redwell.core.work.message_ranges import SIZE
from redwell.core.work.polling import Pace, Poll, Polled, Verdict, polled
from redwell.core.work.task_messages import TaskMessage, TaskQueue
from redwell.core.work.transitions import Stage, Work
from redwell.ports.ledger import Want
from redwell.ports.messaging.task_store import Room, Sent

NAMED = 20
T = TypeVar("T")
_open_job = exists().where(job.c.batch == task_queue.c.batch, job.c.finished_ms.is_(None))
_QUEUES = Prepared(
    select(
        task_queue.c.job,
        task_queue.c.lane,
        task_queue.c.batch,
        task_queue.c.name,
        task_queue.c.attempt,
        (~_open_job).label("ended"),
    ).order_by(task_queue.c.job, task_queue.c.lane)
)
_FORGET = Prepared(task_queue.delete().where(task_queue.c.name == bindparam("name")))
_DUE = Prepared(select(task_queue).where(task_queue.c.name == bindparam("name"), task_queue.c.due_ms <= now_ms()))
_POLLED = Prepared(
    task_queue.update()
    .where(task_queue.c.name == bindparam("key"))
    .values(due_ms=now_ms() + bindparam("later_ms", type_=Integer), **new_values(("previous", "retries", "upto")))
)
_named = (
    derivation.c.state == constant(Work.QUEUED),
    derivation.c.lane == bindparam("lane"),
    derivation.c.id >= bindparam("start"),
    derivation.c.id < bindparam("end"),
)
_bytes = (
    select(*claim_rows.CLAIMABLE)
    .join_from(derivation, document, derivation.c.document == document.c.id)
    .join(blob, claim_rows.ABOUT)
)
_SENT = Prepared(
    _bytes.where(derivation.c.id > constant(0), *_named, derivation.c.batch == bindparam("batch"))
    .order_by(derivation.c.id)
    .limit(bindparam("limit"))
)
_waiting = exists().where(  # by the content, of which there is one: the batch may have a million that wait
    ingestion.c.derivation == derivation.c.id,
    ingestion.c.state == constant(Stage.WAITING),
    ingestion.c.batch == bindparam("batch"),
)
_LENT = Prepared(_bytes.where(*_named, _waiting).limit(bindparam("limit")))


def _names(tx: Connection, queue: TaskQueue) -> list[str]:
    return [a_path_of(tx, key) or str(key) for key in task_posts.first(tx, queue, NAMED)]


class SqlTaskStore:
    """Keeps the promises of `ports.messaging.task_store.TaskStore`."""

    def __init__(self, database: PostingDatabase, taker: Taker, pace: Pace) -> None:
        self._taker, self._pace = taker, pace
        self.database = database
        self.outbox = SqlQueue(database.plain)

    @property
    def case(self) -> str:
        return self.database.case

    def call_when_posted(self, wake: Callable[[], None]) -> None:
        self.database.on_posted = wake

    def _post(self, work: Callable[[Connection], T]) -> T:
        """One transaction that may post by itself."""
        result = self.database.write(work)
        self.database.on_posted()
        return result

    def queues(self) -> list[TaskQueue]:
        with self.database.read() as tx:
            rows = _QUEUES.rows(tx)
        return [TaskQueue(**{**row, "lane": Lane(row["lane"]), "ended": bool(row["ended"])}) for row in rows]

    def opened(self, queue: TaskQueue) -> None:
        """The queue is there: from now on tasks are posted to it. One that was made again is sent everything anew."""
        row = {"job": queue.job, "lane": queue.lane.value, "batch": queue.batch}
        made = {"name": queue.name, "attempt": queue.attempt, "previous": -1, "retries": 0, "upto": 0, "due_ms": 0}
        new = insert(task_queue).values(**row, **made)
        later = new.on_conflict_do_update(
            index_elements=["job", "lane"], set_=made, where=task_queue.c.attempt < queue.attempt
        )

        def work(tx: Connection) -> None:
            task_posts.prepare(tx)
            if tx.execute(later).rowcount and queue.attempt > 1:
                task_posts.post_anew(tx, self.case, queue)

        self._post(work)

    def forget(self, name: str) -> None:
        """The queue is gone for good."""
        self.database.write(lambda tx: _FORGET.run(tx, name=name))

    def go_on(self, task: TaskMessage, name: str) -> None:
        """A continuation: the messages from its startPos on (C2)."""
        queue = TaskQueue(job=task.job, lane=task.lane, batch=task.batch, name=name)
        self._post(lambda tx: task_posts.post_anew(tx, self.case, queue, task.start_pos))

    def lend(self, queue: TaskQueue, known: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
        """Messages for what the job waits for in the queue of another; those rows that are not known yet."""
        with self.database.read() as tx:
            found = task_posts.lent(tx, queue) - set(known)
        if found:
            self._post(lambda tx: task_posts.lend(tx, self.case, queue, found))
        return found

    def poll(self, queue: TaskQueue, scale: float) -> Polled | None:
        """Whether what the last poll saw waiting still waits; if so it is sent anew (C3-C5). None: it is not time."""

        def work(tx: Connection) -> Polled | None:
            return next((self._polled(tx, queue, row, scale) for row in _DUE.rows(tx, name=queue.name)), None)

        return self._post(work)

    def _polled(self, tx: Connection, queue: TaskQueue, row: dict[str, Any], scale: float) -> Polled:
        part = {"batch": queue.batch, "lane": queue.lane}
        poll = Poll(previous_count=row["previous"], retry_count=row["retries"])
        upto = row["upto"]
        if poll.previous_count == -1:
            upto = next((key for (key,) in task_posts.LAST.all(tx, **part)), 0)
        [(count,)] = task_posts.COUNT.all(tx, **part, upto=upto)
        seen = polled(poll, count, pace=self._pace)
        if seen.stalled:
            task_posts.post_anew(tx, self.case, queue)
        if seen.verdict is Verdict.RETRIES_EXHAUSTED:  # C6: by name, and on
            what = {"what": "nobody gets ahead with these; they were sent anew", "left": count}
            add_event(tx, EventType.WARNING, queue.batch, queue.job, {**what, "incomplete": _names(tx, queue)})
        following = {"previous": seen.following.previous_count, "retries": seen.following.retry_count, "upto": upto}
        _POLLED.run(tx, key=queue.name, later_ms=int(seen.delay_s * scale * 1000), **following)
        return seen

    def waiting(self, queue: TaskQueue) -> list[str]:
        """Some of what waits, by name."""
        with self.database.read() as tx:
            return _names(tx, queue)

    def is_full(self, want: Want) -> bool:
        with self.database.read() as tx:
            return claim_rows.is_full(tx, want, self._taker.worker)

    def claim_sent(self, tasks: Sequence[TaskMessage], name: str, room: Room, want: Want) -> Sent | None:
        """What messages of a queue name and nobody has taken, as far as there is room; None: others are enough."""

        def work(tx: Connection) -> Sent | None:
            if claim_rows.is_full(tx, want, self._taker.worker):
                return None
            taken = _Taken(room, want.turns)
            rests = [taken.add(task, _rows(tx, task, taken)) for task in tasks]
            task_posts.post_tasks(tx, name, [rest for rest in rests if rest])
            return Sent(claim_rows.lease(tx, list(taken.rows.values()), self._taker), taken.for_others)

        sent = self._post(work)
        trip("claim_sent.after_commit")
        return sent


class _Taken:
    def __init__(self, room: Room, turns: Collection[tuple[str, str]]) -> None:
        self.room, self._turns = room, turns
        self.rows: dict[int, Claimable] = {}
        self._bytes = 0
        self.for_others = False

    def add(self, task: TaskMessage, rows: Iterable[Claimable]) -> TaskMessage | None:
        """As many rows of a message as there is room for; what is left of it."""
        for row in rows:
            if row.id in self.rows:
                continue
            if (row.task, row.profile) not in self._turns:
                self.for_others = True
                continue
            self._bytes += row.length
            if self.rows and not self._has_room(row):
                return msgspec.structs.replace(task, start_pos=row.id)
            self.rows[row.id] = row
        return None

    def _has_room(self, row: Claimable) -> bool:
        """A message for a child is of one kind of work."""
        first = next(iter(self.rows.values()))
        is_alike = (row.task, row.profile) == (first.task, first.profile)
        return is_alike and len(self.rows) < self.room.documents and self._bytes <= self.room.bytes


def _rows(tx: Connection, task: TaskMessage, taken: _Taken) -> list[Claimable]:
    """A few more than can be taken, so that a rest is seen."""
    part = {"batch": task.batch, "lane": task.lane, "start": task.start_pos, "end": task.end_pos}
    return (_LENT if task.lent else _SENT).of(tx, Claimable, **part, limit=taken.room.documents + SIZE + 1)
