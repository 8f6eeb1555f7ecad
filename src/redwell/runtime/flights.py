"""The messages of a case that are with its children: whose they are, and what they cost. Used by its work thread."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redwell.core.jobs import Job
from redwell.core.lanes import Lane
from redwell.core.records import Claim
from redwell.extract.results import Status
from redwell.runtime.desk import Desk


@dataclass(slots=True)
class Flight:
    job: Job
    lane: Lane
    left: int


class Flights:
    def __init__(self, case: str, desk: Desk) -> None:
        self._case, self._desk = case, desk
        self._tasks: dict[int, tuple[int, Flight]] = {}  # by derivation: the attempt, and its message
        self._by_batch: Counter[int] = Counter()
        self._sampled = time.monotonic()

    @property
    def total(self) -> int:
        return len(self._tasks)

    def of(self, batch: int) -> int:
        return self._by_batch[batch]

    def claims(self) -> list[tuple[int, int]]:
        return [(task, attempt) for task, (attempt, _) in self._tasks.items()]

    def claim_of(self, task: int) -> tuple[int, Job]:
        attempt, flight = self._tasks[task]
        return attempt, flight.job

    def add(self, job: Job, claims: Sequence[Claim]) -> None:
        flight = Flight(job, claims[0].lane, len(claims))
        self._tasks.update({claim.id: (claim.attempt, flight) for claim in claims})
        self._by_batch[job.batch] += len(claims)
        self._desk.took(self._case, job.id, flight.lane)

    def ended(self, tasks: Iterable[int]) -> None:
        for task in tasks:
            _, flight = self._tasks.pop(task)
            flight.left -= 1
            self._by_batch[flight.job.batch] -= 1
            if not flight.left:
                self._desk.gave_back(self._case, flight.job.id, flight.lane)

    def sample(self, children: Iterable[Status]) -> None:
        """Charge the time since the last sample to the jobs whose documents the children are at."""
        now = time.monotonic()
        for child in children:
            if child.task in self._tasks:
                _, flight = self._tasks[child.task]
                self._desk.charge(self._case, flight.job.id, flight.lane, now - self._sampled)
        self._sampled = now

    def clear(self) -> None:
        self.ended(list(self._tasks))
