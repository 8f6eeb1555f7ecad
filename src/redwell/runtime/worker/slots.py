"""The slots of this process, handed out to its cases and their jobs. Shared by the threads that work on cases."""

import threading
import time
from collections.abc import Sequence
from itertools import takewhile

from redwell.core.jobs.schedule import Schedule, Waiting
from redwell.core.work.capacity import Capacity
from redwell.core.work.lanes import Lane
from redwell.processing.children.child import MESSAGES


class Slots:
    """A slot holds a message at work and one that waits behind it; a large document has nothing behind it."""

    def __init__(self, capacity: Capacity, ageing_s: int) -> None:
        self.capacity = capacity
        self._schedule = Schedule(ageing_s * 1_000)
        self._offers: dict[object, list[Waiting]] = {}
        self._rests: dict[tuple[str, int], float] = {}
        self._used = 0
        self._lock = threading.Lock()
        self.slot_s = 0.0  # used so far, by all

    def offer(self, by: object, jobs: Sequence[Waiting]) -> None:
        """Jobs that want slots, instead of those that the same thread named before."""
        with self._lock:
            self._offers[by] = list(jobs)

    def withdraw(self, by: object) -> None:
        with self._lock:
            self._offers.pop(by, None)

    def turn(self, by: object) -> list[int]:
        """Its jobs that may take a message now, the first one first; none when those of others come before."""
        with self._lock:
            if self._used >= MESSAGES * self.capacity.slots:
                return []
            now = time.monotonic()
            offers = [job for jobs in self._offers.values() for job in jobs if self._rests.get(job.key, 0) <= now]
            ranked = self._schedule.ranked(offers, time.time_ns() // 1_000_000)
            mine = {job.key for job in self._offers.get(by, ())}
            return [job.job for job in takewhile(lambda job: job.key in mine, ranked)]

    @property
    def takes_large(self) -> bool:
        return self._used + self._cost(Lane.LARGE) <= MESSAGES * self.capacity.slots

    def _cost(self, lane: Lane) -> int:
        return 1 if lane is Lane.SMALL else MESSAGES * self.capacity.weight(lane)

    def rest(self, case: str, job: int, seconds: float) -> None:
        """It has nothing to give right now: others go first for a moment."""
        with self._lock:
            self._rests[case, job] = time.monotonic() + seconds

    def took(self, case: str, job: int, lane: Lane) -> None:
        with self._lock:
            self._used += self._cost(lane)
            self._schedule.begin(case, job)

    def gave_back(self, case: str, job: int, lane: Lane) -> None:
        with self._lock:
            self._used -= self._cost(lane)
            self._schedule.end(case, job)

    def charge(self, case: str, job: int, lane: Lane, seconds: float) -> None:
        """Time that a child was at work on a job."""
        with self._lock:
            slot_s = seconds * self.capacity.weight(lane)
            self.slot_s += slot_s
            self._schedule.charge(case, job, slot_s)

    @property
    def usage(self) -> float:
        """The part of the slots that is in use now, 0 to 1 (SPEC A15)."""
        return min(1.0, self._used / (MESSAGES * self.capacity.slots))
