"""Databases for what reviewers add to a case, and for a home's people, of each kind."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import insert
from tests.support import postgres

from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.postgres.read_only import PostgresSchema
from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_reader.session import ReadOnlyDatabase
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.adapters.sqlite.read_only import SqliteFile

KINDS = ["sqlite", "postgres"]


@contextmanager
def databases(kind: str, folder: Path) -> Iterator[Callable[[], Database]]:
    """Each call opens the same one, as another process would."""
    with ExitStack() as resources:
        schema = resources.enter_context(postgres.schema()) if kind == "postgres" else ""

        def opened() -> Database:
            database: Database = (
                PostgresDatabase(postgres.server().url, schema) if schema else SqliteDatabase(folder / "rows.sqlite")
            )
            resources.callback(database.close)
            return database

        yield opened


def read_only(database: Database) -> ReadOnlyDatabase:
    """The same one for whoever only looks."""
    if isinstance(database, SqliteDatabase):
        return SqliteFile(database.path)
    return PostgresSchema(postgres.server().url, database.label.removeprefix("schema "))


def case_with_exhibits(database: Database, count: int) -> None:
    create_case(database, {"name": "c", "uid": "u"})
    rows = [
        {"id": n, "family": n, "number": n, "control": f"RW{n:08d}", "document": n, "checkpoint": 11}
        for n in range(1, count + 1)
    ]
    database.write(lambda tx: tx.execute(insert(exhibit), rows))
