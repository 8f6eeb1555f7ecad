"""Which cases there are, and which have work: those of this home, and those that machines share through the database.

A case in PostgreSQL whose bytes are in a bucket is shared: its row in the directory tells another machine where they
are. The machine that made it keeps it (ADR 19); another one that comes across it makes a folder with the same notes.
Part of bootstrap's joining; a worker keeps one open for its life.
"""

import logging
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path

from redwell.adapters.sql_jobs.shared_cases import Directory
from redwell.adapters.sqlite.control import Control
from redwell.core.errors import NotFound, UserError
from redwell.core.jobs.shared_cases import SharedCase
from redwell.runtime.bootstrap.cases.case_keeper import check_keeper, take_over
from redwell.runtime.bootstrap.cases.case_notes import (
    Note,
    is_shared,
    keeper_of,
    note_blobs,
    note_ledger,
    note_of,
    place_of,
)
from redwell.runtime.bootstrap.cases.case_places import CONTROL, name_of, require_folder
from redwell.runtime.bootstrap.cases.cases_in_the_making import wait_for_folder
from redwell.runtime.bootstrap.cases.transfer_notes import begin_incoming
from redwell.runtime.bootstrap.configuration.fixed_settings import of_new_case
from redwell.runtime.bootstrap.open_blobs import make_blobs
from redwell.runtime.bootstrap.open_ledger import make_ledger, postgres_database
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.bootstrap.settings import Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Marked:
    """A case that may have an open job."""

    name: str
    folder: Path
    mark: int
    shared: bool  # the mark is in the directory

    @property
    def number(self) -> int:
        return int(self.folder.name)


