"""`redwell worker`: serves every case of a home, and those that other machines share, until it is told to stop.

One that belongs to a service serves only the case that the service has (assignment).

The main thread looks for cases with work; each case is worked on in a thread of its own (case_work), and all of them
share the slots of the process by priority and fair share (desk).
"""

import logging
import os
import threading
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from redwell.core.capacity import Capacity
from redwell.core.errors import KeptElsewhere, Recoverable, RedwellError
from redwell.core.jobs import Job
from redwell.core.polling import EmptyPolls
from redwell.core.signals import capacity_usage
from redwell.core.tasks import TaskType
from redwell.ports.metrics import Metrics
from redwell.runtime.assignment import Assignments
from redwell.runtime.bootstrap import Case, open_case, open_jobs_of
from redwell.runtime.case_work import CaseWork
from redwell.runtime.cases import Cases, Marked
from redwell.runtime.desk import Desk
from redwell.runtime.docket import Scope
from redwell.runtime.lacking import Lacking
from redwell.runtime.machine import machine_name
from redwell.runtime.neighbours import Heartbeat
from redwell.runtime.services import open_registry
from redwell.runtime.settings import Settings
from redwell.runtime.terms import on_terms, settings_in

STAY_S = 1.0  # with a case that has nothing more to do
POLL_S, BUSY_POLL_S, LONGEST_POLL_S = 0.2, 0.5, 5.0
EMPTY_POLLS = 3  # then a worker of a cluster leaves, so that its service scales in (SPEC A8)
AGAIN_S = 5.0  # after a failure of a case
log = logging.getLogger(__name__)

