"""How work on many items is cut into messages (SPEC C1, C2). Pure."""

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
    """Messages to send now; with a `rest` a continuation goes out too, which dispatches from there."""

    chunks: tuple[Chunk, ...]
    inline: bool  # few enough to be done at once
    rest: int | None


def dispatch(total: int, start: int = 0, size: int = SIZE, most: int = MOST) -> Dispatch:
    """Every item from `start` on is in exactly one chunk, now or by the continuation."""
    if total <= start:
        return Dispatch((), True, None)
    last = min(total, start + size * most)
    chunks = tuple(Chunk(at, min(at + size, last)) for at in range(start, last, size))
    return Dispatch(chunks, start == 0 and total <= size, last if last < total else None)
