"""One SQLite file: one writer at a time per process, every write BEGIN IMMEDIATE, full sync."""

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import QueuePool

from redwell.adapters.sql.list_parameters import Hashes, Values
from redwell.adapters.sqlite.functions import add_functions
from redwell.core.errors import DiskFull, ReadOnly, Recoverable

BUSY_S = 60
_PRIMARY = 0xFF  # of a result code: what it is about; the rest says more of it
_LEAST_BYTES = 64 << 10
T = TypeVar("T")

sqlite3.register_adapter(Values, lambda values: msgspec.json.encode(values).decode())
sqlite3.register_adapter(Hashes, b"".join)


class SqliteDatabase:
    """Threads of a process take turns to write; other processes wait at BEGIN IMMEDIATE."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._engine = create_engine(
            f"sqlite:///{path}",
            poolclass=QueuePool,
            pool_use_lifo=True,  # each connection has a cache of its own: the fewer are in use, the better it is filled
            connect_args={"timeout": BUSY_S, "check_same_thread": False, "isolation_level": None},
        )
        event.listen(self._engine, "connect", _configure)
        with _named_failures(path):
            self._writer = self._engine.connect()

    @property
    def label(self) -> str:
        return self.path.name

    def prepare(self, tx: Connection) -> None:
        """The file is there once it is opened."""

    def write(self, work: Callable[[Connection], T]) -> T:
        with self._transaction() as tx:
            return work(tx)

    write_one = write  # a file has one writer

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """By the driver itself: SQLAlchemy would take longer to say BEGIN and COMMIT than SQLite to do it."""
        with self._lock:
            driver = self._driver
            with _named_failures(self.path):
                driver.execute("BEGIN IMMEDIATE")
            try:
                with _named_failures(self.path):
                    yield self._writer
                    driver.execute("COMMIT")
            except BaseException:
                if driver.in_transaction:
                    driver.execute("ROLLBACK")
                raise
            finally:
                self._writer.commit()  # ends SQLAlchemy's own notion of a transaction; no statement is sent

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with _named_failures(self.path), self._engine.connect() as connection:
            driver = _driver_of(connection)
            driver.execute("BEGIN")
            try:
                yield connection
            finally:
                driver.execute("ROLLBACK")

    @contextmanager
    def look(self) -> Iterator[Connection]:
        """By the connection that writes: the pages that any other one has kept are void with every commit."""
        with self._lock, _named_failures(self.path):
            self._driver.execute("BEGIN")
            try:
                yield self._writer
            finally:
                self._driver.execute("ROLLBACK")
                self._writer.commit()  # as above

    def integrity(self, tx: Connection) -> Iterator[str]:
        """Of its pages, indexes and constraints."""
        for (said,) in tx.exec_driver_sql("PRAGMA integrity_check"):
            if said != "ok":
                yield said

    def close(self) -> None:
        self._writer.close()
        self._engine.dispose()

    @property
    def _driver(self) -> sqlite3.Connection:
        return _driver_of(self._writer)


def _driver_of(connection: Connection) -> sqlite3.Connection:
    driver: Any = connection.connection.driver_connection
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
    add_functions(driver)


# A reader needs room too: for the file that the readers of a database share.
_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_TRUNCATE}
_REFUSED = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR_SHMOPEN}


@contextmanager
def _named_failures(path: Path) -> Iterator[None]:
    try:
        yield
    except (OperationalError, sqlite3.OperationalError) as error:
        code = getattr(getattr(error, "orig", error), "sqlite_errorcode", None) or 0
        if code in _FULL or (code & _PRIMARY in _REFUSED and not _has_room(path)):
            raise DiskFull(f"no space left for {path}; make room, then try again") from error
        if code in _REFUSED or code & _PRIMARY in _REFUSED:
            raise ReadOnly(f"{path} can't be opened for writing: let this user write to its folder") from error
        if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise Recoverable(f"{path} was locked by another process for {BUSY_S} s") from error
        raise


def _has_room(path: Path) -> bool:
    """Enough for the smallest files that SQLite needs."""
    try:
        return shutil.disk_usage(path.parent).free >= _LEAST_BYTES
    except OSError:
        return True
