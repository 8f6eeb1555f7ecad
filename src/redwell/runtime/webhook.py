"""Tells a configured endpoint what becomes of batches (SPEC A14). A thread beside the work on a case.

Events are told in their order, each at least once: the case remembers how far it came. While nobody answers it waits
and tries again; an event that the endpoint refuses is parked, and the next one is told. `redwell parked retry` tells
those again.
"""

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from typing import Any

from redwell.adapters.files.locks import HeldLock, try_lock
from redwell.core.errors import Recoverable, ServiceUnavailable, UserError
from redwell.core.events import EventType
from redwell.core.webhooks import STATUSES, iso_date, path_of, signature
from redwell.runtime.bootstrap import Case

POLL_S = 0.5
TIMEOUT_S = 10.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
_WHO = "webhook"
LAST_WORDS_S = 10.0  # for what is left when the work is over


class Refused(Exception):
    """The endpoint understood, and does not want it: saying it again would not help."""


def tell_again(case: Case, events: Iterable[int]) -> int:
    """How many of these parked events the endpoint has taken now; those that it refuses again stay parked."""
    if not case.settings.webhook:
        raise UserError("no endpoint is named: set webhook")
    webhook, told = Webhook(case), 0
    for key in events:
        [event] = case.store.events(key - 1, 1)
        try:
            webhook.post(json.loads(event["body"]))
        except Refused:
            continue
        except Recoverable as error:
            raise ServiceUnavailable(f"the webhook: {error}; {told} were told, the others are still parked") from None
        case.store.unpark_post(key)
        told += 1
    return told


class Webhook:
    def __init__(self, case: Case) -> None:
        self._case, self._settings = case, case.settings
        self._stop = threading.Event()
        self._lock: HeldLock | None = None
        self._failures = 0

    def run(self) -> None:
        """Until `stop`, and then what is left if somebody answers soon."""
        try:
            while not self._stop.wait(self._tell()):
                pass
            deadline = time.monotonic() + LAST_WORDS_S
            while self._tell() > POLL_S and time.monotonic() < deadline:
                time.sleep(POLL_S)
        finally:
            if self._lock:
                self._lock.release()

    def stop(self) -> None:
        self._stop.set()

    def _tell(self) -> float:
        """What is new, if no other process is telling; the pause until the next look."""
        self._lock = self._lock or try_lock(self._case.folder / "locks" / _WHO)
        if self._lock is None:
            return POLL_S
        store = self._case.store
        events = store.events(store.told(_WHO))
        for event in events:
            if event["type"] in STATUSES:
                try:
                    self.post(json.loads(event["body"]))
                except Recoverable:
                    self._failures += 1
                    return min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (self._failures - 1))
                except Refused as error:
                    store.park_post(event["id"], str(error))
                store.tell_up_to(_WHO, event["id"])
        if events and events[-1]["type"] not in STATUSES:  # of events that are not for it there may be a million
            store.tell_up_to(_WHO, events[-1]["id"])
        self._failures = 0
        return POLL_S

    def post(self, event: dict[str, Any]) -> None:
        """The endpoint has taken it when this returns."""
        path, date = path_of(event["batch"]), iso_date(time.time_ns() // 1_000_000)
        status = STATUSES[EventType(event["event_type"])]
        signed = signature(self._settings.webhook_secret, "POST", path, date, self._settings.webhook_digest)
        request = urllib.request.Request(  # the operator's own endpoint
            self._settings.webhook.rstrip("/") + path,
            data=json.dumps({"status": status, "case": self._case.name, "event": event}).encode(),
            headers={"Content-Type": "application/json", "API-Authorization": signed, "API-Date": date},
            method="POST",
        )
        try:
            urllib.request.urlopen(request, timeout=TIMEOUT_S).close()
        except urllib.error.HTTPError as error:
            error.close()
            if error.code < 500 and error.code not in {408, 429}:
                raise Refused(f"the endpoint answered {error.code}") from None
            raise Recoverable(f"the endpoint answered {error.code}") from None
        except OSError as error:
            raise Recoverable(str(error)) from None
