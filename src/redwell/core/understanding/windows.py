"""A long document goes to a model in windows that overlap, so that no value is cut in two. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

LEAST_CHARS = 1_500  # a window that still fails at this size is a gap
PAGE_END = "\f"
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


def page_windows(text: str, size: int, pages: int) -> Iterator[Span]:
    """Each within so many pages; of several, the last one stands in the next window too."""
    starts = [0, *(number + 1 for number, sign in enumerate(text[:-1]) if sign == PAGE_END)]
    first = 0
    while True:
        is_last = first + pages >= len(starts)
        begin, end = starts[first], len(text) if is_last else starts[first + pages]
        for span in windows(text[begin:end], size):
            yield Span(begin + span.start, begin + span.stop)
        if is_last:
            return
        first += max(1, pages - 1)


def pages_of(text: str, span: Span) -> range:
    """The numbers of the pages that it touches, from 1 on."""
    first = text.count(PAGE_END, 0, span.start) + 1
    return range(first, first + text.count(PAGE_END, span.start, max(span.start, span.stop - 1)) + 1)


def halves(span: Span) -> list[Span]:
    """Two that overlap; none where they would be too small to tell anything."""
    size = span.stop - span.start
    if size < 2 * LEAST_CHARS:
        return []
    middle, overlap = span.start + size // 2, size * _OVERLAP // 200
    return [Span(span.start, middle + overlap), Span(middle - overlap, span.stop)]
