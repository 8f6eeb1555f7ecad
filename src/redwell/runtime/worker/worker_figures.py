"""What a worker publishes of itself, for whoever scales it (SPEC A15). In the main thread of `redwell worker`."""

import logging
import os
from collections.abc import Iterable, Mapping, Sequence

from redwell.core.jobs.scaling_signals import capacity_usage
from redwell.ports.metrics import Metrics
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.worker.case_worker import CaseWorker
from redwell.runtime.worker.slots import Slots

log = logging.getLogger(__name__)

Place = tuple[str, str]  # a case, and the terms on which some of its jobs are worked on


class WorkerFigures:
    def __init__(self, metrics: Sequence[Metrics], service: str, slots: Slots) -> None:
        self._metrics, self._slots = metrics, slots
        self._service = service or f"{machine_name()}-{os.getpid()}"
        self._published: list[Place] | None = None

    def publish(self, works: Mapping[Place, CaseWorker]) -> None:
        """Right after a change of what is served the capacity in use says nothing."""
        if not self._metrics:
            return
        served = sorted(works)
        values = {
            "WorkerCapacityUsage": capacity_usage(self._slots.usage, changed=served != self._published),
            "WorkerSlotSeconds": self._slots.slot_s,
            "WorkerOpenJobs": float(sum(work.open_jobs for work in works.values())),
            **_pending(works.values()),
        }
        for each in self._metrics:
            each.publish(values, {"ServiceId": self._service})
        self._published = served


def _pending(works: Iterable[CaseWorker]) -> dict[str, float]:
    """Nothing while a case can't be asked: a number for whoever watches must not cost the worker its life."""
    try:
        return {"WorkerPendingWorkload": float(sum(work.backlog() for work in works))}
    except Exception as error:  # also of a case that is being closed just now
        log.debug("the backlog is not known: %s", error)
        return {}
