"""Services have as many workers as their job may have, and none while they are free (SPEC A3).

Called by service_assignment after it has looked. A process that dies between a claim and this leaves a busy service
without workers; the next one that looks gives it some.
"""

import logging
import time
from collections.abc import Collection

from redwell.core.errors import RedwellError
from redwell.core.jobs.worker_services import Service, tasks_wanted
from redwell.ports.messaging.registry import Registry
from redwell.ports.messaging.service_scaling import ServiceScaling

LOOK_S = 60.0  # without a change of our own
AGAIN_S = 5.0
log = logging.getLogger(__name__)


class ServiceCounts:
    """`scaling` None: somebody else starts and ends workers. `otherwise`: of a job that says nothing of workers."""

    def __init__(self, registry: Registry, scaling: ServiceScaling | None, otherwise: int) -> None:
        self._registry, self._scaling, self._otherwise = registry, scaling, otherwise
        self._due = 0.0

    def follow(self, changed: Collection[str]) -> None:
        """`changed`: services that this process has just given a job, another one, or none."""
        if self._scaling is None or not (changed or time.monotonic() >= self._due):
            return
        self._due = time.monotonic() + LOOK_S
        rows = self._registry.find()
        try:
            counts = self._scaling.tasks(rows)
            for row in rows:
                if row.id in counts:
                    self._bring(self._scaling, row, counts[row.id], has_changed=row.id in changed)
        except RedwellError as error:
            self._due = time.monotonic() + AGAIN_S
            log.warning("the number of workers can't be changed now: %s", error)

    def _bring(self, scaling: ServiceScaling, row: Service, now: int, *, has_changed: bool) -> None:
        wanted = tasks_wanted(row, now, self._otherwise, has_changed=has_changed)
        if wanted != now:
            scaling.scale(row, wanted)
            log.info("service %r: %d workers, before %d", row.id, wanted, now)
