"""What a process has of what a job needs: its files, its passwords, the handlers that it was begun with.

Paths that a job names are those of the machine where it was begun, whatever lies under the same path elsewhere; with
`shared_sources=yes` they are everybody's. A process that lacks something leaves the job, or its reading, to others.

Whether this process may serve a job is asked here and nowhere else: `lacks` is about its documents, `sees` about its
files. Those who ask add what they know: the settings that a case was opened with, whether a source is there now.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from redwell.core.jobs.job import Job
from redwell.runtime.bootstrap.configuration.job_settings import equipment_in
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.worker.passwords import words_in


@dataclass(frozen=True)
class Reach:
    settings: Settings
    keeper: str  # the machine that keeps the case; empty: this one
    equipment_of: Callable[[], str]  # takes a while to find out, and who only looks never asks
    _passwords: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)  # by file, those that were read

    @cached_property
    def equipment(self) -> str:
        return self.equipment_of()

    def sees(self, job: Job) -> bool:
        """Whether its paths lead to its files here."""
        return self.settings.shared_sources == "yes" or (not self.keeper and job.host in {"", machine_name()})

    def was_begun_here(self, job: Job) -> bool:
        """Its sources may be here even where another machine keeps the case now; their inodes tell."""
        return job.host == machine_name()

    def words(self, job: Job) -> tuple[str, ...] | None:
        """Its passwords, read once; None where they can't be read."""
        if not job.passwords:
            return ()
        known = self._passwords
        if job.passwords not in known and self.sees(job) and (words := words_in(job.passwords)) is not None:
            known[job.passwords] = words
        return known.get(job.passwords)

    def _is_equipped(self, job: Job) -> bool:
        """Another machine may have other versions; on its own one a job goes on after an upgrade."""
        return not self.keeper or equipment_in(job.terms) in {"", self.equipment}

    def lacks(self, job: Job) -> str:
        """What is missing for its documents, in words; empty: nothing."""
        if self.words(job) is None:
            return f"its passwords ({job.passwords}) can't be read here, only on {job.host or 'the machine it is of'}"
        if not self._is_equipped(job):
            wanted = equipment_in(job.terms)
            return f"it needs the handlers and libraries {wanted}, here are {self.equipment}; install the same here"
        return ""
