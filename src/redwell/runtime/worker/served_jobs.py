"""The open jobs of a case as one process serves them: begun, brought forward, ended, left. Used by its work thread."""

import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from redwell.core.jobs.job import Job, JobState
from redwell.core.jobs.schedule import Waiting
from redwell.core.wire import Hello
from redwell.core.work.transitions import Standing
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.monitor.run_facts import new_run

SETTLE_S = 0.2
SEARCHED = 20  # a search that found nothing to settle is made again after so many times what it took
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What this process does of a case: jobs whose sources it reads, and the job that it ends with."""

    kind: str
    reads: Callable[[Job], bool]
    until: int | None = None  # the batch; None: until nothing is open, or it is told to stop
    milestone: Standing = Standing.OVER  # of that batch, at which it ends
    stay_s: float = 0.0  # without work, before it leaves the case
    drain_s: float = math.inf  # for what runs when it is told to stop; then it is handed back


class ServedJobs:
    """`own` is the batch that the process was started for, whatever terms its job has."""

    def __init__(self, case: Case, own: int | None, command: str) -> None:
        self._case, self._own, self._command = case, own, command
        self.jobs: dict[int, Job] = {}  # by batch
        self.served: set[int] = set()  # batches that something was claimed of, since it was last written down
        self._met: set[int] = set()
        self._begun: dict[int, int] = {}  # by job: its batch
        self._settles: dict[int, float] = {}  # by batch: when there may be something again

    def look(self) -> None:
        """What the ledger says now; a job on other terms, or one that we lack something for, is for others."""
        jobs = self._case.store.open_jobs()
        self.jobs = {job.batch: job for job in jobs if job.batch == self._own or self._case.serves(job)}

    def _words(self, job: Job) -> tuple[str, ...]:
        given = self._case.passwords if job.batch == self._own else ()
        return given or self._case.reach.words(job) or ()

    def offers(self) -> list[Waiting]:
        return [job.waiting(self._case.name) for job in self.jobs.values() if job.state is not JobState.CANCELLING]

    def among(self, jobs: Iterable[int]) -> Iterator[Job]:
        """Those of these jobs that are served, in this order."""
        served = {job.id: job for job in self.jobs.values()}
        return (served[job] for job in jobs if job in served)

    def passwords(self) -> list[str]:
        """Of all jobs: a content that two of them wait for is opened by either's."""
        return list(dict.fromkeys(word for job in self.jobs.values() for word in self._words(job)))

    def is_wanted(self, batch: int) -> bool:
        job = self.jobs.get(batch)
        return job is not None and job.state is not JobState.CANCELLING

    def begin(self, job: Job, hello: Callable[[], Hello]) -> None:
        if job.id not in self._begun:
            self._begun[job.id] = job.batch
            log.info("begins with batch %s", job.batch, extra={"fields": {"batch": job.batch, "job": job.id}})
            run = new_run(self._command, self._case.settings)
            self._case.store.start_job(job.batch, self._case.worker, hello().layers, run)

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
        """So that others know how long a job has waited (core.jobs.priority)."""
        if self.served:
            self._case.store.served(sorted(self.served))
            self.served.clear()

    def leave(self) -> None:
        self._case.store.leave_jobs(sorted(self._begun.values()), self._case.worker)
