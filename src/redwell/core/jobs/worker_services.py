"""Rules of the worker registry (SPEC A3): a service is FREE, or BUSY with the jobs of one case.

Each rule makes the row that should replace the one it was given; the registry replaces it only if nobody was quicker.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class Status(StrEnum):
    FREE = "FREE"
    BUSY = "BUSY"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    id: str
    version: int = 0  # raised with every change
    case: int | None = None
    job: int | None = None  # the one it works on now
    jobs: frozenset[int] = frozenset()  # all that it has to do, `job` among them
    worker_limit: int = 0  # 0: none
    service_ref: str = ""  # what runs the workers, as its own system calls it
    scaling_ref: str = ""

    @property
    def status(self) -> Status:
        return Status.FREE if self.case is None else Status.BUSY


def worker_kind(service: str) -> str:
    """What a worker of this service is called where workers are listed; without a service it serves all cases."""
    return f"worker of {service}" if service else "worker"


def claimed(service: Service, case: int, job: int, worker_limit: int) -> Service:
    assert service.status is Status.FREE
    return _next(service, case=case, job=job, jobs=frozenset({job}), worker_limit=worker_limit)


def joined(service: Service, job: int) -> Service:
    """A further job of the same case; one that is there already changes nothing."""
    return service if job in service.jobs else _next(service, jobs=service.jobs | {job})


def left(service: Service, ended: int, following: int, worker_limit: int) -> Service:
    """A job has ended: if it was the current one, the service rotates to the following."""
    jobs = service.jobs - {ended}
    if service.job != ended:
        return _next(service, jobs=jobs)
    assert following in jobs
    return _next(service, job=following, jobs=jobs, worker_limit=worker_limit)


def released(service: Service) -> Service:
    return _next(service, case=None, job=None, jobs=frozenset(), worker_limit=0)


def tasks_wanted(service: Service, now: int, otherwise: int, *, has_changed: bool) -> int:
    """How many workers it should have; in between, what its scaling policy has made of it stands."""
    if service.status is Status.FREE:
        return 0
    wanted = service.worker_limit or otherwise
    if has_changed or not now:
        return wanted
    return min(now, service.worker_limit) if service.worker_limit else now


def _next(service: Service, **changes: object) -> Service:
    return replace(service, version=service.version + 1, **changes)  # type: ignore[arg-type]
