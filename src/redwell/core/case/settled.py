"""What settling is told and what it tells. Used by settle, by those who call it, and by the progress display."""

from dataclasses import dataclass, field
from typing import NamedTuple


class Ended(NamedTuple):
    """An exhibit that came to its end; a member without bytes has no document, and its number is not known here."""

    batch: int
    outcome: str
    exhibit: int = 0
    document: int | None = None


@dataclass(slots=True)
class Settled:
    """What one step of settling did."""

    moved: int = 0
    found: int = 0
    outcomes: list[Ended] = field(default_factory=list)
    children: list[int] = field(default_factory=list)  # the batch of each that was found
    left_over: set[int] = field(default_factory=set)  # derivations that are ahead still


@dataclass(frozen=True, slots=True)
class Limits:
    """Of what becomes of containers inside containers."""

    max_depth: int
    max_copies: int
