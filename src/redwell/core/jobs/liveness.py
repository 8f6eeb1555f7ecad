"""Whether a worker lives, by its heartbeat (SPEC A10). Pure; every process that sweeps keeps one for itself.

No two clocks are compared: a worker raises a number, and whoever has seen the same number for the length of a
lease, by its own monotonic clock, takes the worker for dead. So a clock that jumps, here or there, ends no lease.
"""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Pulses:
    lease_s: float
    _seen: dict[str, tuple[int, float]] = field(default_factory=dict)

    def alive(self, worker: str, beat: int, now_s: float) -> bool:
        """The first look at a worker gives it a whole lease."""
        before, since = self._seen.get(worker, (None, now_s))
        if beat != before:
            since = now_s
        self._seen[worker] = beat, since
        return now_s - since < self.lease_s

    def forget(self, worker: str) -> None:
        self._seen.pop(worker, None)


def next_check_s(lease_s: float, reach_s: float = 30.0) -> float:
    """How often a lease is extended: even a check that comes late by `reach_s` finds it unexpired."""
    return max(lease_s / 10, min(lease_s / 5, lease_s - 2 * reach_s))


def is_silent(beats: int, age_ms: int, lease_s: float) -> bool:
    """Whether somebody who sees a worker for the first time should doubt that it lives: its number has not risen as
    its age says. For people only: clocks are compared, and a beat may be late by a quarter."""
    return age_ms / 1_000 > 1.25 * beats * next_check_s(lease_s) + lease_s
