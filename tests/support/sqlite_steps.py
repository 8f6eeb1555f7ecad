"""What SQLite does for a call, counted in instructions of its own machine: the same at every run, on every computer."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from sqlalchemy import Engine, event

from redwell.adapters.sqlite import read_connection

EVERY = 10  # instructions


class Steps:
    def __init__(self) -> None:
        self._count = 0

    def of(self, call: Callable[[], object]) -> int:
        before = self._count
        call()
        return (self._count - before) * EVERY

    def watch(self, driver: sqlite3.Connection, _record: object) -> None:
        driver.set_progress_handler(self._step, EVERY)

    def _step(self) -> int:
        self._count += 1
        return 0


@contextmanager
def counted() -> Iterator[Steps]:
    """Of all connections that are opened from now on."""
    steps = Steps()
    opened = read_connection._connect

    def to_read(path: Path, mode: str) -> sqlite3.Connection:
        driver = opened(path, mode)
        steps.watch(driver, None)
        return driver

    event.listen(Engine, "connect", steps.watch)
    try:
        with patch.object(read_connection, "_connect", to_read):
            yield steps
    finally:
        event.remove(Engine, "connect", steps.watch)
