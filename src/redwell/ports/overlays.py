"""Overlays of one case: fields and texts of exhibits that a load file changed, each undone as one.

Every change, the entry of the audit log that tells of it and the mark that the index has to follow are one step.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from redwell.core.blobs import Stored
from redwell.core.loadfiles.overlay import NewValue


class Overlay(NamedTuple):
    id: int
    name: str  # of the load file
    sha256: str
    who: str
    at_ms: int
    counts: dict[str, int]  # rows, documents, values …; empty: it was stopped before its end
    undone: bool


class OverlaidValue(NamedTuple):
    exhibit: int
    control: str
    name: str
    before: Any
    after: Any


class OverlayStore(Protocol):
    def record_ids(self) -> Iterator[tuple[int, str, str]]:
        """Every record of a load file: its exhibit, its id, its first number. Looks at all of them."""
        ...

    def begin(self, name: str, sha256: str, who: str) -> int: ...

    def apply(
        self, overlay: int, changes: Mapping[int, Sequence[NewValue]], who: str, texts: Sequence[Stored] = ()
    ) -> None:
        """Fields of some exhibits, and texts (core.loadfiles.given_text), whose bytes are durable already. A second
        time for the same field changes nothing of what was before."""
        ...

    def finish(self, overlay: int, counts: Mapping[str, int], who: str) -> None: ...

    def overlays(self) -> list[Overlay]:
        """In the order they were made."""
        ...

    def values(self, overlay: int) -> Iterator[OverlaidValue]:
        """What it changed, by exhibit. NotFound where there is none."""
        ...

    def undo(self, overlay: int, who: str) -> int:
        """How many exhibits are as if it had not been; a later overlay of the same field stays. NotFound if undone."""
        ...

    def close(self) -> None: ...
