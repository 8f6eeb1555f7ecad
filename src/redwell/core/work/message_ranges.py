"""How work on many items is cut into messages (SPEC C1, C2). Pure; whoever posts tasks asks here."""

from collections.abc import Sequence
from dataclasses import dataclass

SIZE = 100
MOST = 1_000


@dataclass(frozen=True, slots=True)
class Chunk:
    """Half open: startPos is in it, endPos is not."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Dispatch:
    """Messages to send now; with a `rest` everything from there on is for a later dispatch."""

    chunks: tuple[Chunk, ...]
    rest: int | None


def dispatch(ids: Sequence[int], size: int = SIZE, most: int = MOST) -> Dispatch:
    """Each of these rising ids is in exactly one chunk, or left to whoever goes on from the rest."""
    now = ids[: size * most]
    parts = [now[at : at + size] for at in range(0, len(now), size)]
    chunks = tuple(Chunk(part[0], part[-1] + 1) for part in parts)
    return Dispatch(chunks, ids[len(now)] if len(now) < len(ids) else None)
