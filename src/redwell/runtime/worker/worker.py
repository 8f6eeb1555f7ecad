"""`redwell worker`: serves every case of a home, and those that other machines share, until it is told to stop.

One that belongs to a service serves only the case that the service has (service_assignment).

The main thread looks for cases with work; each case is worked on in a thread of its own (case_worker), and all of them
share the slots of the process by priority and fair share (slots).
"""

import logging
import os
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from redwell.core.errors import KeptElsewhere, Recoverable, UserError
from redwell.core.jobs.job import Job
from redwell.core.jobs.worker_services import worker_kind
from redwell.core.work.capacity import Capacity
from redwell.core.work.kinds import TaskType
from redwell.core.work.polling import EmptyPolls
from redwell.ports.metrics import Metrics
from redwell.ports.task_protection import TaskProtection
from redwell.runtime.bootstrap.configuration.job_settings import on_terms, settings_in
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.services.open_services import webhook_address
from redwell.runtime.bootstrap.services.worker_presence import appear
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.cluster.job_requirements import JobRequirements
from redwell.runtime.cluster.service_assignment import Assignments, open_assignments
from redwell.runtime.delivery.late_tidying import LateTidying
from redwell.runtime.monitor.late_telling import LateTelling
from redwell.runtime.monitor.listeners import listeners
from redwell.runtime.monitor.outages import Outages
from redwell.runtime.worker.case_worker import CaseWorker
from redwell.runtime.worker.open_cases import OpenCases
from redwell.runtime.worker.other_workers import Heartbeat
from redwell.runtime.worker.served_jobs import Scope
from redwell.runtime.worker.slots import Slots
from redwell.runtime.worker.understanders import Understanders
from redwell.runtime.worker.worker_figures import Place, WorkerFigures

