"""The open jobs of a case as one process serves them: begun, brought forward, ended, left. Used by its work thread."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from redwell.core.jobs import Job, JobState
from redwell.core.ledger import Standing
from redwell.core.schedule import Waiting
from redwell.runtime.bootstrap import Case

SETTLE_S = 0.2
SEARCHED = 20  # a search that found nothing to settle is made again after so many times what it took
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What this process does of a case: jobs whose sources it reads, and the job that it ends with."""

    kind: str
    reads: Callable[[Job], bool]
    until: int | None = None  # the batch; None: until nothing is open, or it is told to stop
    stay_s: float = 0.0  # without work, before it leaves the case


class Docket:
    """`own` is the batch that the process was started for, whatever terms its job has."""

    def __init__(self, case: Case, own: int | None) -> None:
        self._case, self._own = case, own
        self.jobs: dict[int, Job] = {}  # by batch
        self.served: set[int] = set()  # batches that something was claimed of, since it was last written down
        self._met: set[int] = set()
        self._begun: dict[int, int] = {}  # by job: its batch
        self._settles: dict[int, float] = {}  # by batch: when there may be something again
        self._files: dict[str, tuple[str, ...]] = {}  # of passwords, those that were read

    def look(self) -> None:
        """What the ledger says now; a job on other terms, or one that we lack something for, is for others."""
        serves, jobs = self._case.serves, self._case.store.open_jobs()
        mine = [job for job in jobs if job.batch == self._own or (serves(job) and self._words(job) is not None)]
        self.jobs = {job.batch: job for job in mine}

    def _words(self, job: Job) -> tuple[str, ...] | None:
        if job.batch == self._own and self._case.passwords:
            return self._case.passwords
        if job.passwords not in self._files and (words := self._case.reach.words(job)) is not None:
            self._files[job.passwords] = words
        return self._files.get(job.passwords)

    def offers(self) -> list[Waiting]:
        return [job.waiting(self._case.name) for job in self.jobs.values() if job.state is not JobState.CANCELLING]

    def passwords(self) -> list[str]:
        """Of all jobs: a content that two of them wait for is opened by either's."""
        return list(dict.fromkeys(word for job in self.jobs.values() for word in self._words(job) or ()))

    def is_wanted(self, batch: int) -> bool:
        job = self.jobs.get(batch)
        return job is not None and job.state is not JobState.CANCELLING

    def begin(self, job: Job, layers: Callable[[], dict[str, str]]) -> None:
        if job.id not in self._begun:
            self._begun[job.id] = job.batch
            log.info("begins with batch %s", job.batch, extra={"fields": {"batch": job.batch, "job": job.id}})
            self._case.store.start_job(job.batch, self._case.worker, layers())

    def bring_on(self, job: Job, *, at_rest: bool) -> Standing:
        """End what was cancelled, settle what others did for it, write its end when that has come."""
        store, batch = self._case.store, job.batch
        if job.id not in self._met:  # a dead worker may have left something behind
            self._met.add(job.id)
            store.settle_some(batch)
        if job.state is JobState.CANCELLING:
            while store.cancel_some(batch):
                pass
        standing = store.standing(batch)
        if standing is Standing.OPEN and at_rest:
            self._settle(batch)
        elif standing is Standing.OVER and store.finish_batch(batch):
            del self.jobs[batch]
            end = JobState.CANCELLED if job.state is JobState.CANCELLING else JobState.FINISHED
            log.info("batch %s is over", batch, extra={"fields": {"batch": batch, "job": job.id, "status": end}})
        return standing

    def _settle(self, batch: int) -> None:
        """When there was nothing to settle, not again at once: to find that out, all that waits is looked through."""
        began = time.monotonic()
        if began >= self._settles.get(batch, 0.0) and not self._case.store.settle_some(batch):
            ended = time.monotonic()
            self._settles[batch] = ended + max(SETTLE_S, SEARCHED * (ended - began))

    def note_served(self) -> None:
        """So that others know how long a job has waited (core.priority)."""
        if self.served:
            self._case.store.served(sorted(self.served))
            self.served.clear()

    def leave(self) -> None:
        self._case.store.leave_jobs(sorted(self._begun.values()), self._case.worker)
