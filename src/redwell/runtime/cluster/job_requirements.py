"""What a worker lacks for a job and therefore leaves to others. It says so once, so that a person can mend it."""

import logging
import os
import time
from functools import cache

from redwell.core.errors import UserError
from redwell.core.jobs.job import Job
from redwell.core.names import display
from redwell.intake.objects import is_remote
from redwell.processing.children.offers import equipment_of
from redwell.runtime.bootstrap.cases.case_directory import Marked
from redwell.runtime.bootstrap.cases.case_notes import keeper_of
from redwell.runtime.bootstrap.equipment import hello_of
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.services.host_identity import inode_of
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.cluster.job_reach import Reach
from redwell.runtime.worker.batch_filter import check_list, settings_of

AGAIN_S = 5.0
log = logging.getLogger(__name__)


class JobRequirements:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._told: set[tuple[str, int, str]] = set()
        self._sources: dict[tuple[str, int], tuple[float, str]] = {}
        self._equipment = cache(lambda: equipment_of(hello_of(settings)))

    def lacks_for_documents(self, case: Marked, job: Job) -> bool:
        """Whether its documents are for others to work on."""
        keeper = keeper_of(case.folder)
        what = Reach(self._settings, keeper, self._equipment).lacks(job)
        self._tell(case.name, job, what)
        return bool(what)

    def lacks_for_sources(self, case: Case, job: Job) -> bool:
        """Whether its sources are for others to read; looked at now and then."""
        if not (case.reach.sees(job) or case.reach.was_begun_here(job) or are_everywhere(case, job.batch)):
            return True  # nothing to mend: they are where the job was begun
        asked, what = self._sources.get((case.name, job.id), (-AGAIN_S, ""))
        if time.monotonic() - asked >= AGAIN_S:
            what = _missing(case, job.batch)
            self._sources[case.name, job.id] = time.monotonic(), what
            self._tell(case.name, job, what)
        return bool(what)

    def _tell(self, case: str, job: Job, what: str) -> None:
        if what and (case, job.id, what) not in self._told:
            self._told.add((case, job.id, what))
            log.warning("batch %s of case %r is left to other workers: %s", job.batch, case, what)


def are_everywhere(case: Case, batch: int) -> bool:
    """Whether its sources, and its list of known files, lie in buckets: then any machine may read them."""
    nist = str(settings_of(case, batch).get("nist", ""))
    return all(map(is_remote, case.store.source_paths(batch))) and (not nist or is_remote(nist.encode()))


def _missing(case: Case, batch: int) -> str:
    """A source or a list of known files that is not where the batch says; empty: all are there."""
    paths = case.store.source_paths(batch)
    known = settings_of(case, batch).get("source_inodes", [0] * len(paths))
    for source, inode in zip(paths, known, strict=True):
        if not _is_here(source, inode, kept=case.is_kept_here):
            return f"{display(source)} is not here, or is another one"
    try:
        check_list(case, batch)
    except UserError as error:
        return str(error)
    return ""


def _is_here(source: bytes, inode: int, *, kept: bool) -> bool:
    """A bucket is everywhere, or is told when it is read."""
    if is_remote(source) or kept:
        return is_remote(source) or os.path.lexists(source)
    return bool(inode) and inode_of(source) == inode
