"""The uploaders of a case beside the work on it: a thread that conducts them, in the one process that has the role.

Used by case_worker and `redwell cancel` where the viewing engine is one outside (`viewer`). Whatever fails here is
told, and stops no import.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

from redwell.core.errors import Recoverable, UserError
from redwell.core.jobs.job import Job
from redwell.ports.case_folder import Lock
from redwell.ports.viewing.uploader_compute import UploaderCompute
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.open_viewing import file_links, open_compute, open_engine, open_stacks
from redwell.runtime.bootstrap.services.open_services import Services, open_services
from redwell.runtime.delivery.task_queues import scale
from redwell.runtime.monitor.outages import Outages
from redwell.runtime.viewing.conductor import Conductor
from redwell.runtime.viewing.poller import Poller

PAUSE_S, CLOUD_PAUSE_S = 0.2, 2.0  # between two looks; in a cloud each of them costs calls
CLOSE_S = 30.0
_WHAT = "the uploader"
log = logging.getLogger(__name__)


class Uploading:
    """A part of the work on a case (background_threads.Part)."""

    def __init__(self, case: Case) -> None:
        settings = case.settings
        if (settings.queue == "sqs") != (settings.bus == "sns"):
            raise UserError(
                "viewer=nutrient needs a bus that delivers to the queues: queue=sqs with bus=sns, or neither"
            )
        self._case, self._stop, self._outages = case, threading.Event(), Outages()
        self._turn, self._again = threading.Lock(), 0.0
        self._prepared: set[int] = set()  # jobs
        self._role: Lock | None = None
        with ExitStack() as opened:
            services = opened.enter_context(open_services(case.home, settings))
            compute = opened.enter_context(
                open_stacks(settings) if settings.uploader_template else _here(case, services)
            )
            self._conductor = Conductor(case, services, compute)
            self._resources = opened.pop_all()

    @property
    def is_tidy(self) -> bool:
        return self._conductor.is_tidy

    def prepare(self, jobs: Iterable[Job]) -> None:
        """Before the first task of these jobs. Called again and again; without the queues the import goes on."""
        fresh = [job for job in jobs if job.id not in self._prepared]
        if fresh and time.monotonic() >= self._again:
            self._again = time.monotonic() + PAUSE_S
            with self._turn:
                self._patiently(lambda: self._conductor.prepare(fresh))
                self._prepared.update(job.id for job in fresh if self._conductor.is_prepared(job))

    def run(self) -> None:
        while not self._stop.wait(CLOUD_PAUSE_S if self._case.settings.queue == "sqs" else PAUSE_S):
            self._look()

    def stop(self) -> None:
        self._stop.set()

    def wait_for(self, batch: int, stopping: threading.Event) -> None:
        """Until all of a batch is handed over, and what a killed import has left; or somebody wants to go."""
        while not stopping.is_set() and not self._stop.is_set() and self._is_wanted_for(batch):
            time.sleep(PAUSE_S)

    def close_down(self, batch: int, tell: Callable[[], None]) -> None:
        """Without threads: take down what a cancelled batch has left; what is away now is left to the next worker.

        `tell` publishes what the case's journal has, its own events among it.
        """
        deadline = time.monotonic() + CLOSE_S + 60 * scale(self._case)
        while time.monotonic() < deadline and not self._conductor.is_over(batch):
            tell()
            self._look()
            time.sleep(0.01)
        tell()

    def finish_left(self, tell: Callable[[], None], stopping: threading.Event) -> bool:
        """Without threads: go on with what a killed process has left; False while there is more, or another has it."""
        while self._conductor.has_leftovers and not stopping.wait(PAUSE_S):
            tell()
            self._look()
            if not self._role:
                return False
        tell()
        return not self._conductor.has_leftovers

    def close(self) -> None:
        with suppress(Recoverable):
            if self._role:
                self._conductor.clear_events()
        self._resources.close()
        if self._role:
            self._role.release()
            self._role = None

    def _is_wanted_for(self, batch: int) -> bool:
        return not self._conductor.is_over(batch) or self._conductor.has_leftovers

    def _look(self) -> None:
        with self._turn:
            self._role = self._role or self._case.place.try_role("uploader")
            if self._role:
                self._patiently(self._conductor.look)

    def _patiently(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Recoverable as error:
            self._outages.away(_WHAT, error)
            return
        except Exception:  # a bug here must not cost an import its end
            log.exception("%s failed; the load goes on", _WHAT)
            return
        self._outages.back(_WHAT)


@contextmanager
def _here(case: Case, services: Services) -> Iterator[UploaderCompute]:
    """Tasks as threads of this process."""
    settings = case.settings
    with closing(open_engine(settings)) as engine:
        poller = Poller(case, services.queue, engine, file_links(case.home, settings))
        with open_compute(case.home, poller, engine.is_there) as compute:
            yield compute


def uploading_of(case: Case) -> list[Uploading]:
    """One, where the machine keeps the case and the viewing engine is not the one that is built in."""
    return [Uploading(case)] if case.settings.viewer != "builtin" and case.is_kept_here else []
