"""The SQL queue stays flat: a claim reads the beginning of an index, however many messages wait.

The plans are those of an empty queue, which a server may keep while it grows.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection
from tests.support import postgres

from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.sql.prepared import Prepared
from redwell.adapters.sql_queues import queue_tables
from redwell.adapters.sql_queues.queue import prepare
from redwell.adapters.sqlite.database import SqliteDatabase

STATEMENTS = {
    name: statement
    for name, statement in vars(queue_tables).items()
    if isinstance(statement, Prepared) and name != "NAMES"  # for a person, over the names of all queues
}


@pytest.fixture(scope="module")
def queue_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path: Path = tmp_path_factory.mktemp("plans") / "queues.sqlite"
    with closing(SqliteDatabase(path)) as database:
        prepare(database)
    with closing(sqlite3.connect(path)) as connection:
        yield connection


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresDatabase]:
    with postgres.schema() as schema, closing(PostgresDatabase(postgres.server().url, schema)) as database:
        prepare(database)
        yield database


@pytest.mark.parametrize("name", STATEMENTS)
def test_sqlite_finds_messages_by_an_index_and_sorts_none(queue_file: sqlite3.Connection, name: str) -> None:
    statement = STATEMENTS[name].text("sqlite")
    explained = queue_file.execute(f"EXPLAIN QUERY PLAN {statement.sql}", [1] * len(statement.names))
    plan = [row[3] for row in explained]
    assert not [step for step in plan if re.match(r"SCAN queue|.*ORDER BY", step)], plan


@pytest.mark.parametrize("name", STATEMENTS)
def test_postgres_finds_messages_by_an_index_and_sorts_none(server: PostgresDatabase, name: str) -> None:
    plan = server.write_one(lambda tx: _plan(tx, name))
    assert not [step for step in plan if re.search(r"Seq Scan|Bitmap|Sort|Hash (Left )?Join|Merge", step)], plan


def _plan(tx: Connection, name: str) -> list[str]:
    """As for a prepared statement of which the server does not know the parameters."""
    sql = STATEMENTS[name].text("postgresql").sql
    for number, parameter in enumerate(dict.fromkeys(re.findall(r"%\((\w+)\)s", sql)), 1):
        sql = sql.replace(f"%({parameter})s", f"${number}")
    driver = tx.connection.driver_connection
    assert driver
    return [line for (line,) in driver.execute(f"EXPLAIN (GENERIC_PLAN, COSTS OFF) {sql}")]
