"""The journal of a case as those who tell others read it: what happened, how far each listener has heard of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from redwell.core.events.event import Event
from redwell.core.events.packed import EventRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ParkedPost:
    """An event that the webhook's endpoint refused."""

    event: int  # the row
    type: str
    batch: int
    detail: str


class EventLog(Protocol):
    def rows(self, after: int = 0, limit: int = 1_000) -> list[EventRow]:
        """In the order they were written; each stands for one event or many."""
        ...

    def unpack(self, rows: Sequence[EventRow]) -> list[Event]:
        """The events of these rows, the same each time."""
        ...

    def told(self, who: str) -> int:
        """The last row that a listener has heard of, or that was parked."""
        ...

    def tell_up_to(self, who: str, row: int) -> None: ...

    def open_batches(self) -> set[int]:
        """Those with a job that is not over."""
        ...

    def park(self, row: int, detail: str) -> None: ...
    def unpark(self, row: int) -> None: ...
    def parked(self) -> list[ParkedPost]: ...
