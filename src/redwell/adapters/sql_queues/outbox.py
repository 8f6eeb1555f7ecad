"""The outbox of a case: a queue in the case's own database, so that what is sent and why commit together.

`task_posts` puts posts in; runtime's outbox_relay takes them out. A post is sent once or more, never not at all.
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from redwell.adapters.sql_queues.queue import create, put
from redwell.core.events.outbox_posts import OUTBOX, Post
from redwell.ports.messaging.queue import Message, QueueSpec, require_sendable

LEASE_S = 60


def prepare_outbox(tx: Connection) -> None:
    create(tx, QueueSpec(name=OUTBOX, lease_s=LEASE_S))


def post(tx: Connection, posts: Sequence[Post]) -> None:
    """They are sent after this transaction has committed."""
    require_sendable([Message(body=each.body) for each in posts])
    put(tx, OUTBOX, [Message(body=each.to_json()) for each in posts])
