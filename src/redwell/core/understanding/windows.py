"""A long document goes to a model in windows that overlap, so that no value is cut in two. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

LEAST_CHARS = 1_500  # a window that still fails at this size is a gap
_OVERLAP = 10  # percent
_LOOK_BACK = 200  # for a line's end to cut at


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    stop: int


def windows(text: str, size: int) -> Iterator[Span]:
    """The whole text, each part of it in one window at least."""
    start = 0
    while True:
        stop = min(len(text), start + size)
        if stop < len(text):
            line = text.rfind("\n", max(start + 1, stop - _LOOK_BACK), stop)
            stop = line + 1 if line > 0 else stop
        yield Span(start, stop)
        if stop >= len(text):
            return
        start = max(start + 1, stop - size * _OVERLAP // 100)


def halves(span: Span) -> list[Span]:
    """Two that overlap; none where they would be too small to tell anything."""
    size = span.stop - span.start
    if size < 2 * LEAST_CHARS:
        return []
    middle, overlap = span.start + size // 2, size * _OVERLAP // 200
    return [Span(span.start, middle + overlap), Span(middle - overlap, span.stop)]
