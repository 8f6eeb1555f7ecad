"""Puts the events of a case on the bus (SPEC A18). A thread beside the work on a case.

Events lie in the case's database before they are told, and the case remembers how far the bus has them: each one is
published at least once, in order. While the bus is away the work goes on, and the events wait.
"""

import json
import threading
from collections.abc import Mapping
from contextlib import closing
from importlib import import_module
from typing import Any

from redwell.adapters.files.locks import HeldLock, try_lock
from redwell.core.envelopes import Envelope
from redwell.core.errors import Recoverable, UserError
from redwell.ports.bus import Bus
from redwell.runtime.bootstrap import Case

POLL_S, AWAY_S = 0.5, 5.0
AT_ONCE = 500
_SNS = "sns:"
_WHO = "bus"


def open_bus(setting: str) -> Bus:
    if not setting.startswith(_SNS):
        raise UserError(f"setting bus is sns:TOPIC, not {setting!r}")
    try:
        sns, sqs = (import_module(f"redwell.adapters.aws.{name}") for name in ("sns", "sqs"))
    except ModuleNotFoundError as error:
        raise UserError(f"the bus needs another package ({error.name}): pip install 'redwell[aws]'") from None
    bus: Bus = sns.SnsBus(setting.removeprefix(_SNS), sqs.SqsQueue())
    return bus


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
        self._case, self._number = case, int(case.folder.name)
        self._stop = threading.Event()
        self._lock: HeldLock | None = None

    def run(self) -> None:
        """Until `stop`, and then what is left if the bus is there."""
        with closing(open_bus(self._case.settings.bus)) as bus:
            try:
                while not self._stop.wait(self._publish(bus)):
                    pass
                self._publish(bus)
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
