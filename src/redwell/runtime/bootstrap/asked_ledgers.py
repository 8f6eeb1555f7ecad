"""What a worker asks of cases that it does not work on, twice a second: kept open, since to connect costs more than
to ask. Part of bootstrap's joining; used by the worker's main thread.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_jobs.job_store import JobStore
from redwell.core.errors import RedwellError
from redwell.core.jobs.job import Job
from redwell.runtime.bootstrap.cases.case_notes import note_of
from redwell.runtime.bootstrap.cases.cases_in_the_making import open_jobs_of
from redwell.runtime.bootstrap.open_ledger import open_ledger
from redwell.runtime.bootstrap.open_understanding import has_open_understanding, has_understanding_in
from redwell.runtime.bootstrap.settings import Settings

T = TypeVar("T")


class AskedLedgers:
    """Of cases in PostgreSQL; a SQLite file is opened each time, so that nobody who deletes it is in our way."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._kept: dict[Path, Database] = {}

    def open_jobs(self, folder: Path) -> list[Job]:
        return self._asked(folder, lambda ledger: JobStore(ledger).open_jobs(), open_jobs_of)

    def has_understanding(self, folder: Path) -> bool:
        return self._asked(folder, has_understanding_in, has_open_understanding)

    def _asked(self, folder: Path, ask: Callable[[Database], T], afresh: Callable[[Path, Settings], T]) -> T:
        """What is kept open may have gone since: then it is opened anew, and an error is told of that."""
        if kept := self._kept.get(folder):
            try:
                return ask(kept)
            except RedwellError:
                self.let_go(folder)
        answer = afresh(folder, self._settings)
        if answer and note_of(folder):
            self._kept[folder] = open_ledger(folder, self._settings)
        return answer

    def let_go(self, folder: Path) -> None:
        """It has nothing to be asked for any more."""
        if kept := self._kept.pop(folder, None):
            kept.close()

    def close(self) -> None:
        for folder in list(self._kept):
            self.let_go(folder)
