"""Ctrl-C or SIGTERM once drains, twice stops at once; either way nothing is lost. For commands that work themselves."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

from redwell.core.exit_codes import ExitCode


class Stoppable(Protocol):
    def stop(self) -> None:
        """Take nothing new, finish what runs."""
        ...


def _noted(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextmanager
def stopped_by_signal(
    work: Stoppable, go_on: str, note: Callable[[str], None] = _noted, close: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """`go_on` says how; `close` is called before the process ends at once."""
    presses = 0

    def pressed(_signal: int, _frame: FrameType | None) -> None:
        nonlocal presses
        presses += 1
        if presses == 1:
            work.stop()
            note("finishing what is in work; once more stops at once")
        else:
            close()
            os.write(2, f"stopped; {go_on}\n".encode())
            os._exit(ExitCode.INTERRUPTED)

    before = {number: signal.signal(number, pressed) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
