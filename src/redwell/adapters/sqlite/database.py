"""One SQLite file: one writer at a time per process, every write BEGIN IMMEDIATE, full sync."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import QueuePool

from redwell.core.errors import DiskFull, Recoverable

BUSY_S = 60


class Database:
    """Threads of a process take turns to write; other processes wait at BEGIN IMMEDIATE."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._engine = create_engine(
            f"sqlite:///{path}",
            poolclass=QueuePool,
            connect_args={"timeout": BUSY_S, "check_same_thread": False, "isolation_level": None},
        )
        event.listen(self._engine, "connect", _configure)
        self._writer = self._engine.connect()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of it is durable when the block ends, or none of it happened."""
        with self._lock:
            with _named_failures(self.path):
                self._writer.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                with _named_failures(self.path):
                    yield self._writer
                    self._writer.exec_driver_sql("COMMIT")
            except BaseException:
                if self._driver.in_transaction:
                    self._writer.exec_driver_sql("ROLLBACK")
                raise
            finally:
                self._writer.commit()  # ends SQLAlchemy's own notion of a transaction; no statement is sent

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view; it never blocks the writer."""
        with self._engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            try:
                yield connection
            finally:
                connection.exec_driver_sql("ROLLBACK")

    def close(self) -> None:
        self._writer.close()
        self._engine.dispose()

    @property
    def _driver(self) -> sqlite3.Connection:
        driver: Any = self._writer.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        return driver


PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "temp_store=MEMORY",
    "cache_size=-32768",
    "wal_autocheckpoint=4000",  # pages are written often while a batch runs; fewer copies into the file itself
)


def _configure(driver: sqlite3.Connection, _record: object) -> None:
    for pragma in PRAGMAS:
        driver.execute(f"PRAGMA {pragma}").fetchall()


@contextmanager
def _named_failures(path: Path) -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        code = getattr(error.orig, "sqlite_errorcode", None)
        if code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE}:
            raise DiskFull(f"no space left for {path}") from error
        if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise Recoverable(f"{path} was locked by another process for {BUSY_S} s") from error
        raise
