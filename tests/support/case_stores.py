"""The case stores that the contract suite runs over. An adapter joins by an entry in DATABASES."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.support import postgres as servers
from tests.support.ledger_model import LARGE_BYTES, MAX_DEPTH

from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.postgres.read_only import PostgresSchema
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_ledger.ledger_store import SqlCaseStore
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.adapters.sql_reader.session import ReadOnlyDatabase
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.adapters.sqlite.read_only import SqliteFile
from redwell.core.case.settled import Limits
from redwell.core.work.kinds import Attempts
from redwell.core.work.recipe import Recipe
from redwell.ports.case_reader import CaseReader


class OpenStore(SqlCaseStore):
    """The store of a worker, and a reader of the same case."""

    rows: CaseReader


class Connector(NamedTuple):
    """Each time another connection to the same case."""

    work: Callable[[], Database]
    look: Callable[[], ReadOnlyDatabase]


Opener = Callable[[str], OpenStore]  # for a worker; all of them on one case


@contextmanager
def sqlite(folder: Path) -> Iterator[Connector]:
    path = folder / "case.sqlite"
    yield Connector(partial(SqliteDatabase, path), partial(SqliteFile, path))


@contextmanager
def postgres(_folder: Path) -> Iterator[Connector]:
    with servers.schema() as schema:
        place = servers.server().url, schema
        yield Connector(partial(PostgresDatabase, *place), partial(PostgresSchema, *place))


DATABASES: dict[str, Callable[[Path], AbstractContextManager[Connector]]] = {"sqlite": sqlite, "postgres": postgres}


@contextmanager
def case_stores(adapter: str, folder: Path, attempts: Attempts) -> Iterator[Opener]:
    recipe = Recipe(settings="settings", large_bytes=LARGE_BYTES)
    with DATABASES[adapter](folder) as connect, ExitStack() as stack:

        def database() -> Database:
            made = connect.work()
            stack.callback(made.close)
            return made

        def opened(worker: str) -> OpenStore:
            limits = Limits(MAX_DEPTH, 1_000)
            store = OpenStore(database(), worker, recipe, limits=limits, prefix="RW", attempts=lambda _: attempts)
            store.rows = SqlCaseReader(connect.look())
            stack.callback(store.rows.close)
            return store

        create_case(database(), {"name": "contract"})
        yield opened
