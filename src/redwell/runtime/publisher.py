"""Puts the events of a case on the bus (SPEC A18). A thread beside the work on a case.

Events lie in the case's database before they are told, and the case remembers how far the bus has them: each one is
published at least once, in order. While the bus is away the work goes on, and the events wait.
"""

import json
import threading
from collections.abc import Mapping
from typing import Any

from redwell.adapters.files.locks import HeldLock, try_lock
from redwell.core.envelopes import Envelope
from redwell.core.errors import Recoverable
from redwell.ports.bus import Bus
from redwell.runtime.bootstrap import Case
from redwell.runtime.services import SERVICES_FILE, open_services

POLL_S, AWAY_S = 0.5, 5.0
AT_ONCE = 500
_WHO = "bus"


def has_listeners(case: Case) -> bool:
    """Nobody can have subscribed where the services are a file of the home that was never asked for."""
    settings = case.settings
    return settings.bus == "sns" or bool(settings.database) or (case.home / SERVICES_FILE).exists()


def envelope(case: int, event: Mapping[str, Any]) -> Envelope:
    return Envelope(
        event_type=event["event_type"],
        case_id=case,
        batch_id=event["batch"],
        job_id=event["job"],
        document_id=event["document"],
        exhibit_ids=tuple(event["exhibits"]),
        event_detail=event["detail"],
        status=event["status"],
        source=event["source"],
        version=event["version"],
        id=event["id"],
        timestamp=event["timestamp_ms"],
    )


class Publisher:
    def __init__(self, case: Case) -> None:
        self._case, self._number = case, case.number
        self._stop = threading.Event()
        self._lock: HeldLock | None = None

    def run(self) -> None:
        """Until `stop`, and then what is left if the bus is there."""
        with open_services(self._case.home, self._case.settings) as services:
            try:
                while not self._stop.wait(self._publish(services.bus)):
                    pass
                self._publish(services.bus)
            finally:
                if self._lock:
                    self._lock.release()

    def stop(self) -> None:
        self._stop.set()

    def _publish(self, bus: Bus) -> float:
        """What is new, if no other process is at it; the pause until the next look."""
        self._lock = self._lock or try_lock(self._case.folder / "locks" / _WHO)
        store = self._case.store
        while self._lock and (events := store.events(store.told(_WHO), AT_ONCE)):
            try:
                bus.publish([envelope(self._number, json.loads(event["body"])) for event in events])
            except Recoverable:
                return AWAY_S
            store.tell_up_to(_WHO, events[-1]["id"])
        return POLL_S
