"""Watches how events flow into files, and raises the alarms of SPEC A16: to the topic of alarms and to the webhook.

A thread beside those who tell, on the machine that keeps the case (`monitor=live`). An alarm is told when it is raised
and when it is over; while nobody takes it, it is tried again with every look.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

from redwell.core.errors import RedwellError
from redwell.core.events.event import Event
from redwell.core.events.monitor_alarms import Alarm, Flow, alarm_event, raised_by
from redwell.core.events.statuses import LISTENER
from redwell.runtime.bootstrap.open_journal import CaseJournal
from redwell.runtime.bootstrap.services.open_services import open_alarm_topic, open_endpoint
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.status_sink import StatusSink

PERIOD_S = 60.0
log = logging.getLogger(__name__)
Tell = Callable[[Event], None]


class FlowWatch:
    """A part of the work on a case (background_threads.Part)."""

    def __init__(self, journal: CaseJournal, settings: Settings, sink: StatusSink) -> None:
        self._journal, self._settings, self._sink = journal, settings, sink
        self._stop = threading.Event()
        self._since = time.monotonic()
        self._raised: dict[Alarm, float] = {}  # as others know it
        self._resources = ExitStack()
        self._ways: list[Tell] = []

    def run(self) -> None:
        try:
            while not self._stop.wait(PERIOD_S):
                self.look()
        finally:
            self._resources.close()

    def stop(self) -> None:
        self._stop.set()

    def look(self) -> None:
        """What changed since others were last told; what they don't take now is told with the next look."""
        now = raised_by(self._flow())
        try:
            for alarm in sorted(now.keys() - self._raised.keys()):
                self._tell(alarm, now[alarm], is_raised=True)
                self._raised[alarm] = now[alarm]
            for alarm in sorted(self._raised.keys() - now.keys()):
                self._tell(alarm, self._raised[alarm], is_raised=False)
                del self._raised[alarm]
        except RedwellError as error:
            log.warning("an alarm of the monitor is not told yet: %s", error)

    def _flow(self) -> Flow:
        counted, now = self._sink.take_flow(), time.monotonic()
        seconds, self._since = now - self._since, now
        return Flow(
            received=counted.received,
            delivered=counted.delivered,
            refused=counted.refused,
            waits_s=self._waits_s(),
            seconds=max(seconds, 1.0),
            limit_per_s=self._settings.monitor_rate,
        )

    def _waits_s(self) -> float:
        log_ = self._journal.log
        oldest = log_.rows(log_.told(LISTENER), 1)
        return max(0.0, time.time() - oldest[0].packed.timestamp / 1000) if oldest else 0.0

    def _tell(self, alarm: Alarm, value: float, *, is_raised: bool) -> None:
        event = alarm_event(self._journal.number, alarm, value, is_raised=is_raised)
        log.warning("alarm of the monitor %s: %s", event.event_detail["state"], event.event_detail)
        for way in self._opened():
            way(event)

    def _opened(self) -> list[Tell]:
        """When there is something to tell."""
        if not self._ways:
            topic = self._resources.enter_context(open_alarm_topic(self._journal.home, self._settings))
            self._ways.append(lambda event: topic.publish([event]))
            if endpoint := open_endpoint(self._settings):
                self._resources.callback(endpoint.close)
                self._ways.append(lambda event: endpoint.post(event, self._journal.name))
        return self._ways
