"""The bus as a listener of a case's journal (SPEC A18): whoever has subscribed hears of every document and task.

Consumers of a batch get their queues and subscriptions before its first event is published, so that they miss none
(A2), whoever began to work on it meanwhile. While nobody listens nothing is published, and events of batches that are
not over are kept: who is the first to subscribe in the middle of a batch hears of it from its beginning.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import takewhile

from redwell.core.events.event import Event, EventType, Filter
from redwell.core.events.packed import EventRow
from redwell.ports.messaging.bus import Bus
from redwell.ports.messaging.queue import QueueSpec
from redwell.runtime.bootstrap.open_journal import CaseJournal
from redwell.runtime.bootstrap.services.open_services import Services, open_services
from redwell.runtime.bootstrap.services.service_notes import SERVICES_FILE
from redwell.runtime.bootstrap.settings import Settings

AT_ONCE = 1_000  # events


@dataclass(frozen=True, slots=True, kw_only=True)
class Consumer:
    """A part of the system that has a queue of its own for each batch."""

    queue: Callable[[str, int, int], str]  # by prefix, case and batch
    types: frozenset[EventType]


class Publisher:
    name = "bus"

    def __init__(self, journal: CaseJournal, settings: Settings, consumers: Sequence[Consumer] = ()) -> None:
        self._journal, self._settings, self._consumers = journal, settings, consumers
        self._resources = ExitStack()
        self._services: Services | None = None

    def hear(self, rows: Sequence[EventRow]) -> Iterator[int]:
        if not self._consumers and not self._may_be_listened_to():
            yield from self._passed_by(rows)
            return
        services = self._opened()
        for row in rows:
            if row.type is EventType.JOB_QUEUED:
                self._subscribe(services, row)
        wanted = services.bus.wanted()
        yield from self._publish(services.bus, wanted, rows) if wanted else self._passed_by(rows)

    def _publish(self, bus: Bus, wanted: Filter, rows: Sequence[EventRow]) -> Iterator[int]:
        events: list[Event] = []
        for row in rows:
            if wanted.lets_through(row.type, self._journal.number, row.batch):
                events += self._journal.log.unpack([row])
            if len(events) >= AT_ONCE:
                bus.publish(events)
                yield row.id
                events = []
        bus.publish(events)
        yield rows[-1].id

    def _passed_by(self, rows: Sequence[EventRow]) -> Iterator[int]:
        """Nobody will ever ask for a batch that is over."""
        still_open = self._journal.log.open_batches()
        over = list(takewhile(lambda row: row.batch not in still_open, rows))
        if over:
            yield over[-1].id

    def _may_be_listened_to(self) -> bool:
        """Nobody can have subscribed where the services are a file of the home that was never asked for."""
        settings = self._settings
        return settings.bus == "sns" or bool(settings.database) or (self._journal.home / SERVICES_FILE).exists()

    def _opened(self) -> Services:
        """When it is needed: while the services are away, the work on the case goes on."""
        if self._services is None:
            self._services = self._resources.enter_context(open_services(self._journal.home, self._settings))
        return self._services

    def _subscribe(self, services: Services, row: EventRow) -> None:
        case, batch = self._journal.number, row.batch
        for each in self._consumers:
            name = each.queue(self._settings.name_prefix, case, batch)
            tags = {"batch": str(batch), "job": str(row.packed.job)}
            services.heard.create(QueueSpec(name=name, tags=tags))
            wanted = Filter(event_types=each.types, case_ids=frozenset({case}), batch_ids=frozenset({batch}))
            reference = services.bus.subscribe(name, wanted)
            services.heard.create(QueueSpec(name=name, tags={**tags, "subscription": reference}))

    def close(self) -> None:
        self._services = None
        self._resources.close()
