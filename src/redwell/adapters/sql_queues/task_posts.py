"""Which contents are named in messages to which task queue. Called in transactions of PostingDatabase and TaskStore.

`posted` is the claim that a row was last named for: a row that waits for its claim number attempt + 1 and was not
named for that one is still to be posted. So nobody who makes a row claimable has to say so: each claim raises
`attempt`, and a row that comes back to the queue is unposted by itself. One that was given up, and is among the dead
letters, has the last claim below zero.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, partial

from sqlalchemy import Connection, bindparam, func, select

from redwell.adapters.sql.job_tables import job, task_queue
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import derivation, ingestion
from redwell.adapters.sql_ledger.claim_rows import WAITS
from redwell.adapters.sql_ledger.text_first import TEXT, is_text_open
from redwell.adapters.sql_queues.outbox import post
from redwell.core.events.outbox_posts import Post
from redwell.core.jobs.job import JobState
from redwell.core.work.lanes import Lane
from redwell.core.work.message_ranges import MOST, dispatch
from redwell.core.work.task_messages import TaskMessage, TaskQueue, message_size
from redwell.core.work.transitions import Work

LENT_AT_ONCE = 100
ROWS_AT_ONCE = 10_000  # of a long backlog, so that no transaction is long
_NEXT_CLAIM = derivation.c.attempt + constant(1)
_QUEUED = derivation.c.state == constant(Work.QUEUED)
_mine = (
    _QUEUED,
    derivation.c.id > constant(0),  # so that only these are answered by the index of all that waits, by its id
    derivation.c.batch == bindparam("batch"),
    derivation.c.lane == bindparam("lane"),
)
_SERVED = Prepared(
    select(task_queue.c.job, task_queue.c.lane, task_queue.c.batch, task_queue.c.name)
    .join_from(task_queue, job, job.c.id == task_queue.c.job)
    .where(job.c.finished_ms.is_(None), job.c.state != constant(JobState.CANCELLING))
    .order_by(task_queue.c.job, task_queue.c.lane)
)
_unposted = (
    select(derivation.c.id)
    .where(
        _QUEUED,
        derivation.c.posted != _NEXT_CLAIM,
        derivation.c.batch == bindparam("batch"),
        derivation.c.lane == bindparam("lane"),
    )
    .order_by(derivation.c.id)
    .limit(bindparam("limit"))
)
_UNPOSTED, _UNPOSTED_TEXT = Prepared(_unposted), Prepared(_unposted.where(derivation.c.task.in_(TEXT)))
_FROM = Prepared(
    select(derivation.c.id)
    .where(*_mine, derivation.c.id >= bindparam("start"))
    .order_by(derivation.c.id)
    .limit(bindparam("limit"))
)
_GIVEN_UP = Prepared(
    select(derivation.c.id)
    .where(
        derivation.c.given_up == constant(1),
        derivation.c.posted > constant(0),
        derivation.c.batch == bindparam("batch"),
        derivation.c.lane == bindparam("lane"),
    )
    .order_by(derivation.c.id)
    .limit(constant(MOST))
)
_BURIED = Prepared(
    derivation.update().where(among(derivation.c.id, "ids")).values(posted=constant(0) - derivation.c.attempt)
)
_POSTED = Prepared(derivation.update().where(among(derivation.c.id, "ids")).values(posted=_NEXT_CLAIM))
_LENT = Prepared(
    select(derivation.c.id, derivation.c.attempt)
    .join_from(ingestion, derivation, ingestion.c.derivation == derivation.c.id)
    .where(*WAITS, _QUEUED, derivation.c.lane == bindparam("lane"), derivation.c.batch != bindparam("batch"))
    .limit(constant(LENT_AT_ONCE))
)
COUNT = Prepared(select(func.count()).select_from(derivation).where(*_mine, derivation.c.id <= bindparam("upto")))
LAST = Prepared(select(derivation.c.id).where(*_mine).order_by(derivation.c.id.desc()).limit(constant(1)))

# Made with a case's first queue: where nothing is posted, they would cost every insert and find nobody anything.
_INDEX = "CREATE INDEX IF NOT EXISTS derivation_{} ON derivation (batch, lane, id) WHERE {}"
_UNPOSTED_ROWS = "state = 'queued' AND posted <> attempt + 1"
_INDEXES = (
    _INDEX.format("unposted", _UNPOSTED_ROWS),
    _INDEX.format("unposted_text", f"{_UNPOSTED_ROWS} AND task IN ({', '.join(map(str, TEXT))})"),
    _INDEX.format("given_up", "given_up = 1 AND posted > 0"),
    _INDEX.format("queued", "state = 'queued' AND id > 0"),
)


def prepare(tx: Connection) -> None:
    for index in _INDEXES:
        tx.exec_driver_sql(index)


def post_due(tx: Connection, case: str, dead_letters: str) -> int:
    """Messages for what this transaction made claimable or gave up; how many.

    Of a backlog a part: what is left stays unposted and goes with the next transaction, at the latest with a claim.
    Renditions are not due while text of their batch is open (core.work.text_first); a poll that sees nobody get ahead
    posts them all the same.
    """
    sent = 0
    has_text = cache(partial(is_text_open, tx))
    for row in _SERVED.rows(tx):
        queue = TaskQueue(**{**row, "lane": Lane(row["lane"])})
        size = message_size(queue.lane)
        part = {"batch": queue.batch, "lane": queue.lane, "limit": min(size * MOST, ROWS_AT_ONCE)}
        due = _UNPOSTED_TEXT if has_text(queue.batch) else _UNPOSTED
        ids = [key for (key,) in due.all(tx, **part)]
        if ids:
            chunks = dispatch(ids, size).chunks
            _post(tx, case, queue, [(chunk.start, chunk.end) for chunk in chunks])
            _POSTED.run(tx, ids=as_list(ids))
            sent += len(chunks)
        sent += _bury(tx, case, replace(queue, name=dead_letters))
    return sent


def _bury(tx: Connection, case: str, queue: TaskQueue) -> int:
    """What came by messages and was given up goes to the dead letters, a message each (A5)."""
    ids = [key for (key,) in _GIVEN_UP.all(tx, batch=queue.batch, lane=queue.lane)]
    if ids:
        _post(tx, case, queue, [(key, key + 1) for key in ids])
        _BURIED.run(tx, ids=as_list(ids))  # below zero: if it is retried, it has to be posted and may be buried again
    return len(ids)


def post_anew(tx: Connection, case: str, queue: TaskQueue, start: int = 0) -> None:
    """Messages for everything in this queue's part of the ledger from `start` on; the rest by a continuation (C2)."""
    size = message_size(queue.lane)
    cut = dispatch(first(tx, queue, size * MOST + 1, start), size)
    ranges: list[tuple[int, int | None]] = [(chunk.start, chunk.end) for chunk in cut.chunks]
    _post(tx, case, queue, [*ranges, *([(cut.rest, None)] if cut.rest is not None else [])])


