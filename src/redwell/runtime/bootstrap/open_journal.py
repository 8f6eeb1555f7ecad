"""The journal of a case for whoever tells others, with the rest of the case or alone. Part of bootstrap's joining."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from redwell.adapters.files.case_folder import CaseFolder
from redwell.adapters.sql.database import Database
from redwell.adapters.sql_queues.event_log import SqlEventLog
from redwell.ports.case_folder import Lock
from redwell.ports.messaging.event_log import EventLog
from redwell.runtime.bootstrap.cases.case_keeper import open_kept
from redwell.runtime.bootstrap.cases.case_notes import has_ledger
from redwell.runtime.bootstrap.settings import Settings


@dataclass(frozen=True, slots=True)
class CaseJournal:
    name: str
    place: CaseFolder
    log: EventLog

    @property
    def folder(self) -> Path:
        return self.place.path

    @property
    def number(self) -> int:
        return int(self.folder.name)

    @property
    def home(self) -> Path:
        return self.folder.parents[1]

    def lock(self, who: str) -> Lock | None:
        """One process at a time tells a listener; None: another one does."""
        return self.place.try_role(who)


def journal_in(name: str, folder: Path, database: Database) -> CaseJournal:
    return CaseJournal(name, CaseFolder(folder), SqlEventLog(database, int(folder.name)))


@contextmanager
def open_journal(name: str, folder: Path, settings: Settings) -> Iterator[CaseJournal | None]:
    """Without the rest of the case; None where another machine keeps it and tells, or it is in the making."""
    if not has_ledger(folder):
        yield None
        return
    database, keeper = open_kept(folder, settings)
    with closing(database):
        yield None if keeper else journal_in(name, folder, database)
