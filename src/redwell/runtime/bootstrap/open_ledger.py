"""Where the ledger of a case lies: in a SQLite file in its folder, or in a schema of a PostgreSQL database.

Part of bootstrap's joining. The folder says which, so that a setting which changes later misleads nobody.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.adapters.sqlite.unwritable import UnwritableSqlite
from redwell.core.errors import DiskFull, ReadOnly
from redwell.core.ids import uuid7
from redwell.runtime.bootstrap.cases.case_notes import LEDGER_FILE, Note, has_ledger, note_ledger, note_of
from redwell.runtime.bootstrap.cases.case_places import CasePlace
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import checked_url, postgres_adapter


def make_ledger(folder: Path, name: str, settings: Settings, fixed: Mapping[str, str]) -> None:
    """A new ledger in the database, or in the folder if that is empty; one that is there stays where it is."""
    note = Note(name=name, uid=str(uuid7()))
    if not settings.database and note_of(folder) is None:
        database: Database = SqliteDatabase(folder / LEDGER_FILE)
    elif (folder / LEDGER_FILE).exists():
        return
    else:
        note = note_ledger(folder, note)
        database = _postgres(settings, note)
    with closing(database):
        create_case(database, {"name": note.name, "uid": note.uid, **fixed})


def open_ledger(folder: Path, settings: Settings) -> Database:
    note = note_of(folder)
    return _postgres(settings, note) if note else SqliteDatabase(folder / LEDGER_FILE)


def open_rows_beside(place: CasePlace, settings: Settings) -> Database:
    """For what is kept beside the ledger, of a case that was looked at before and is of this release.

    Where nothing can be written the rows can be asked, and whoever writes is told why not.
    """
    if place.folder is None or not has_ledger(place.folder):
        assert place.note is not None, "a case without a folder is in the database"
        return _postgres(settings, place.note)
    try:
        return open_ledger(place.folder, settings)
    except (ReadOnly, DiskFull) as reason:
        return UnwritableSqlite(place.folder / LEDGER_FILE, reason)


def _postgres(settings: Settings, note: Note) -> Database:
    checked_url(settings.database, note)
    return postgres_database(settings, note.schema)


def postgres_database(settings: Settings, schema: str) -> Database:
    database: Database = postgres_adapter("database").PostgresDatabase(settings.database, schema, settings.pool)
    return database


def described(url: str) -> str:
    """For `redwell doctor`: what new cases are kept in."""
    if not url:
        return f"SQLite {sqlite3.sqlite_version}, a file per case"
    return f"{postgres_adapter('connect').server_version(url)}, a schema per case"
