"""A job takes a service of workers, joins the one its case has, and leaves it when it ends (SPEC A3).

Called by runtime.cluster.service_assignment. The rules are core.jobs.worker_services'.
"""

import random
import time
from collections.abc import Callable
from typing import NamedTuple

from redwell.core.jobs.worker_services import Service, Status, claimed, joined, left, released
from redwell.ports.messaging.registry import Registry

Order = Callable[[frozenset[int]], tuple[int, int]]  # the next of these jobs by SPEC A4, and its worker limit


class Races(NamedTuple):
    """How often one that was lost is run again, and after which pause at first."""

    tries: int = 5
    base_s: float = 0.25
    sleep: Callable[[float], None] = time.sleep

    def wait(self, attempt: int) -> None:
        """Jittered, so that those who met once do not meet again."""
        self.sleep(random.uniform(0.5, 1.0) * self.base_s * (1 << attempt))


USUAL = Races()


def claim(registry: Registry, case: int, job: int, worker_limit: int, races: Races = USUAL) -> Service | None:
    """The case's service with this job on it, or None when none is free: then the job waits in order."""
    for attempt in range(races.tries):
        old, new = _wanted(registry, case, job, worker_limit)
        if old is None or new is None:
            return None
        if new is old or registry.replace(old, new):
            return new
        races.wait(attempt)
    return None


def finish(registry: Registry, service: str, job: int, order: Order, races: Races = USUAL) -> Service | None:
    """The job has ended: the service goes on with the next one of its case, or is free. None after too many races."""
    for attempt in range(races.tries):
        old = registry.get(service)
        if old is None or job not in old.jobs:
            return old
        rest = old.jobs - {job}
        new = left(old, job, *order(rest)) if rest else released(old)
        if registry.replace(old, new):
            return new
        races.wait(attempt)
    return None


def _wanted(registry: Registry, case: int, job: int, worker_limit: int) -> tuple[Service | None, Service | None]:
    if held := registry.find(case=case):
        return held[0], joined(held[0], job)
    if free := registry.find(status=Status.FREE):
        chosen = random.choice(free)  # so that many jobs at once do not all want the first
        return chosen, claimed(chosen, case, job, worker_limit)
    return None, None
