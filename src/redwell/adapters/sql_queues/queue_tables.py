"""The tables of queues, subscriptions and the worker registry, and the statements on messages.

`due_ms` says when a message may be received: when it was sent, after its delay, or when its lease ends. One index
holds a queue's messages in that order, so a claim reads its beginning, however many wait.
"""

from sqlalchemy import (
    Column,
    Index,
    MetaData,
    Table,
    Text,
    bindparam,
    cast,
    delete,
    exists,
    func,
    literal_column,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql.database_clock import now_ms
from redwell.adapters.sql.list_parameters import among, rows_of
from redwell.adapters.sql.prepared import Prepared, constant, insert_rows
from redwell.adapters.sql.tables import Integer, String

metadata = MetaData()

queue = Table(
    "queue",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("lease_ms", Integer, nullable=False),
    Column("dead_letters", String),
    Column("max_receives", Integer, nullable=False),
    Column("tags", String, nullable=False),
    sqlite_autoincrement=True,  # a queue's number is never that of a deleted one, whose messages may still be going
)

message = Table(
    "queue_message",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("queue", Integer, nullable=False),
    Column("due_ms", Integer, nullable=False),
    Column("received", Integer, nullable=False, server_default="0"),
    Column("body", String, nullable=False),
    Index("queue_message_due", "queue", "due_ms", "id"),
    sqlite_autoincrement=True,  # a receipt names a message by its id, for good
)

subscription = Table(
    "queue_subscription",
    metadata,
    Column("queue", String, primary_key=True),
    Column("filter", String, nullable=False),
)

service = Table(
    "worker_service",
    metadata,
    Column("id", String, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("case_id", Integer, unique=True),
    Column("job", Integer),
    Column("jobs", String, nullable=False),
    Column("worker_limit", Integer, nullable=False),
    Column("service_ref", String, nullable=False),
    Column("scaling_ref", String, nullable=False),
)

_SPEC = ("lease_ms", "dead_letters", "max_receives", "tags")
_new = insert_rows(queue, ("name", *_SPEC))
CREATE = Prepared(_new.on_conflict_do_update(index_elements=["name"], set_={c: _new.excluded[c] for c in _SPEC}))
_dead = queue.alias("dead")
SPEC = Prepared(
    select(queue.c.id, queue.c.lease_ms, queue.c.max_receives, queue.c.tags, _dead.c.id.label("dead"))
    .select_from(queue.outerjoin(_dead, _dead.c.name == queue.c.dead_letters))
    .where(queue.c.name == bindparam("name"))
)
NAMES = Prepared(
    select(queue.c.name)
    .where(func.substr(queue.c.name, constant(1), func.length(bindparam("prefix", type_=Text))) == bindparam("prefix"))
    .order_by(queue.c.name)
)
DROP = Prepared(delete(queue).where(queue.c.name == bindparam("name")))

_here = message.c.queue == bindparam("queue")
_due = message.c.due_ms <= now_ms()
_first = select(message.c.id).where(_here).order_by(message.c.due_ms, message.c.id).limit(bindparam("limit"))
_free = _first.with_for_update(skip_locked=True)
_ready = _free.where(_due).cte("ready")
_any = _free.cte("some")
_receipt = cast(message.c.id, Text) + literal_column("'.'", Text) + cast(message.c.received, Text)
_held = (among(message.c.id, "ids"), among(_receipt, "receipts"))
_later = now_ms() + bindparam("later_ms", type_=Integer)

_bodies = rows_of("bodies")
SEND = Prepared(
    insert(message)
    .from_select(
        ["queue", "due_ms", "received", "body"],
        select(queue.c.id, _later, constant(0), _bodies.c.value)
        .select_from(queue.join(_bodies, true()))
        .where(queue.c.name == bindparam("name"))
        # whoever deletes the queue meanwhile waits, and then deletes these messages too
        .with_for_update(read=True, key_share=True, of=queue),
    )
    .returning(message.c.id)
)
READY = Prepared(select(exists().where(_here, _due)))
CLAIM = Prepared(
    update(message)
    .where(message.c.id.in_(select(_ready.c.id)))
    .values(due_ms=_later, received=message.c.received + constant(1))
    .returning(message.c.id, message.c.received, message.c.body)
)
BURY = Prepared(
    update(message)
    .where(among(message.c.id, "ids"))
    .values(queue=bindparam("to", type_=Integer), due_ms=now_ms(), received=message.c.received - constant(1))
)
HIDE = Prepared(update(message).where(*_held).values(due_ms=_later).returning(_receipt))
REMOVE = Prepared(delete(message).where(*_held).returning(_receipt))
MOVE = Prepared(
    update(message)
    .where(message.c.id.in_(select(_any.c.id)))
    .values(queue=bindparam("to", type_=Integer), due_ms=now_ms(), received=constant(0))
    .returning(message.c.id)
)
CLEAR = Prepared(delete(message).where(message.c.id.in_(_first)).returning(message.c.id))
PEEK = Prepared(_first.with_only_columns(message.c.id, message.c.received, message.c.body))
_fresh = message.c.received == constant(0)
DEPTH = Prepared(
    select(func.count().filter(_due), func.count().filter(~_due, ~_fresh), func.count().filter(~_due, _fresh)).where(
        _here
    )
)
