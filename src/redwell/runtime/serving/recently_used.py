"""A bounded number of things that are costly to open, by key: the one that was asked for longest ago goes first."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
IN_USE_S = 60.0  # since it was asked for last: whoever asked may still use it


class RecentlyUsed(Generic[T]):
    """Not safe for several threads by itself. While all are in use there may be more of them than `most`."""

    def __init__(self, most: int, close: Callable[[T], None], now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._close, self._now = most, close, now
        self._kept: OrderedDict[int, tuple[T, float]] = OrderedDict()

    def get(self, key: int) -> T | None:
        if key not in self._kept:
            return None
        thing, _ = self._kept[key]
        self._keep(key, thing)
        return thing

    def put(self, key: int, thing: T) -> T:
        self._keep(key, thing)
        for old in list(self._surplus()):
            self.drop(old)
        return thing

    def drop(self, key: int) -> None:
        """Nothing happens where there is none."""
        if key in self._kept:
            self._close(self._kept.pop(key)[0])

    def close(self) -> None:
        for key in list(self._kept):
            self.drop(key)

    def _keep(self, key: int, thing: T) -> None:
        self._kept[key] = thing, self._now()
        self._kept.move_to_end(key)

    def _surplus(self) -> Iterator[int]:
        too_many = max(0, len(self._kept) - self._most)
        for key, (_, asked) in list(self._kept.items())[:too_many]:
            if self._now() - asked > IN_USE_S:
                yield key
