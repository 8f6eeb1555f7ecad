"""Polls of work that others do, and of queues that may be empty (SPEC C3-C6, A8). Pure.

A poll's state is in the ledger, with the queue it is about, so that another process can go on where one died.
"""

from dataclasses import dataclass
from enum import StrEnum

_STEPS = (500, 1_000, 2_000, 5_000)  # of what is left, each of which makes the pause longer by the first one


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    first_s: int = 60
    stalls: int = 5
    stalled_s: int = 120

    def delay_s(self, left: int) -> int:
        """The more is left, the longer until it is worth looking again."""
        return self.first_s * (1 + sum(left >= step for step in _STEPS))


class Verdict(StrEnum):
    ALL_PROCESSED = "ALL_PROCESSED"
    PROGRESS_MADE = "PROGRESS_MADE"
    RETRY_NEEDED = "RETRY_NEEDED"
    RETRIES_EXHAUSTED = "RETRIES_EXHAUSTED"


USUAL_PACE = Pace()


@dataclass(frozen=True, slots=True, kw_only=True)
class Poll:
    """What the last poll saw; -1 before the first one."""

    previous_count: int = -1
    retry_count: int = 0


@dataclass(frozen=True, slots=True)
class Polled:
    verdict: Verdict
    following: Poll  # is kept for the next one
    delay_s: int

    @property
    def stalled(self) -> bool:
        return self.verdict in {Verdict.RETRY_NEEDED, Verdict.RETRIES_EXHAUSTED}


def polled(poll: Poll, count: int, target: int | None = None, pace: Pace = USUAL_PACE) -> Polled:
    """`count` falls to 0, or rises to its target. Progress forgets the stalls before it; what comes after the end
    begins anew."""
    left = _left(count, target)
    if left == 0:
        return Polled(Verdict.ALL_PROCESSED, Poll(), pace.delay_s(0))
    if poll.previous_count == -1 or left < _left(poll.previous_count, target):
        return Polled(Verdict.PROGRESS_MADE, Poll(previous_count=count), pace.delay_s(left))
    retries = poll.retry_count + 1
    if retries >= pace.stalls:
        return Polled(Verdict.RETRIES_EXHAUSTED, Poll(), pace.stalled_s)
    return Polled(Verdict.RETRY_NEEDED, Poll(previous_count=poll.previous_count, retry_count=retries), pace.stalled_s)


def _left(count: int, target: int | None) -> int:
    return count if target is None else max(0, target - count)


@dataclass(slots=True)
class EmptyPolls:
    """The pause of a worker that finds nothing grows; in a cluster it leaves after so many with all slots free."""

    first_s: float
    longest_s: float
    leave_after: int = 0  # 0: stays
    empty: int = 0

    def found(self) -> None:
        self.empty = 0

    def nothing(self, *, idle: bool) -> float:
        """The pause before the next poll; one with work in its slots is not idle, however little comes."""
        self.empty = self.empty + 1 if idle else 0
        return min(self.longest_s, self.first_s * 2.0 ** max(0, self.empty - 1))

    @property
    def over(self) -> bool:
        return 0 < self.leave_after <= self.empty