class Cases:
    def __init__(self, home: Path, settings: Settings) -> None:
        self._home, self._settings = home, settings
        self._opened = ExitStack()
        self._control: Control | None = None
        self._directory: Directory | None = None
        self._refused: set[str] = set()

    def folder_of(self, name: str) -> Path:
        if folder := self._find(name):
            require_folder(folder, name)
            return folder
        if not self._home.is_dir():
            why = "is no folder" if self._home.exists() else "does not exist; `redwell import` makes it"
            raise NotFound(f"there is no case {name!r}: REDWELL_HOME {self._home} {why}")
        known = ", ".join(self.names()) or "none yet"
        raise NotFound(f"there is no case {name!r} in {self._home}; cases there: {known}")

    def make(self, name: str) -> Path:
        """The folder of a case; one that is not there is made as the settings say."""
        fixed = of_new_case(self._settings)
        if known := self._find(name):
            wait_for_folder(known)
            require_folder(known, name)
        folder = known or self._folder(self._own().add(name, self._reserved()))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if keeper_of(folder) == "":
            make_blobs(folder, self._settings)
            make_ledger(folder, name, self._settings, fixed)
        return folder

    def make_for(self, name: str, origin: str) -> Path:
        """The folder of a case that is brought here from somewhere else; nobody opens it before it has arrived."""
        folder = self._find(name) or self._folder(self._own().add(name, self._reserved()))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        begin_incoming(folder, origin)
        make_blobs(folder, self._settings)
        make_ledger(folder, name, self._settings, {})
        return folder

    def names(self) -> list[str]:
        """Of this home, then those that others keep and this machine could work on."""
        own = self._adopted().names() if self._has_own() else []
        return own + [case.name for case in self._shared() if case.name not in own and self._is_free(case)]

    def numbers(self) -> dict[int, str]:
        """The names of the same cases by their numbers."""
        shared = {case.number: case.name for case in self._shared() if self._is_free(case)}
        own = {self._own().find(name) or 0: name for name in self._own().names()} if self._has_own() else {}
        return shared | own

    def announce(self, folder: Path) -> None:
        """Workers, here or everywhere, learn that the case has a job."""
        note = note_of(folder)
        if note and is_shared(folder):
            if check_keeper(folder, self._settings) or self._enter(folder, note):
                self._shared_directory().mark(note.uid)
                return
            log.warning("case %r is not shared: another one has its name or number; set name_prefix", note.name)
        self._own().mark(int(folder.name))

    def take_over(self, name: str) -> None:
        """This machine keeps the case from now on, as others shall know."""
        folder = self.folder_of(name)
        if take_over(folder, self._settings) and (note := note_of(folder)):
            self._enter(folder, note)

    def succeed(self, name: str, number: int) -> bool:
        """The same for a keeper that is silent; False where the case has changed hands since that number."""
        folder = self.folder_of(name)
        if not take_over(folder, self._settings, number) or not (note := note_of(folder)):
            return False
        return self._enter(folder, note)

    def _enter(self, folder: Path, note: Note) -> bool:
        """This machine keeps it, as others shall know."""
        number, blobs = int(folder.name), place_of(folder)
        case = SharedCase(number=number, uid=note.uid, name=note.name, blobs=blobs, keeper=machine_name())
        return self._shared_directory().enter(case)

    def marked_own(self) -> list[Marked]:
        if not self._has_own():
            return []
        rows = self._own().marked().items()
        return [Marked(name, self._folder(key), mark, shared=False) for name, (key, mark) in rows]

    def marked_shared(self) -> list[Marked]:
        """In the directory, by whichever machine; a case that this one does not know yet is joined."""
        if not self._settings.database:
            return []
        rows = self._shared_directory().marked()
        return [Marked(case.name, self._joined(case), mark, True) for case, mark in rows if self._is_free(case)]

    def unmark(self, case: Marked) -> None:
        """It had no job; unless it has been marked again since."""
        note = note_of(case.folder) if case.shared else None
        if note:
            self._shared_directory().unmark(note.uid, case.mark)
        else:
            self._own().unmark(case.number, case.mark)

    def rename(self, number: int, shared: str, new: str) -> None:
        """`shared` is the uid of a case that other machines find too."""
        if shared:
            self._shared_directory().rename(shared, new)
        self._own().rename(number, new)

    def leave_directory(self, uid: str) -> None:
        self._shared_directory().remove(uid)

    def forget(self, number: int, name: str, account: str) -> None:
        """A case that is no more; what was told of its end is kept."""
        self._own().remove(number, name, account)

    def removed(self) -> list[str]:
        return self._own().removed() if self._has_own() else []

    def close(self) -> None:
        self._opened.close()

    def _find(self, name: str) -> Path | None:
        if self._has_own() and (key := self._own().find(name) or self._adopted().find(name)):
            return self._folder(key)
        if not self._settings.database:
            return None
        case = self._shared_directory().find(name)
        return self._joined(case) if case else None

    def _joined(self, case: SharedCase) -> Path:
        """Its folder here, which says what the directory says."""
        folder = self._folder(case.number)
        if not self._is_free(case):
            raise UserError(f"case {case.name!r} has number {case.number}, which is another case in {self._home}")
        if note_of(folder) is None:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            note_blobs(folder, case.blobs)
            note_ledger(folder, Note(name=case.name, uid=case.uid, keeper=case.keeper))
            self._own().add(case.name, case.number)
        return folder

    def _is_free(self, case: SharedCase) -> bool:
        """Whether this home has the case, or room for it: no other one of its number or name."""
        folder = self._folder(case.number)
        note = note_of(folder)
        free = note.uid == case.uid if note else not self._has_own() or self._is_new(case)
        if not free and case.uid not in self._refused:
            self._refused.add(case.uid)
            log.warning("case %r (number %s) is not served: %s has another one", case.name, case.number, self._home)
        return free

    def _is_new(self, case: SharedCase) -> bool:
        return self._own().find(case.name) is None and case.number not in self._own().ids()

    def _reserved(self) -> int | None:
        """Of a case in the database the number is nobody else's."""
        if not self._settings.database:
            return None
        return self._shared_directory().reserve(max(self._own().ids(), default=0))

    def _shared(self) -> list[SharedCase]:
        return self._shared_directory().all() if self._settings.database else []

    def _folder(self, number: int) -> Path:
        return self._home / "cases" / str(number)

    def _has_own(self) -> bool:
        """A home that has none yet is not made by looking."""
        return any((self._home / name).exists() for name in (CONTROL, "cases"))

    def _own(self) -> Control:
        if self._control is None:
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._control = self._opened.enter_context(closing(Control(self._home / CONTROL)))
        return self._control

    def _adopted(self) -> Control:
        """A case folder that was copied here from another home brings its name along."""
        control = self._own()
        known = control.ids()  # of which one may be in the making
        for folder in (self._home / "cases").glob("*"):
            with suppress(ValueError):
                key = int(folder.name)
                if key not in known and (name := name_of(folder)):
                    control.add(name, key)
        return control

    def _shared_directory(self) -> Directory:
        if self._directory is None:
            schema = f"{self._settings.name_prefix}_services"
            directory = Directory(postgres_database(self._settings, schema))
            self._opened.enter_context(closing(directory))
            directory.prepare()
            self._directory = directory
        return self._directory