def first(tx: Connection, queue: TaskQueue, limit: int, start: int = 0) -> list[int]:
    """Of what waits in this queue's part of the ledger."""
    return [key for (key,) in _FROM.all(tx, batch=queue.batch, lane=queue.lane, start=start, limit=limit)]


def lent(tx: Connection, queue: TaskQueue) -> set[tuple[int, int]]:
    """What a batch that has nothing else to do waits for though another one asked for it first: id and attempt."""
    part = {"batch": queue.batch, "lane": queue.lane}
    return set() if LAST.all(tx, **part) else {(key, attempt) for key, attempt in _LENT.all(tx, **part)}


def lend(tx: Connection, case: str, queue: TaskQueue, rows: Iterable[tuple[int, int]]) -> None:
    _post(tx, case, queue, [(key, key + 1) for key, _ in sorted(rows)], lent=True)


def _post(
    tx: Connection, case: str, queue: TaskQueue, ranges: Sequence[tuple[int, int | None]], *, lent: bool = False
) -> None:
    about = {"case": case, "batch": queue.batch, "job": queue.job, "lane": queue.lane, "lent": lent}
    tasks = [TaskMessage(**about, start_pos=start, end_pos=end) for start, end in ranges]  # type: ignore[arg-type]
    post_tasks(tx, queue.name, tasks)


def post_tasks(tx: Connection, name: str, tasks: Sequence[TaskMessage]) -> None:
    post(tx, [Post(queue=name, body=task.to_json()) for task in tasks])
