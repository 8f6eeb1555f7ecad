"""A case in PostgreSQL, only looked at: sessions that the server itself lets write nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from typing import Any

import psycopg

from redwell.adapters.postgres.connect import connect
from redwell.adapters.postgres.failures import named
from redwell.adapters.sql_reader.connections import Connections
from redwell.adapters.sql_reader.session import LIST, PARAMETER, Row, Unreadable

AT_ONCE = 2_000
_SESSION = (
    "SELECT set_config('search_path', %(schema)s, false), set_config('default_transaction_read_only', 'on', false),"
    " set_config('plan_cache_mode', 'force_custom_plan', false), set_config('jit', 'off', false),"
    " set_config('cursor_tuple_fraction', '1', false)"  # a stream is read to its end: no plan that only begins fast
)
_INVALID = """SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready)"""
_TABLE = "SELECT 1 FROM information_schema.tables WHERE table_schema = %(schema)s AND table_name = %(name)s"


class PostgresSession:
    """One transaction; what it sees stays as it was at its first query."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._names = count(1)

    def all(self, query: str, **values: object) -> list[Row]:
        return self._connection.execute(_spelled(query), values).fetchall()

    def stream(self, query: str, **values: object) -> Iterator[Row]:
        with self._connection.cursor(name=f"rows{next(self._names)}") as cursor:
            cursor.itersize = AT_ONCE
            yield from cursor.execute(_spelled(query), values)

    @contextmanager
    def guard(self) -> Iterator[None]:
        with self._connection.transaction() as savepoint:
            try:
                yield
            except psycopg.Error as error:
                if self._connection.broken:
                    raise
                raise Unreadable(str(error).strip().partition("\n")[0]) from error
            raise psycopg.Rollback(savepoint)  # nothing was written

    def integrity(self) -> Iterator[str]:
        """Of its indexes; pages are the server's affair (docs/postgres.md)."""
        for (index,) in self._connection.execute(_INVALID):
            yield f"PostgreSQL calls the index {index} invalid; REINDEX it"


class PostgresSchema:
    """Keeps the promises of `sql_reader.session.ReadOnlyDatabase`."""

    def __init__(self, url: str, schema: str) -> None:
        self._url, self._schema = url, schema
        self._connections = Connections(self._connect, _is_alive)

    @property
    def label(self) -> str:
        return f"schema {self._schema}"

    def has_table(self, name: str) -> bool:
        with self._named_failures(), self._connections.one() as connection:
            return bool(connection.execute(_TABLE, {"schema": self._schema, "name": name}).fetchall())

    @contextmanager
    def view(self) -> Iterator[PostgresSession]:
        with self._named_failures(), self._connections.one() as connection, connection.transaction():
            yield PostgresSession(connection)

    def _connect(self) -> psycopg.Connection[Any]:
        connection = connect(self._url)
        try:
            connection.execute(_SESSION, {"schema": self._schema})
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _named_failures(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise named(error, self.label) from error

    def close(self) -> None:
        self._connections.close()


def _is_alive(connection: psycopg.Connection[Any]) -> bool:
    """Asked before each use: the server may have been started anew since the last one."""
    try:
        connection.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True


@lru_cache(256)
def _spelled(query: str) -> bytes:
    """In the driver's own words; lists are arrays."""
    arrays = LIST.sub(r"= ANY(:\1)", query.replace("%", "%%"))
    return PARAMETER.sub(r"%(\1)s", arrays).encode()
