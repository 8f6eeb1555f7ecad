"""The webhook as a listener of a case's journal: an endpoint is told what becomes of batches (SPEC A14).

An event that the endpoint refuses is parked, and the next one is told. `redwell parked retry --posts` tells those
again, and what it was not there to hear.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing

from redwell.core.errors import Recoverable, ServiceUnavailable, UserError
from redwell.core.events.packed import EventRow
from redwell.core.events.webhooks import LISTENER, STATUSES
from redwell.ports.messaging.endpoint import Endpoint, Refused
from redwell.runtime.bootstrap.open_journal import CaseJournal
from redwell.runtime.bootstrap.services.open_services import open_endpoint
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.teller import Teller


class Webhook:
    name = LISTENER

    def __init__(self, journal: CaseJournal, endpoint: Endpoint) -> None:
        self._journal, self._endpoint = journal, endpoint
        self.told = 0

    def hear(self, rows: Sequence[EventRow]) -> Iterator[int]:
        heard = 0
        for row in rows:
            if row.type in STATUSES:
                try:
                    self.post(row)
                except Refused as error:
                    self._journal.log.park(row.id, str(error))
                heard = row.id
                yield heard
        if heard < rows[-1].id:  # of events that are not for it there may be a million
            yield rows[-1].id

    def post(self, row: EventRow) -> None:
        for event in self._journal.log.unpack([row]):
            self._endpoint.post(event, self._journal.name)
        self.told += 1

    def close(self) -> None:
        self._endpoint.close()


def tell_again(journal: CaseJournal, settings: Settings, parked: Iterable[int], *, rest: bool) -> tuple[int, int]:
    """Some that were refused, and the rest that was never heard: how many are told now, and refused again."""
    endpoint = open_endpoint(settings)
    if endpoint is None:
        raise UserError("no endpoint is named: set webhook")
    webhook = Webhook(journal, endpoint)
    with closing(Teller(journal, webhook)) as teller:
        try:
            refused = _tell_parked(journal, webhook, parked)
            if rest:
                before = len(journal.log.parked())
                teller.tell()
                refused += len(journal.log.parked()) - before
        except Recoverable as error:
            raise ServiceUnavailable(f"{error}; {webhook.told} were told, the others wait") from None
    return webhook.told, refused


def _tell_parked(journal: CaseJournal, webhook: Webhook, events: Iterable[int]) -> int:
    """How many of these the endpoint has refused again: they stay parked."""
    refused = 0
    for key in events:
        try:
            webhook.post(*journal.log.rows(key - 1, 1))
        except Refused:
            refused += 1
        else:
            journal.log.unpark(key)
    return refused
