"""Answers that cost more the larger a case is, for whoever asks often and can do with an older one. Used by workers."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar

TIMES = 20  # as long as it took: so the asking takes a twentieth of the time at most
T = TypeVar("T")


class CachedAnswer(Generic[T]):
    """The answer, asked for anew only some time after the last one. For one thread."""

    def __init__(self, ask: Callable[[], T], clock: Callable[[], float] = time.monotonic) -> None:
        self._ask, self._clock = ask, clock
        self._answer: T | None = None
        self._due: float | None = None

    def __call__(self) -> T:
        began = self._clock()
        if self._answer is None or self._due is None or began >= self._due:
            self._answer = self._ask()
            ended = self._clock()
            self._due = ended + TIMES * (ended - began)
        return self._answer
