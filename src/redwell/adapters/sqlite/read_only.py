"""One SQLite file, only looked at: nothing is written beside it, and nobody who writes has to wait (ADR 23)."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from redwell.adapters.sql_reader.connections import Connections
from redwell.adapters.sql_reader.session import LIST, Row, Unreadable, looked
from redwell.adapters.sqlite.read_connection import BUSY_S, NO_ROOM, ReadConnection
from redwell.core.errors import DiskFull, NotFound, Permanent, Recoverable
from redwell.ports.audit import Overtaken

AT_ONCE = 500
_TRIES = 5  # of opening: a writer may come or go in between
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}


class SqliteSession:
    """Rows are given away only after it is known that they were of one state."""

    def __init__(self, connection: ReadConnection) -> None:
        self._connection, self._driver = connection, connection.driver

    def all(self, query: str, **values: object) -> list[Row]:
        with self._same_state():
            rows: list[Row] = self._driver.execute(*_bound(query, values)).fetchall()
        return rows

    def stream(self, query: str, **values: object) -> Iterator[Row]:
        with self._same_state():
            cursor = self._driver.execute(*_bound(query, values))
        try:
            while True:
                with self._same_state():
                    rows = cursor.fetchmany(AT_ONCE)
                if not rows:
                    return
                yield from rows
        finally:
            cursor.close()

    @contextmanager
    def _same_state(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._connection.require_fit()  # also after an error: a file that changed underneath may seem damaged

    @contextmanager
    def guard(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise Unreadable(str(error)) from error

    def integrity(self) -> Iterator[str]:
        """Of its pages, indexes and constraints."""
        for (said,) in self.stream("PRAGMA integrity_check"):
            if said != "ok":
                yield said


class SqliteFile:
    """Keeps the promises of `sql_reader.session.ReadOnlyDatabase`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connections = Connections(self._connect, ReadConnection.is_fit)

    @property
    def label(self) -> str:
        return self._path.name

    def has_table(self, name: str) -> bool:
        if not self._path.exists():
            return False
        return bool(looked(self, lambda s: s.all("SELECT 1 FROM sqlite_master WHERE name = :name", name=name)))

    @contextmanager
    def view(self) -> Iterator[SqliteSession]:
        with _named_failures(self._path), self._connections.one() as connection:
            connection.driver.execute("BEGIN")
            try:
                yield SqliteSession(connection)
            finally:
                connection.driver.execute("ROLLBACK")

    def _connect(self) -> ReadConnection:
        for _ in range(_TRIES):
            try:
                return ReadConnection(self._path)
            except Overtaken:
                continue
            except FileNotFoundError:
                raise NotFound(f"{self._path} is not there") from None
        raise Recoverable(f"{self._path} is opened and closed by others all the time; try again")

    def close(self) -> None:
        self._connections.close()


def _bound(query: str, values: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Lists go in as JSON; hashes, which JSON can't hold, one by one."""
    lists = {name: value for name, value in values.items() if isinstance(value, list)}
    if not lists:
        return query, values
    bound = {name: value for name, value in values.items() if name not in lists}
    counts = []
    for name, items in lists.items():
        if items and isinstance(items[0], bytes):
            counts.append((name, len(items)))
            bound |= {f"{name}{n}": item for n, item in enumerate(items)}
        else:
            bound[name] = json.dumps(items)
    return _with_lists(query, tuple(counts)), bound


@lru_cache(64)
def _with_lists(query: str, counts: tuple[tuple[str, int], ...]) -> str:
    one_by_one = {name: ", ".join(f":{name}{n}" for n in range(count)) for name, count in counts}
    return LIST.sub(lambda at: f"IN ({one_by_one.get(at[1]) or f'SELECT value FROM json_each(:{at[1]})'})", query)


@contextmanager
def _named_failures(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0)
        if code in NO_ROOM:
            raise DiskFull(f"no space left beside {path}; make room, then try again") from error
        code &= 0xFF
        if code in _BUSY:
            raise Recoverable(f"{path} was locked by another process for {BUSY_S} s") from error
        if code in _DAMAGED:
            raise Permanent(f"{path} cannot be read: {error}; restore it from a copy") from error
        raise
