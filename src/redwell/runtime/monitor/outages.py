"""Outages of what a process needs: each is said once, waited out, and said once more when it is over."""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from redwell.core.errors import ServiceUnavailable

PAUSE_S = 1.0  # between two tries
T = TypeVar("T")
log = logging.getLogger(__name__)


class Outages:
    """Whoever meets one says so here, as often as it likes; safe to use from several threads."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def away(self, what: str, error: Exception) -> None:
        if what not in self._since:
            self._since[what] = time.monotonic()
            log.warning("%s: %s; it is waited for", what, error)

    def back(self, what: str) -> None:
        since = self._since.pop(what, None)
        if since is not None:
            log.warning("%s: back after %.0f s", what, time.monotonic() - since)

    def lasts_s(self, what: str) -> float:
        """For how long it has been away; 0: it is there."""
        since = self._since.get(what)
        return 0.0 if since is None else time.monotonic() - since

    def __bool__(self) -> bool:
        return bool(self._since)


class Patient:
    """Calls of a service that may be away: without it they say what they say to nothing, until patience is over.

    Each kind of call has a name. One that goes well shows only that its own kind does again: it may have asked nobody.
    """

    def __init__(
        self, what: str, outages: Outages, patience_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what, self._outages, self._patience_s, self._clock = what, outages, patience_s, clock
        self._failing: dict[str, float] = {}  # since when
        self._again = 0.0

    def __call__(self, name: str, call: Callable[[], T], otherwise: T) -> T:
        """Raises ServiceUnavailable when calls of this name have failed for longer than `patience_s`."""
        if self._clock() < self._again:
            return otherwise
        try:
            answer = call()
        except ServiceUnavailable as error:
            self._outages.away(self._what, error)
            if self._clock() - self._failing.setdefault(name, self._clock()) >= self._patience_s:
                raise
            self._again = self._clock() + PAUSE_S
            return otherwise
        self._failing.pop(name, None)
        if not self._failing:
            self._outages.back(self._what)
        return answer
