"""Which service of workers has which case (SPEC A3), kept in step with the open jobs of a home.

Called by `redwell import --queue` and, again and again, by every worker that belongs to a service. Whoever calls does
it for all: ended jobs leave their services, a service without a job is free, and waiting jobs get a free one in the
order of their turns. What a process that dies between two steps leaves behind, the next caller puts right.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from redwell.core.errors import Recoverable, RedwellError, UserError
from redwell.core.jobs.job import Job
from redwell.core.jobs.worker_services import Service, Status
from redwell.core.trip import trip
from redwell.ports.messaging.registry import Registry
from redwell.ports.messaging.service_scaling import ServiceScaling
from redwell.runtime.bootstrap.cases.case_directory import Cases
from redwell.runtime.bootstrap.cases.cases_in_the_making import open_jobs_of
from redwell.runtime.bootstrap.services.open_services import open_registry, open_scaling
from redwell.runtime.bootstrap.services.service_notes import has_services, note_services
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.cluster.job_requirements import JobRequirements
from redwell.runtime.cluster.service_claims import Races, claim, finish
from redwell.runtime.cluster.service_scaling import ServiceCounts

UPDATE_S = 5.0  # while it has work
log = logging.getLogger(__name__)

Open = dict[int, Sequence[Job]]  # by case; one that can't be asked now is not in it


def assign(home: Path, settings: Settings, case: int, job: int) -> str | None:
    """The service that a new job is with; None: it waits in order, or this home has no services."""
    if not has_services(home, settings):
        return None
    try:
        with open_assignments(home, settings) as assignments:
            assignments.update()
            return assignments.service_of(case, job)
    except Recoverable as error:
        log.warning("%s; the job waits until a worker of a service takes it", error)
        return None


def let_go(home: Path, settings: Settings) -> None:
    """A job has ended here: a service that had it goes on with its next one, or is free."""
    if not has_services(home, settings):
        return
    try:
        with open_assignments(home, settings) as assignments:
            assignments.update()
    except Recoverable as error:
        log.warning("%s; the next import or worker of a service frees it", error)


def remove_service(home: Path, settings: Settings, service: str) -> None:
    """Its case, if it has one, gets another."""
    unknown = UserError(f"no service {service!r} is registered; `redwell workers` lists them")
    if not has_services(home, settings):
        raise unknown
    with open_assignments(home, settings) as assignments:
        if not assignments.remove(service):
            raise unknown
        assignments.update()


@contextmanager
def open_assignments(home: Path, settings: Settings) -> Iterator["Assignments"]:
    with open_registry(home, settings) as registry, open_scaling(settings) as scaling:
        yield Assignments(home, settings, registry, scaling)


class Assignments:
    def __init__(
        self, home: Path, settings: Settings, registry: Registry, scaling: ServiceScaling | None = None
    ) -> None:
        self._home, self._settings, self._registry = home, settings, registry
        self._counts = ServiceCounts(registry, scaling, settings.service_tasks)
        self._changed: set[str] = set()  # since workers were last counted
        self._requirements = JobRequirements(settings)
        self._for_others: set[tuple[int, int]] = set()  # jobs that this process lacks something for
        self._due = 0.0
        self._races = Races(settings.service_tries, settings.service_pause_ms / 1_000)

    def register(self, service: str) -> None:
        note_services(self._home, self._settings)
        self._registry.add(Service(id=service))

    def remove(self, service: str) -> bool:
        known = self._registry.get(service) is not None
        self._registry.remove(service)
        return known

    def row(self, service: str) -> Service | None:
        return self._registry.get(service)

    def service_of(self, case: int, job: int) -> str | None:
        return next((row.id for row in self._registry.find(case=case) if job in row.jobs), None)

    def case_of(self, service: str, *, idle: bool) -> int | None:
        """The case that the service has now; one without a case, or that idles, gets what is next."""
        row = self._registry.get(service)
        if row is None:
            self.register(service)
        if row is None or row.status is Status.FREE or idle or time.monotonic() >= self._due:
            self.update()
            self._due = time.monotonic() + UPDATE_S
            row = self._registry.get(service)
        return row.case if row else None

    def update(self) -> None:
        """Services are read before jobs: a job that is on one of them and not open then has ended."""
        busy = self._registry.find(status=Status.BUSY)
        held = self._open_jobs({row.case for row in busy})
        for row in busy:
            if row.case in held:
                self._retire(row, held[row.case])
        services = self._registry.find()
        free = any(row.status is Status.FREE for row in services)
        self._hand_out(services, self._open_jobs(None) if free else held, free)
        self._counts.follow(self._changed)
        self._changed.clear()

    def _retire(self, service: Service, jobs: Sequence[Job]) -> None:
        """Jobs that have ended leave; with the last one the service is free."""
        for ended in sorted(service.jobs - {job.id for job in jobs}):
            trip("service.before_finish")
            after = finish(self._registry, service.id, ended, lambda rest: self._first(jobs, rest), self._races)
            if after and after.job != service.job:
                self._changed.add(service.id)

    def _first(self, jobs: Sequence[Job], among: frozenset[int]) -> tuple[int, int]:
        now_ms = time.time_ns() // 1_000_000
        known = sorted((job for job in jobs if job.id in among), key=lambda job: self._turn(job, now_ms))
        return (known[0].id, known[0].workers) if known else (min(among), 0)

    def _turn(self, job: Job, now_ms: int) -> tuple[int, int]:
        return job.turn(now_ms, self._settings.ageing_s * 1_000)

    def _hand_out(self, services: Sequence[Service], jobs: Open, free: bool) -> None:
        """Jobs join their case's service; the others take free ones by turns until there is none.

        One that this process lacks something for is for somebody who has it.
        """
        have = {(row.case, job) for row in services for job in row.jobs}
        held = {row.case for row in services}
        for case, job in self._by_turn(jobs):
            if (case, job.id) not in have | self._for_others and (free or case in held):
                trip("service.before_claim")
                if claimed := claim(self._registry, case, job.id, job.workers, self._races):
                    self._changed |= {claimed.id} - {row.id for row in services if row.case == case}
                    held.add(case)
                elif case not in held:
                    free = False
                trip("service.after_claim")

    def _by_turn(self, jobs: Open) -> Iterator[tuple[int, Job]]:
        now_ms = time.time_ns() // 1_000_000
        every = [(case, job) for case, those in jobs.items() for job in those]
        yield from sorted(every, key=lambda each: self._turn(each[1], now_ms))

    def _open_jobs(self, cases: set[int | None] | None) -> Open:
        """Of these cases, or of all that are marked; a mark that has outlived its jobs goes.

        What this home does not know is another machine's affair.
        """
        with closing(Cases(self._home, self._settings)) as known:
            found: Open = {} if cases is None else {case: () for case in known.numbers() if case in cases}
            for case in known.marked_own() + known.marked_shared():
                if cases is not None and case.number not in cases:
                    continue
                try:
                    found[case.number] = open_jobs_of(case.folder, self._settings)
                except RedwellError as error:
                    log.warning("case %r cannot be opened: %s", case.name, error)
                    found.pop(case.number, None)
                    continue
                if not found[case.number]:
                    known.unmark(case)
                lacking = {job.id for job in found[case.number] if self._requirements.lacks_for_documents(case, job)}
                self._for_others = {each for each in self._for_others if each[0] != case.number}
                self._for_others |= {(case.number, job) for job in lacking}
        return found