STAY_S = 1.0  # with a case that has nothing more to do
POLL_S, BUSY_POLL_S, LONGEST_POLL_S = 0.2, 0.5, 5.0
AGAIN_S = 5.0  # after a failure of a case
MOST_SHUTDOWN_S, HANDING_BACK_S = 840.0, 60.0  # fifteen minutes in all, whatever drain_s says (SPEC B9)
_REGISTRY = "the registry of services"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a worker is: one that leaves without work, may lose its machine, belongs to a service."""

    cluster: bool = False
    spot: bool = False
    service: str = ""  # none: it serves all cases

    @property
    def kind(self) -> str:
        return worker_kind(self.service)


class Worker:
    def __init__(
        self,
        home: Path,
        settings: Settings,
        role: Role,
        metrics: Sequence[Metrics] = (),
        protection: TaskProtection | None = None,
    ) -> None:
        self._home, self._settings, self._role = home, settings, role
        self._protection = protection
        self._requirements = JobRequirements(settings)
        self._assignments: Assignments | None = None
        self._resources = ExitStack()
        self._held: int | None = None  # the case that our service has
        capacity = Capacity(settings.slots or os.cpu_count() or 1, role.spot, settings.large_weight)
        self.slots = Slots(capacity, settings.ageing_s)
        self._figures = WorkerFigures(metrics, role.service, self.slots)
        self._polls = EmptyPolls(POLL_S, LONGEST_POLL_S, settings.empty_polls if role.cluster else 0)
        self._stopping = threading.Event()
        self._threads: dict[Place, threading.Thread] = {}
        self._works: dict[Place, CaseWorker] = {}
        self._paused: dict[Place, float] = {}
        self._lock = threading.Lock()
        self._outages = Outages()
        self._understanders = Understanders(home, settings)
        webhook_address(settings)  # what is no good is refused at the start

    @property
    def is_idle(self) -> bool:
        with self._lock:
            return not self._works

    def stop(self) -> None:
        """Take nothing new, finish what runs."""
        self._stopping.set()
        self._understanders.stop()
        with self._lock:
            for work in self._works.values():
                work.stop()

    def __call__(self) -> None:
        started = time.monotonic()
        self._heartbeat = Heartbeat(self._settings.lease_s)
        self._late = LateTelling(self._settings, listeners)
        self._tidying = LateTidying(self._home, self._settings)
        self._cases = OpenCases(self._home, self._settings, self._outages, self._see_to)
        presence = appear(self._home, self._role.kind, self.slots.capacity.slots)
        with self._resources, closing(self._cases):
            while not self._stopping.is_set() and not self._polls.over:
                pause_s = self._poll()
                self._protect(working=bool(self._alive()))
                self._publish()
                self._stopping.wait(pause_s)
            self.stop()
            self._wait_for_all()
            self._leave_service()
            self._protect(working=False)
        self._tidying.stop()
        self._late.stop()
        presence.release(remove=True)
        self._heartbeat.stop()
        took_s = time.monotonic() - started
        used = 100 * self.slots.slot_s / (took_s * self.slots.capacity.slots)
        log.info("worker ended after %.1f s, %.0f%% of its capacity used", took_s, used)

    @property
    def _drain_s(self) -> float:
        """A spot machine goes two minutes after it was told."""
        settings = self._settings
        wanted = min(settings.drain_s, settings.spot_drain_s) if self._role.spot else settings.drain_s
        return min(wanted, MOST_SHUTDOWN_S)

    def _wait_for_all(self) -> None:
        """So long for what runs, which is handed back then; who hangs even so is left behind (SPEC B9)."""
        ends = time.monotonic() + self._drain_s
        for thread in list(self._threads.values()):
            thread.join(max(0.0, ends + HANDING_BACK_S - time.monotonic()))
        self._understanders.join(max(0.0, ends - time.monotonic()))
        for name, _ in self._alive():
            log.critical("what is at work on case %r does not end, and is left behind; others take its work over", name)

    def _see_to(self, name: str, folder: Path) -> None:
        """What those leave who worked on a case: something to be told, queues."""
        self._late.note(name, folder)
        self._tidying.note(name)

    def _protect(self, *, working: bool) -> None:
        if self._protection:
            self._protection.set(working=working)

    def _leave_service(self) -> None:
        """Nobody else may come for a while to see that its jobs have ended: then it is free."""
        if self._assignments:
            with suppress(Recoverable):
                self._assignments.update()

    def _look_at_service(self) -> bool:
        """Which case it has now; work on another one is brought to an end. False: the registry is away, all stays."""
        if not self._role.service:
            return True
        try:
            self._assignments = self._assignments or self._opened()
            held = self._assignments.case_of(self._role.service, idle=not self._alive())
        except Recoverable as error:
            self._outages.away(_REGISTRY, error)
            return False
        self._outages.back(_REGISTRY)
        if held != self._held:
            log.info("service %r has case %s now", self._role.service, held)
            self._held = held
            with self._lock:
                for work in self._works.values():
                    work.stop()
        return True

    def _opened(self) -> Assignments:
        return self._resources.enter_context(open_assignments(self._home, self._settings))

    def _poll(self) -> float:
        """Begin with every case that has work and is not served; the pause until the next look."""
        sees_all, is_idle = self._look_at_service(), True
        for case, jobs in self._cases.look():
            if self._role.service and case.number != self._held:
                continue
            for terms in {
                settings_in(job.terms) for job in jobs if not self._requirements.lacks_for_documents(case, job)
            }:
                self._serve((case.name, terms))
                is_idle = False  # also while it is left alone after a failure
            if not self._role.spot and self._understanders.serve(case, self._cases.ledgers, imports=bool(jobs)):
                is_idle = False
            elif not jobs and not any(place[0] == case.name for place in self._alive()):
                self._cases.let_go(case)
        if self._alive() or not is_idle or self._tidying.is_busy:
            self._polls.found()
            return BUSY_POLL_S
        return self._polls.nothing(idle=True) if sees_all and not self._cases.is_blind else AGAIN_S

    def _publish(self) -> None:
        with self._lock:
            works = dict(self._works)
        self._figures.publish(works)

    def _alive(self) -> list[Place]:
        return [place for place, thread in self._threads.items() if thread.is_alive()]

    def _serve(self, place: Place) -> None:
        if place in self._alive() or time.monotonic() < self._paused.get(place, 0):
            return
        named = f"case {place[0]}"
        self._threads[place] = threading.Thread(target=self._guarded, args=(place,), name=named, daemon=True)
        self._threads[place].start()

    def _guarded(self, place: Place) -> None:
        """One case's failure is not another's; what it held goes back, and it is tried again later."""
        try:
            self._work_on(place)
            self._outages.back(f"case {place[0]!r}")
        except KeptElsewhere as error:
            log.warning("%s", error)  # here it goes on as on any other machine
        except (Recoverable, UserError) as error:
            self._outages.away(f"case {place[0]!r}", error)
            self._paused[place] = time.monotonic() + AGAIN_S
        except Exception:
            log.exception("case %r failed; it is tried again in %.0f s", place[0], AGAIN_S)
            self._paused[place] = time.monotonic() + AGAIN_S

    def _work_on(self, place: Place) -> None:
        name, terms = place
        with open_case(self._home, name, on_terms(self._settings, terms), guest=True) as case:
            scope = Scope(kind=self._role.kind, reads=partial(self._reads, case), stay_s=STAY_S, drain_s=self._drain_s)
            work = CaseWorker(case, self.slots, self._heartbeat, scope)
            with self._lock:
                self._works[place] = work
            if self._stopping.is_set():
                work.stop()
            try:
                work()
            finally:
                with self._lock:
                    del self._works[place]
                self._see_to(name, case.folder)

    def _reads(self, case: Case, job: Job) -> bool:
        """Sources lie where the import was begun, unless every machine sees them."""
        takes = self.slots.capacity.takes(TaskType.INTAKE_DOCUMENT)
        return takes and not self._requirements.lacks_for_sources(case, job)
