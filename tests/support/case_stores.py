"""The case stores that the contract suite runs over. An adapter joins by an entry in DATABASES."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path

from tests.support import postgres as servers
from tests.support.ledger_model import LARGE_BYTES, MAX_DEPTH

from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.sql.contents import Recipe
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.settled import Limits
from redwell.adapters.sql.store import SqlCaseStore, create_case
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.ledger import Attempts
from redwell.ports.case_store import CaseStore

Connector = Callable[[], Database]  # each time another connection to the same case
Opener = Callable[[str], CaseStore]  # for a worker; all of them on one case


@contextmanager
def sqlite(folder: Path) -> Iterator[Connector]:
    yield partial(SqliteDatabase, folder / "case.sqlite")


@contextmanager
def postgres(_folder: Path) -> Iterator[Connector]:
    with servers.schema() as schema:
        yield partial(PostgresDatabase, servers.server().url, schema)


DATABASES: dict[str, Callable[[Path], AbstractContextManager[Connector]]] = {"sqlite": sqlite, "postgres": postgres}


@contextmanager
def case_stores(adapter: str, folder: Path, attempts: Attempts) -> Iterator[Opener]:
    recipe = Recipe(lambda: "engine/1", "settings", LARGE_BYTES)
    with DATABASES[adapter](folder) as connect, ExitStack() as stack:

        def database() -> Database:
            made = connect()
            stack.callback(made.close)
            return made

        def opened(worker: str) -> CaseStore:
            limits = Limits(MAX_DEPTH, 1_000)
            return SqlCaseStore(database(), worker, recipe, limits=limits, prefix="RW", attempts=attempts)

        create_case(database(), {"name": "contract"})
        yield opened
