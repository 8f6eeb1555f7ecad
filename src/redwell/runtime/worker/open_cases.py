"""The cases that a worker finds work in: marked ones of its home, and shared ones. Used by its main thread.

What can't be asked now is said once and asked again; meanwhile the worker knows that it does not see everything.
"""

import logging
from collections.abc import Callable
from pathlib import Path

from redwell.core.errors import Recoverable, RedwellError
from redwell.core.jobs.job import Job
from redwell.runtime.bootstrap.asked_ledgers import AskedLedgers
from redwell.runtime.bootstrap.cases.case_directory import Cases, Marked
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.outages import Outages

_DATABASE = "the database of shared cases"
log = logging.getLogger(__name__)
Note = Callable[[str, Path], None]  # of a case that nobody works on, of which something may be left to see to


class OpenCases:
    def __init__(self, home: Path, settings: Settings, outages: Outages, note: Note) -> None:
        self._outages, self._note = outages, note
        self.ledgers = AskedLedgers(settings)
        self._cases = Cases(home, settings)
        self._asked_all = False
        self.is_blind = False  # since the last look: there may be work that can't be seen

    def look(self) -> list[tuple[Marked, list[Job]]]:
        """Cases that may have work, and their open jobs; of those that can be asked now."""
        self.is_blind = False
        asked = [(case, self._jobs(case.name, case.folder)) for case in self._marked()]
        return [(case, jobs) for case, jobs in asked if jobs is not None]

    def _marked(self) -> list[Marked]:
        """While the database is away, those of this home."""
        shared: list[Marked] = []
        try:
            if not self._asked_all:
                self._mark_open_cases()
            shared = self._cases.marked_shared()
            self._outages.back(_DATABASE)
        except Recoverable as error:
            self._missed(_DATABASE, error)
        return self._cases.marked_own() + shared

    def _mark_open_cases(self) -> None:
        """A mark is only a hint; once, every case is asked."""
        for name in self._cases.names():
            folder = self._cases.folder_of(name)
            self._note(name, folder)
            if self._jobs(name, folder) or self._is_to_be_understood(folder):
                self._cases.announce(folder)
        self._asked_all = True

    def _is_to_be_understood(self, folder: Path) -> bool:
        try:
            return self.ledgers.has_understanding(folder)
        except RedwellError:
            return False  # its jobs could not be asked for either, and that was said

    def _jobs(self, name: str, folder: Path) -> list[Job] | None:
        """None: it can't be asked now."""
        what = f"the jobs of case {name!r}"
        try:
            jobs = self.ledgers.open_jobs(folder)
        except Recoverable as error:
            self._missed(what, error)
            return None
        except RedwellError as error:
            log.warning("case %r cannot be opened: %s", name, error)
            return None
        self._outages.back(what)
        return jobs

    def let_go(self, case: Marked) -> None:
        """It has no job; something may be left to be told of it."""
        self.ledgers.let_go(case.folder)
        self._note(case.name, case.folder)
        try:
            self._cases.unmark(case)
        except Recoverable as error:
            self._missed(_DATABASE, error)

    def _missed(self, what: str, error: Exception) -> None:
        self.is_blind = True
        self._outages.away(what, error)

    def close(self) -> None:
        self.ledgers.close()
        self._cases.close()
