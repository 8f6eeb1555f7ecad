"""Where events are written down for analysis (SPEC A16): files of columns by case and batch, asked with SQL."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from redwell.core.events.event import Event


class Answer(NamedTuple):
    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


class StatusStore(Protocol):
    def drop_from(self, case: int, row: int) -> None:
        """Away with what a process wrote that was killed before the case took note of it."""
        ...

    def keep(self, case: int, first: int, events: Sequence[Event]) -> None:
        """Events that were written from the journal's row `first` on; all of them are there, or none counts."""
        ...

    def refuse(self, kind: str, case: int, row: int, body: bytes) -> None:
        """A row of the journal that is no events."""
        ...

    def ask(self, sql: str) -> Answer:
        """One SELECT on the view `events`. UserError: it is none, or the engine does not understand it."""
        ...
