"""What a worker's slots hold, and what it may take (SPEC A9). Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from redwell.core.work.kinds import KINDS, TaskType
from redwell.core.work.lanes import Lane


@dataclass(frozen=True, slots=True)
class Capacity:
    """Of 8 slots a large task takes 5, on a spot machine all; other sizes in proportion."""

    slots: int
    spot: bool = False
    large: int = 5  # eighths

    def weight(self, lane: Lane) -> int:
        if lane is Lane.SMALL:
            return 1
        return self.slots if self.spot else max(1, self.slots * self.large // 8)

    def used(self, running: Iterable[Lane]) -> int:
        return sum(map(self.weight, running))

    def fits(self, running: Iterable[Lane], lane: Lane) -> bool:
        return self.used(running) + self.weight(lane) <= self.slots

    def takes(self, task: TaskType) -> bool:
        return not self.spot or KINDS[task].on_spot
