"""Productions and redactions of one case. Every change and its entry in the audit log are one step.

Safe to use from several threads and processes.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from redwell.core.production.redactions import Redaction
from redwell.core.production.values import Member, Production, Terms


class NewProduction(NamedTuple):
    name: str
    query: str
    who: str
    terms: Terms
    left_out: dict[str, int]


class RedactionChange(NamedTuple):
    id: int
    who: str
    at_ms: int
    note: str
    boxes: int  # that it made
    removed: int  # that it took away
    undone: bool


class ProductionStore(Protocol):
    def create(self, new: NewProduction, members: Sequence[Member]) -> Production:
        """The set with its numbers, which are issued by it. Conflict where a number was issued before, or the name."""
        ...

    def productions(self) -> list[Production]:
        """In the order they were made."""
        ...

    def find(self, name: str) -> Production:
        """NotFound where there is none."""
        ...

    def members(self, production: int) -> Iterator[Member]:
        """By their order."""
        ...

    def issued(self, exhibits: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
        """The productions that these went out with, and their first numbers."""
        ...

    def next_number(self, prefix: str) -> int:
        """Behind all that were issued with this prefix; 1 where none was."""
        ...

    def fix(self, production: int, who: str) -> dict[int, list[Redaction]]:
        """The redactions that it goes out with, by exhibit: those of now when first asked, the same ever after."""
        ...

    def written(self, production: int, manifest: str, who: str) -> None: ...

    # redactions
    def redact(self, redactions: Sequence[Redaction], who: str, note: str = "") -> int:
        """One change; its number, by which it is undone."""
        ...

    def remove(self, keys: Sequence[int], who: str) -> int:
        """A change too. NotFound where one of them is not in force."""
        ...

    def undo(self, change: int, who: str) -> int:
        """How many boxes are as they were before. NotFound where there is no such change, or it is undone."""
        ...

    def changes(self) -> list[RedactionChange]:
        """The newest first."""
        ...

    def redactions(self, exhibits: Sequence[int]) -> dict[int, list[Redaction]]:
        """Those in force, by exhibit."""
        ...

    def close(self) -> None: ...
