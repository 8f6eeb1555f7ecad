"""The people of a home: in its control file, or in the database that machines share. Part of bootstrap's joining."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from redwell.adapters.sql.database import Database
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.ports.accounts import Accounts, Credentials
from redwell.runtime.bootstrap.cases.case_places import CONTROL
from redwell.runtime.bootstrap.open_ledger import postgres_database
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import serve_adapter


@dataclass(frozen=True, slots=True)
class People:
    accounts: Accounts
    credentials: Credentials
    _opened: ExitStack

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> "People":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_people(home: Path, settings: Settings) -> People:
    accounts, credentials = serve_adapter("accounts"), serve_adapter("credentials")
    with ExitStack() as opened:
        database = _database(home, settings)
        opened.callback(database.close)
        accounts.prepare(database)
        return People(accounts.SqlAccounts(database), credentials.SqlCredentials(database), opened.pop_all())


def _database(home: Path, settings: Settings) -> Database:
    if settings.database:
        return postgres_database(settings, f"{settings.name_prefix}_services")
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return SqliteDatabase(home / CONTROL)
