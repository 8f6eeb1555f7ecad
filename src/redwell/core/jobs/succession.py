"""When another machine may keep a shared case whose keeper has fallen silent (ADR 74). Pure.

As with leases no two clocks are compared: what counts is for how long whoever watches has seen no number rise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class KeeperWatch:
    lease_s: float
    _beats: dict[str, int] = field(default_factory=dict)
    _heard_s: float | None = None

    def is_gone(self, beats: Mapping[str, int], now_s: float) -> bool:
        """`beats` are of the workers on the keeper's machine; the first look gives it a whole lease."""
        if self._heard_s is None or any(self._beats.get(worker) != beat for worker, beat in beats.items()):
            self._heard_s = now_s
        self._beats = dict(beats)
        return now_s - self._heard_s >= self.lease_s
