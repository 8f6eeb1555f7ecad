"""The place on this machine where processes at work on a case meet: signs of life, roles, scratch."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Remains:
    """What a worker left that was killed."""

    path: Path
    files: int
    bytes: int


class Lock(Protocol):
    """Held until `release`, or until its process is gone."""

    def release(self, *, remove: bool = False) -> None: ...


class CaseFolder(Protocol):
    @property
    def path(self) -> Path: ...
    def scratch_of(self, worker: str) -> Path: ...
    def is_alive(self, worker: str) -> bool:
        """For whoever works: the sign of one that died is removed."""
        ...

    def looks_alive(self, worker: str) -> bool:
        """The same for whoever only looks."""
        ...

    def try_role(self, role: str) -> Lock | None:
        """What one process at a time may be; None while another one is."""
        ...

    def remains(self) -> Iterator[Remains]: ...
    def remove(self, remains: Remains) -> None: ...
