"""What a process takes of a job: documents that it may and can work on now. Used by the threads that work on cases."""

from functools import partial

from redwell.core.jobs import Job
from redwell.core.media import detect
from redwell.core.records import Claim
from redwell.core.tasks import TaskType
from redwell.core.volumes import name_in, scheme_in
from redwell.handlers.registry import container_types
from redwell.ports.case_store import Want
from redwell.runtime.bootstrap import Case
from redwell.runtime.desk import Desk
from redwell.runtime.flights import Flights
from redwell.runtime.task_source import TaskSource


class Taking:
    def __init__(self, case: Case, source: TaskSource, desk: Desk, flights: Flights) -> None:
        self._case, self._source, self._desk, self._flights = case, source, desk, flights
        self._unpacks = desk.capacity.takes(TaskType.UNPACK_DOCUMENT)
        self._containers = frozenset[str]() if self._unpacks else container_types(case.handlers)

    def some(self, job: Job) -> list[Claim]:
        """One message of a job; empty when it has nothing for this process."""
        large = self._desk.takes_large
        want = Want(batch=job.batch, workers=job.workers, large=large, containers=self._unpacks)
        claims = self._not_in_work(self._source.claim(job, want))
        return claims if self._unpacks else self._without_containers(claims)

    def _not_in_work(self, claims: list[Claim]) -> list[Claim]:
        """A content that was cancelled, and that another job wants, may still be with a child of ours: not yet."""
        busy = {task for task, _ in self._flights.claims()}
        if again := [claim for claim in claims if claim.id in busy]:
            self._case.store.release([(claim.id, claim.attempt) for claim in again])
        return [claim for claim in claims if claim.id not in busy]

    def _without_containers(self, claims: list[Claim]) -> list[Claim]:
        """Nobody knows what a content is before somebody looks; it is not offered to such a worker again (SPEC A9)."""
        if left := {claim.id: claim.attempt for claim in claims if self._is_container(claim)}:
            self._case.store.leave_containers(list(left.items()))
        return [claim for claim in claims if claim.id not in left]

    def _is_container(self, claim: Claim) -> bool:
        """By its head a set of volumes can't be told, so it counts as one."""
        opened = partial(self._case.blobs.open, claim.sha256, claim.location)
        kind = detect(opened, claim.location.length, name_in(claim.context))
        return bool(scheme_in(claim.context)) or kind in self._containers
