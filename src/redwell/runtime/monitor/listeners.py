"""Who is told of a case's events: the bus, and where they are wanted the webhook's endpoint and files for analysis.

Used by all who tell.
"""

import logging
from collections.abc import Iterable
from contextlib import closing, suppress

from redwell.core.errors import Recoverable, RedwellError
from redwell.core.events.statuses import Buffer
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.open_journal import CaseJournal
from redwell.runtime.bootstrap.open_statuses import open_statuses
from redwell.runtime.bootstrap.services.open_services import open_endpoint
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.flow_watch import FlowWatch
from redwell.runtime.monitor.publisher import Publisher
from redwell.runtime.monitor.status_sink import StatusSink
from redwell.runtime.monitor.teller import Listener, Teller
from redwell.runtime.monitor.webhook import Webhook

log = logging.getLogger(__name__)


def watches(case: Case, heard_by: Iterable[Listener]) -> list[FlowWatch]:
    """Whoever writes events down is watched, too."""
    sinks = [each for each in heard_by if isinstance(each, StatusSink)]
    return [FlowWatch(case.journal, case.settings, each) for each in sinks]


def listeners(journal: CaseJournal, settings: Settings) -> list[Listener]:
    heard_by: list[Listener] = [Publisher(journal, settings)]
    if endpoint := open_endpoint(settings):
        heard_by.append(Webhook(journal, endpoint))
    if settings.monitor == "live":
        buffer = Buffer(settings.monitor_rows, settings.monitor_s)
        heard_by.append(StatusSink(journal, open_statuses(journal.home, settings), buffer=buffer))
    return heard_by


def tellers(case: Case) -> list[Teller | FlowWatch]:
    """One for each listener, and a watch, to run beside the work on a case, on the machine that keeps it."""

    def announce() -> None:
        """A worker that runs beside tells what is left."""
        with suppress(RedwellError):
            case.announce()

    if not case.is_kept_here:
        return []
    wait_s, heard_by = case.settings.webhook_wait_s, listeners(case.journal, case.settings)
    telling = [Teller(case.journal, each, wait_s, announce) for each in heard_by]
    return [*telling, *watches(case, heard_by)]


def tell_now(case: Case) -> None:
    """What can be told at once; the rest waits for whoever works on the case next."""
    for listener in listeners(case.journal, case.settings):
        with closing(Teller(case.journal, listener)) as teller:
            try:
                teller.tell()
            except Recoverable as error:
                log.warning("%s; the next worker or import of the case tells it", error)
