"""A case in PostgreSQL: a schema of its own, one writer at a time, used like adapters.sqlite's file.

Writers of a case take turns on an advisory lock, which goes with the transaction and so with its process
and its connection. So statements need no locks of their own, and no two of them can block each other.
"""

import hashlib
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import DBAPIError

from redwell.adapters.postgres.connect import connect
from redwell.adapters.postgres.failures import Contended, named
from redwell.core.errors import Recoverable, UserError
from redwell.core.patience import USUAL_POOL, Pool

LOCK_S = 90
FROZEN_S = 10  # a writer that says nothing for so long loses its transaction, and with it the lock of the others
TRIES = 4
PAUSE_S = 0.5
T = TypeVar("T")

_LONG_WAYS = ("seqscan", "hashjoin", "mergejoin", "material")
# Every statement of a writer has its index. A plan made while a table was small must not stay with it as it grows.
_WRITER = {"plan_cache_mode": "auto", **dict.fromkeys(map("enable_{}".format, _LONG_WAYS), "off")}
_BEGIN = "SELECT {}, {}, pg_advisory_xact_lock(%(key)s::BIGINT)".format(
    "set_config('idle_in_transaction_session_timeout', %(frozen)s, true)",
    ", ".join(f"set_config('{name}', '{value}', true)" for name, value in _WRITER.items()),
)
# A queue is taken from its beginning: sorting what is due would read all of it.
_QUEUES = {**_WRITER, "enable_bitmapscan": "off", "enable_sort": "off"}
_BESIDE = "SELECT " + ", ".join(f"set_config('{name}', '{value}', false)" for name, value in _QUEUES.items())
_SESSION = (
    "SELECT set_config('search_path', %(schema)s, false), set_config('lock_timeout', %(lock)s, false),"
    " set_config('plan_cache_mode', 'force_custom_plan', false), set_config('jit', 'off', false),"
    " current_setting('server_encoding')"
)
_INVALID = """SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = %(schema)s::regnamespace AND NOT (i.indisvalid AND i.indisready)"""


class PostgresDatabase:
    """Threads of a process take turns to write; other processes wait for the case's lock."""

    def __init__(self, url: str, schema: str, pool: Pool = USUAL_POOL) -> None:
        self._url, self._schema = url, schema
        self._key = int.from_bytes(hashlib.blake2b(schema.encode(), digest_size=8).digest(), "big", signed=True)
        self._lock = threading.Lock()
        kept = {"pool_size": pool.kept, "max_overflow": pool.more}
        aged = {"pool_timeout": pool.wait_s, "pool_recycle": pool.life_s}
        self._engine = create_engine(
            "postgresql+psycopg://", creator=self._connect, isolation_level="READ COMMITTED", **kept, **aged
        )
        # each statement its own transaction: a queue's are short, and BEGIN and COMMIT would be as much again
        self._beside = create_engine(
            "postgresql+psycopg://",
            creator=self._connect_beside,
            **kept,
            **aged,
            isolation_level="AUTOCOMMIT",
            pool_reset_on_return=None,  # nothing is open
        )
        self._readers = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    @property
    def label(self) -> str:
        return f"schema {self._schema}"

    def _connect(self) -> psycopg.Connection[Any]:
        connection = connect(self._url)
        try:
            values = {"schema": self._schema, "lock": f"{LOCK_S}s"}
            [(*_, encoding)] = connection.execute(_SESSION, values).fetchall()
            if encoding != "UTF8":
                raise UserError(f"the database's encoding is {encoding}; Redwell needs one that was made with UTF8")
            connection.autocommit = False
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect_beside(self) -> psycopg.Connection[Any]:
        connection = self._connect()
        connection.execute(_BESIDE)
        connection.commit()
        return connection

    def prepare(self, tx: Connection) -> None:
        tx.exec_driver_sql(f'CREATE SCHEMA IF NOT EXISTS "{self._schema}"')

    def remove(self) -> None:
        """The schema with all that is in it; nothing happens where there is none."""
        self.write(lambda tx: tx.exec_driver_sql(f'DROP SCHEMA IF EXISTS "{self._schema}" CASCADE'))

    def write(self, work: Callable[[Connection], T]) -> T:
        def alone() -> T:
            with self._lock, self._named_failures(), self._engine.begin() as tx, _given_up_if_lost(tx, self._engine):
                tx.exec_driver_sql(_BEGIN, {"frozen": f"{FROZEN_S}s", "key": self._key})
                return work(tx)

        return self._tried(alone)

    def write_one(self, work: Callable[[Connection], T]) -> T:
        def beside() -> T:
            with self._named_failures(), self._beside.connect() as tx, _given_up_if_lost(tx, self._beside):
                return work(tx)

        return self._tried(beside)

    def _tried(self, transaction: Callable[[], T]) -> T:
        for left in reversed(range(TRIES)):
            try:
                return transaction()
            except Contended as error:
                if not left:
                    raise Recoverable(f"{self.label} was locked by others, {TRIES} times in a row: {error}") from error
            time.sleep(random.uniform(PAUSE_S / 2, PAUSE_S * 2))  # so that two do not meet again
        raise AssertionError("not reached")

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._named_failures(), self._readers.connect() as tx, _given_up_if_lost(tx, self._engine):
            yield tx

    look = read  # a server keeps its pages for all connections

    @contextmanager
    def _named_failures(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, psycopg.Error) as error:
            raise named(error, self.label) from error

    def integrity(self, tx: Connection) -> Iterator[str]:
        """Of its indexes; pages are the server's affair (docs/postgres.md)."""
        for (index,) in tx.exec_driver_sql(_INVALID, {"schema": self._schema}):
            yield f"PostgreSQL calls the index {index} invalid; REINDEX it"

    def close(self) -> None:
        self._engine.dispose()
        self._beside.dispose()


@contextmanager
def _given_up_if_lost(tx: Connection, engine: Engine) -> Iterator[None]:
    """A connection that broke while the driver was asked directly is used by nobody again, nor are those beside it."""
    try:
        yield
    except psycopg.Error:
        if not tx.invalidated and getattr(tx.connection.driver_connection, "closed", True):
            tx.invalidate()
            engine.dispose()
        raise
