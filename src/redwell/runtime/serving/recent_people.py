"""Who somebody is and what they may do, remembered for a moment: a page asks for many things at once.

What this process changes counts at once; what another one changes (`redwell user disable`), within a second.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

T = TypeVar("T")
RECENT_S = 1.0
_MOST = 10_000


class Recent(Generic[T]):
    """Answers by what was asked, for so many seconds. Threads may share it: each call is one step of Python's own."""

    def __init__(self, recent_s: float, now: Callable[[], float] = time.monotonic) -> None:
        self._recent_s, self._now = recent_s, now
        self._known: OrderedDict[Hashable, tuple[float, T]] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        known = self._known.get(key)
        return known[1] if known and self._now() - known[0] < self._recent_s else None

    def put(self, key: Hashable, answer: T) -> T:
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[key] = self._now(), answer
        return answer

    def clear(self) -> None:
        self._known.clear()


class Telling:
    """Around a store: whatever changes it is told. What only looks is named."""

    def __init__(self, store: object, looks: frozenset[str], changed: Callable[[], None]) -> None:
        self._store, self._looks, self._changed = store, looks, changed

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name in self._looks:
            return method

        def changing(*args: Any, **named: Any) -> Any:
            try:
                return method(*args, **named)
            finally:
                self._changed()

        return changing
