"""What runs the tasks of an uploader: threads of this process here, stacks elsewhere. Every call may be made again."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class ComputeState(StrEnum):
    NONE = "none"  # never made, or gone
    CREATING = "creating"
    RUNNING = "running"
    FAILED = "failed"  # rolled back, or it can't be taken down
    DELETING = "deleting"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputeSpec:
    case: int
    batch: int
    queue: str  # that its tasks take documents from; also what the compute is known by
    most: int = 1  # tasks that it may have


class UploaderCompute(Protocol):
    """May raise ServiceUnavailable (Recoverable)."""

    def create(self, spec: ComputeSpec) -> None:
        """Begin to make it; nothing where it is there."""
        ...

    def state(self, spec: ComputeSpec) -> ComputeState: ...
    def scale(self, spec: ComputeSpec, tasks: int) -> None:
        """So many tasks from now on, or as many as its own rules say; one that is at work finishes its document."""
        ...

    def delete(self, spec: ComputeSpec) -> None:
        """Begin to take it down; nothing where there is none."""
        ...

    def running(self) -> int:
        """Tasks of all imports, of other cases and processes too."""
        ...
