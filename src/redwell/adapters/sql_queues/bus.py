"""Events to subscribed queues in the same SQL database. Used by every publisher where queues are SQL."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec
from sqlalchemy import bindparam as parameter
from sqlalchemy import delete, select

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.prepared import Prepared, as_json, insert_rows
from redwell.adapters.sql_queues.queue import put
from redwell.adapters.sql_queues.queue_tables import subscription
from redwell.core.events.event import Event, Filter
from redwell.core.events.joined import joined
from redwell.ports.messaging.queue import Message, NoSuchQueue, require_sendable

_new = insert_rows(subscription, ("queue", "filter"))
_SUBSCRIBE = Prepared(_new.on_conflict_do_update(index_elements=["queue"], set_={"filter": _new.excluded.filter}))
_UNSUBSCRIBE = Prepared(delete(subscription).where(subscription.c.queue == parameter("queue")))
_ALL = Prepared(select(subscription.c.queue, subscription.c.filter).order_by(subscription.c.queue))


class SqlBus:
    """Keeps the promises of `ports.messaging.bus.Bus`; safe to use from several threads."""

    def __init__(self, database: Database, together: int = 1) -> None:
        self._database, self._together = database, together

    def publish(self, events: Sequence[Event]) -> None:
        groups = list(joined(events, self._together))
        messages = [Message(body=each.body) for each in groups]
        require_sendable(messages)
        for queue, wanted in self.subscriptions().items():
            self._deliver(queue, [m for m, group in zip(messages, groups, strict=True) if wanted.matches(group.first)])

    def _deliver(self, queue: str, messages: Sequence[Message]) -> None:
        """A subscription may outlive its queue by a moment: nobody is there to read."""
        with suppress(NoSuchQueue):
            if messages:
                self._database.write_one(lambda tx: put(tx, queue, messages))

    def subscribe(self, queue: str, wanted: Filter) -> str:
        text = as_json(wanted)
        self._database.write_one(lambda tx: _SUBSCRIBE.run(tx, queue=queue, filter=text))
        return queue

    def unsubscribe(self, queue: str) -> None:
        self._database.write_one(lambda tx: _UNSUBSCRIBE.run(tx, queue=queue))

    def wanted(self) -> Filter | None:
        return Filter.covering(self.subscriptions().values())

    def subscriptions(self) -> Mapping[str, Filter]:
        with self._database.read() as tx:
            return {queue: msgspec.json.decode(wanted, type=Filter) for queue, wanted in _ALL.all(tx)}

    def close(self) -> None:
        """The database belongs to who opened it."""
