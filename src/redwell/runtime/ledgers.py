"""Where the ledger of a case lies: in a SQLite file in its folder, or in a schema of a PostgreSQL database.

Part of bootstrap's joining. The folder says which, so that a setting which changes later misleads nobody.
"""

import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from types import ModuleType

import msgspec

from redwell.adapters.files.notes import noted, renoted
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.store import create_case
from redwell.adapters.sql.views import CaseViews
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.errors import UserError
from redwell.core.ids import uuid7

_FILE = "case.sqlite"
_NOTE = "case.json"  # of a case in PostgreSQL


class Note(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the folder of a case in PostgreSQL says of it; where the database is, only the setting knows."""

    name: str
    uid: str
    keeper: str = ""  # the machine that has its index; empty: this one
    keeping: int = 0  # raised whenever another machine becomes the keeper

    @property
    def schema(self) -> str:
        return f"redwell_case_{self.uid.replace('-', '')}"


def make_ledger(folder: Path, name: str, url: str) -> None:
    """A new ledger in the database, or in the folder if that is empty; one that is there stays where it is."""
    note = Note(name=name, uid=str(uuid7()))
    if not url and not (folder / _NOTE).exists():
        database: Database = SqliteDatabase(folder / _FILE)
    elif (folder / _FILE).exists():
        return
    else:
        note = _noted(folder, note)
        database = _postgres(url, note)
    with closing(database):
        create_case(database, {"name": note.name, "uid": note.uid})


def _noted(folder: Path, note: Note) -> Note:
    """The note that is in the folder now: this one, or that of somebody who was first."""
    noted(folder, _NOTE, msgspec.json.encode(note))
    return _note(folder)


def _note(folder: Path) -> Note:
    try:
        return msgspec.json.decode((folder / _NOTE).read_bytes(), type=Note)
    except msgspec.MsgspecError as error:
        raise UserError(f"{folder / _NOTE} is damaged: {error}; restore it from a copy") from None


def note_of(folder: Path) -> Note | None:
    """None: its ledger is a file in the folder, or there is no case."""
    return _note(folder) if (folder / _NOTE).exists() else None


def join_ledger(folder: Path, note: Note) -> None:
    """The folder of a machine that works on a case which another one keeps."""
    noted(folder, _NOTE, msgspec.json.encode(note))


def note_keeper(folder: Path, note: Note, keeper: str, keeping: int) -> None:
    """From now on that machine keeps the case."""
    renoted(folder, _NOTE, msgspec.json.encode(msgspec.structs.replace(note, keeper=keeper, keeping=keeping)))


def has_ledger(folder: Path) -> bool:
    return (folder / _NOTE).exists() or (folder / _FILE).exists()


def open_ledger(folder: Path, url: str) -> Database:
    return _postgres(url, _note(folder)) if (folder / _NOTE).exists() else SqliteDatabase(folder / _FILE)


def _postgres(url: str, note: Note) -> Database:
    if not url:
        raise UserError(f"case {note.name!r} is kept in PostgreSQL; name its database with REDWELL_DATABASE")
    return postgres_database(url, note.schema)


def postgres_database(url: str, schema: str) -> Database:
    database: Database = _adapter().PostgresDatabase(url, schema)
    return database


def _adapter() -> ModuleType:
    try:
        return import_module("redwell.adapters.postgres.database")
    except ModuleNotFoundError as error:
        raise UserError(f"PostgreSQL needs another package ({error.name}): pip install 'redwell[postgres]'") from None


def name_of(folder: Path) -> str | None:
    """The name that a case's folder brings along, from wherever it was copied; None where no case is."""
    if (folder / _NOTE).exists():
        return _note(folder).name
    if not (folder / _FILE).exists():
        return None
    with closing(SqliteDatabase(folder / _FILE)) as database:
        return CaseViews(database).info()["name"]


def described(url: str) -> str:
    """For `redwell doctor`: what new cases are kept in."""
    if not url:
        return f"SQLite {sqlite3.sqlite_version}, a file per case"
    return f"{_adapter().server_version(url)}, a schema per case"
