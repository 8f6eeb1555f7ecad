"""Who gets the next free slot: strict effective priority, then equal shares of slot time (SPEC A4, DESIGN).

Pure. Each worker process keeps one for all that it serves; where every worker is fair, so is their sum.
Shares are equal between cases, and within a case between its jobs: ten files never wait behind a million.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from redwell.core.jobs.priority import effective, order

IN_FLIGHT_S = 0.5  # what a message is taken to cost until its time is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A job with work to give."""

    case: str
    job: int
    priority: int
    created_ms: int
    served_ms: int  # when a worker last took something of it; before that, when it was created

    @property
    def key(self) -> tuple[str, int]:
        return self.case, self.job


class Shares:
    """Slot time by party. Whoever comes new, or back from a pause, begins level with the least served."""

    def __init__(self) -> None:
        self._used: dict[Hashable, float] = {}
        self._present: set[Hashable] = set()

    def enter(self, parties: Iterable[Hashable]) -> None:
        """These want slots now; a pause saves nothing up."""
        now = set(parties)
        level = min((self._used[party] for party in now & self._present), default=0.0)
        for party in now - self._present:
            self._used[party] = max(self._used.get(party, 0.0), level)
        self._present = now

    def charge(self, party: Hashable, slot_s: float) -> None:
        self._used[party] = self._used.get(party, 0.0) + slot_s

    def used(self, party: Hashable) -> float:
        return self._used.get(party, 0.0)


class Schedule:
    def __init__(self, step_ms: int) -> None:
        self._step_ms = step_ms
        self._cases, self._jobs = Shares(), Shares()
        self._flying: dict[tuple[str, int], int] = {}

    def ranked(self, jobs: Iterable[Waiting], now_ms: int) -> list[Waiting]:
        """In the order in which they may take the next slot; a job that has nothing right now gives way."""
        waiting = list(jobs)
        self._cases.enter(job.case for job in waiting)
        self._jobs.enter(job.key for job in waiting)
        return sorted(waiting, key=lambda job: self._rank(job, now_ms))

    def _rank(self, job: Waiting, now_ms: int) -> tuple[int, float, float, int]:
        in_case = sum(count for (case, _), count in self._flying.items() if case == job.case)
        return (
            effective(job.priority, now_ms - job.served_ms, self._step_ms),
            self._cases.used(job.case) + IN_FLIGHT_S * in_case,
            self._jobs.used(job.key) + IN_FLIGHT_S * self._flying.get(job.key, 0),
            order(job.priority, job.created_ms),
        )

    def begin(self, case: str, job: int) -> None:
        """A message of the job is on its way to a slot."""
        self._flying[case, job] = self._flying.get((case, job), 0) + 1

    def end(self, case: str, job: int) -> None:
        left = self._flying.pop((case, job), 1) - 1
        if left:
            self._flying[case, job] = left

    def charge(self, case: str, job: int, slot_s: float) -> None:
        """Slot time that a job has had, weighted by the slots it took."""
        self._cases.charge(case, slot_s)
        self._jobs.charge((case, job), slot_s)
