"""The rows of a SQLite file that can't be written to: on a read-only disk, a full one, or a folder of somebody else.

Stores that mostly are asked (productions, reviews, data of documents) answer from it; who writes is told why not.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from redwell.adapters.sqlite.read_connection import ReadConnection
from redwell.core.errors import Recoverable, RedwellError
from redwell.ports.audit import Overtaken

T = TypeVar("T")


class UnwritableSqlite:
    """Keeps the promises of `sql.database.Database`, but for those of writing: these raise `reason`."""

    def __init__(self, path: Path, reason: RedwellError) -> None:
        self._path, self._reason = path, reason
        self._lock = threading.Lock()
        self._connection = ReadConnection(path)
        self._engine = create_engine("sqlite://", creator=self._driver, poolclass=StaticPool)

    def _driver(self) -> sqlite3.Connection:
        return self._connection.driver

    @property
    def label(self) -> str:
        return self._path.name

    def prepare(self, tx: Connection) -> None:
        raise self._reason

    def write(self, work: Callable[[Connection], T]) -> T:
        raise self._reason

    write_one = write

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._lock:
            try:
                with self._engine.connect() as connection:
                    yield connection
            finally:
                self._require_fit()

    look = read

    def _require_fit(self) -> None:
        try:
            self._connection.require_fit()
        except Overtaken:
            raise Recoverable(f"{self._path} is written to elsewhere just now; try again") from None

    def integrity(self, tx: Connection) -> Iterator[str]:
        return iter(())

    def close(self) -> None:
        self._engine.dispose()
        self._connection.close()
