"""Where the cases are that a home knows, or that machines share through its database; found without changing either.

Part of bootstrap's joining, for whoever only looks. Whoever works finds them with `case_directory`.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path

from redwell.adapters.sql_reader.session import ReadOnlyDatabase, Row, looked
from redwell.adapters.sqlite.read_only import SqliteFile
from redwell.core.command_lines import command_line
from redwell.core.errors import NotFound, UserError
from redwell.runtime.bootstrap.cases.case_notes import LEDGER_FILE, Note, note_of, place_of
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import postgres_adapter

CONTROL = "control.sqlite"
_SHARED = "SELECT number, name, uid, blobs, keeper FROM shared_case WHERE uid <> '' ORDER BY number"


@dataclass(frozen=True, slots=True)
class CasePlace:
    name: str
    number: int
    folder: Path | None  # None: this machine has no part of it
    note: Note | None = None  # None: its rows are a file in the folder
    blobs: str = ""  # empty: its bytes are in the folder

    @property
    def is_shared(self) -> bool:
        return self.note is not None and bool(self.blobs)


class CasePlaces:
    """Opened for one question after the other; a home that is not there has no cases."""

    def __init__(self, home: Path, settings: Settings) -> None:
        self._home, self._settings = home, settings
        self._opened = ExitStack()

    def find(self, name: str) -> CasePlace:
        for place in self.all():
            if place.name == name:
                return place
        if not self._home.exists():
            made = "does not exist; `redwell import` makes it"
            raise NotFound(f"there is no case {name!r}: REDWELL_HOME {self._home} {made}")
        known = ", ".join(place.name for place in self.all()) or "none yet"
        raise NotFound(f"there is no case {name!r} in {self._home}; cases there: {known}")

    def all(self) -> Iterator[CasePlace]:
        """Of this home, those among them that were only copied here, then those that other machines keep."""
        known: set[str] = set()
        for number, name in self._own().items():
            folder = self._home / "cases" / str(number)
            note = note_of(folder)
            known.add(note.uid if note else "")
            yield CasePlace(name, number, folder, note, place_of(folder))
        for number, name, uid, blobs, keeper in self._shared():
            if uid not in known:
                yield CasePlace(name, number, None, Note(name=name, uid=uid, keeper=keeper), blobs)

    def numbers(self) -> dict[int, str]:
        """The names of the same cases by their numbers."""
        return {place.number: place.name for place in self.all()}

    def close(self) -> None:
        self._opened.close()

    def _own(self) -> dict[int, str]:
        """By number. A folder that was copied here from another home brings its name along."""
        there = next(place for place in (self._home, *self._home.parents) if place.exists())
        if not there.is_dir():  # "nothing is there" would be no answer
            raise UserError(f"REDWELL_HOME {self._home} can't be used: {there} is no folder")
        own = dict[int, str](self._rows(SqliteFile(self._home / CONTROL), "cases", "SELECT id, name FROM cases"))
        for folder in sorted((self._home / "cases").glob("*")):
            with suppress(ValueError):
                if int(folder.name) not in own and (name := name_of(folder)):
                    own[int(folder.name)] = name
        return own

    def _shared(self) -> list[Row]:
        if not self._settings.database:
            return []
        schema = f"{self._settings.name_prefix}_services"
        database = postgres_adapter("read_only").PostgresSchema(self._settings.database, schema)
        return self._rows(database, "shared_case", _SHARED)

    def _rows(self, database: ReadOnlyDatabase, table: str, query: str) -> list[Row]:
        with closing(database):
            if not database.has_table(table):
                return []
            return looked(database, lambda session: session.all(query))


def require_folder(folder: Path, name: str) -> None:
    """A case whose folder somebody has removed is a case that is gone, and no empty one."""
    if not folder.exists():
        raise NotFound(
            f"the folder of case {name!r} is gone ({folder}): put it back from a copy, or forget the case with: "
            f"{command_line('case delete', name)}"
        )


def name_of(folder: Path) -> str | None:
    """The name that a case's folder brings along, from wherever it was copied; None where no case is."""
    if note := note_of(folder):
        return note.name
    with closing(SqliteFile(folder / LEDGER_FILE)) as database:
        if not database.has_table("case_info"):
            return None
        named = looked(database, lambda session: session.all("SELECT value FROM case_info WHERE key = 'name'"))
        return next((name for (name,) in named), None)


def size_of(folder: Path | None) -> tuple[int, int]:
    """Files and bytes in a folder; what goes away meanwhile is not counted."""
    files = size = 0
    for parent, _, names in os.walk(folder) if folder else ():
        for name in names:
            try:
                size += os.lstat(os.path.join(parent, name)).st_size
                files += 1
            except FileNotFoundError:
                continue
    return files, size


def unmade(name: str) -> NotFound:
    return NotFound(f"case {name!r} is being made, or whoever made it was stopped: import into it again")