Place = tuple[str, str]  # a case, and the terms on which some of its jobs are worked on


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a worker is: one that leaves without work, may lose its machine, belongs to a service."""

    cluster: bool = False
    spot: bool = False
    service: str = ""  # none: it serves all cases


class Worker:
    def __init__(self, home: Path, settings: Settings, role: Role, metrics: Metrics | None = None) -> None:
        self._home, self._settings, self._role, self._metrics = home, settings, role, metrics
        self._cases = Cases(home, settings)
        self._lacking = Lacking(settings)
        self._asked_all = False
        self._assignments: Assignments | None = None
        self._resources = ExitStack()
        self._held: int | None = None  # the case that our service has
        self._published: list[Place] | None = None
        self.desk = Desk(Capacity(settings.slots or os.cpu_count() or 1, role.spot), settings.ageing_s)
        self._polls = EmptyPolls(POLL_S, LONGEST_POLL_S, EMPTY_POLLS if role.cluster else 0)
        self._stopping = threading.Event()
        self._threads: dict[Place, threading.Thread] = {}
        self._works: dict[Place, CaseWork] = {}
        self._paused: dict[Place, float] = {}
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Take nothing new, finish what runs."""
        self._stopping.set()
        with self._lock:
            for work in self._works.values():
                work.stop()

    def __call__(self) -> None:
        started = time.monotonic()
        self._heartbeat = Heartbeat(self._settings.lease_s)
        with self._resources, closing(self._cases):
            while not self._stopping.is_set() and not self._polls.over:
                self._look_at_service()
                pause_s = self._poll()
                self._publish()
                self._stopping.wait(pause_s)
            self.stop()
            for thread in list(self._threads.values()):
                thread.join()
        self._heartbeat.stop()
        took_s = time.monotonic() - started
        used = 100 * self.desk.slot_s / (took_s * self.desk.capacity.slots)
        log.info("worker ended after %.1f s, %.0f%% of its capacity used", took_s, used)

    def _mark_open_cases(self) -> None:
        """A mark is only a hint; once, every case is asked."""
        for name in self._cases.names():
            folder = self._cases.folder_of(name)
            if self._jobs(name, folder):
                self._cases.announce(folder)
        self._asked_all = True

    def _jobs(self, name: str, folder: Path) -> list[Job] | None:
        """None: it can't be asked now."""
        try:
            return open_jobs_of(folder, self._settings)
        except RedwellError as error:
            log.warning("case %r cannot be opened: %s", name, error)
            return None

    def _marked(self) -> list[Marked]:
        """While the database is away, those of this home."""
        shared: list[Marked] = []
        try:
            if not self._asked_all:
                self._mark_open_cases()
            shared = self._cases.marked_shared()
        except Recoverable as error:
            log.warning("%s", error)
        return self._cases.marked_own() + shared

    def _look_at_service(self) -> None:
        """Which case it has now; work on another one is brought to an end. While the registry is away, all stays."""
        if not self._role.service:
            return
        try:
            self._assignments = self._assignments or self._opened()
            held = self._assignments.case_of(self._role.service, idle=not self._alive())
        except Recoverable as error:
            log.warning("service %r: %s", self._role.service, error)
            return
        if held != self._held:
            log.info("service %r has case %s now", self._role.service, held)
            self._held = held
            with self._lock:
                for work in self._works.values():
                    work.stop()

    def _opened(self) -> Assignments:
        registry = self._resources.enter_context(open_registry(self._home, self._settings))
        return Assignments(self._home, self._settings, registry)

    def _poll(self) -> float:
        """Begin with every case that has work and is not served; the pause until the next look."""
        for case in self._marked():
            if self._role.service and case.number != self._held:
                continue
            jobs = self._jobs(case.name, case.folder)
            if jobs is None:
                continue
            for terms in {settings_in(job.terms) for job in jobs if not self._lacking.documents_of(case, job)}:
                self._serve((case.name, terms))
            if not jobs and not any(place[0] == case.name for place in self._alive()):
                self._cases.unmark(case)
        if self._alive():
            self._polls.found()
            return BUSY_POLL_S
        return self._polls.nothing(idle=True)

    def _publish(self) -> None:
        """Whoever scales the service reads this; right after a change it says nothing (SPEC A15)."""
        if self._metrics is None:
            return
        with self._lock:
            works = dict(self._works)
        served = sorted(works)
        values = {
            "WorkerCapacityUsage": capacity_usage(self.desk.usage, changed=served != self._published),
            "WorkerPendingWorkload": float(sum(work.backlog() for work in works.values())),
            "WorkerSlotSeconds": self.desk.slot_s,
            "WorkerOpenJobs": float(sum(work.open_jobs for work in works.values())),
        }
        service = self._role.service or f"{machine_name()}-{os.getpid()}"
        self._metrics.publish(values, {"ServiceId": service})
        self._published = served

    def _alive(self) -> list[Place]:
        return [place for place, thread in self._threads.items() if thread.is_alive()]

    def _serve(self, place: Place) -> None:
        if place in self._alive() or time.monotonic() < self._paused.get(place, 0):
            return
        self._threads[place] = threading.Thread(target=self._guarded, args=(place,), name=f"case {place[0]}")
        self._threads[place].start()

    def _guarded(self, place: Place) -> None:
        """One case's failure is not another's; what it held goes back, and it is tried again later."""
        try:
            self._work_on(place)
        except KeptElsewhere as error:
            log.warning("%s", error)  # here it goes on as on any other machine
        except Recoverable as error:
            log.warning("case %r: %s; it is tried again in %.0f s", place[0], error, AGAIN_S)
            self._paused[place] = time.monotonic() + AGAIN_S
        except Exception:
            log.exception("case %r failed; it is tried again in %.0f s", place[0], AGAIN_S)
            self._paused[place] = time.monotonic() + AGAIN_S

    def _work_on(self, place: Place) -> None:
        name, terms = place
        kind = f"worker of {self._role.service}" if self._role.service else "worker"
        with open_case(self._home, name, on_terms(self._settings, terms), guest=True) as case:
            scope = Scope(kind=kind, reads=partial(self._reads, case), stay_s=STAY_S)
            work = CaseWork(case, self.desk, self._heartbeat, scope)
            with self._lock:
                self._works[place] = work
            if self._stopping.is_set():
                work.stop()
            try:
                work()
            finally:
                with self._lock:
                    del self._works[place]

    def _reads(self, case: Case, job: Job) -> bool:
        """Sources lie where the import was begun, unless every machine sees them."""
        takes = self.desk.capacity.takes(TaskType.INTAKE_DOCUMENT)
        return takes and case.reach.sees(job) and not self._lacking.sources_of(case, job)
