"""Page and line of every character of a transcript, found in its text. Pure; nothing is wrapped or moved.

Three forms are known: pages as images in text (a number for each line, the page's number alone above or below them),
the same with page numbers at the left margin (Amicus, Summation), and `00045:12` before each line. Called by the
reading handler, and by whoever has an offset and wants to cite it: the text is kept as it was, and asked again.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

MOST_LINES = 60  # of a page
_CITED = re.compile(r"^[ \t]{0,6}(\d{1,6}):(\d{1,2})(?=[ \t]|$)[ \t]?")
_NUMBERED = re.compile(r"^[ \t]*(?:\d{1,2}:\d{2}(?::\d{2})?[ \t]+)?(\d{1,2})(?=[ \t]|$)")
_ALONE = re.compile(r"^[ \t]*(?:(?:page|p\.)[ \t]*)?(\d{1,6})[ \t]*$", re.IGNORECASE)


class TranscriptLine(NamedTuple):
    """One numbered line: where it begins and ends in the text, and where its words begin."""

    page: int
    line: int
    start: int
    words: int
    end: int


@dataclass(frozen=True, slots=True)
class Layout:
    lines: Sequence[TranscriptLine]
    form: str  # page-image, left-margin or page:line
    printed: bool  # page numbers stand in the text; else they were counted

    @property
    def pages(self) -> list[int]:
        return sorted({line.page for line in self.lines})

    def at(self, offset: int) -> TranscriptLine | None:
        """The line that holds a character of the text, or stands before it; None ahead of the first."""
        found = bisect_right(self.lines, offset, key=lambda line: line.start) - 1
        return self.lines[found] if found >= 0 else None

    def cite(self, start: int, end: int | None = None) -> str:
        """`45:12`, `45:12-14` or `45:12-46:3`; empty ahead of the first line."""
        first = self.at(start)
        if first is None:
            return ""
        last = self.at(max(start, end - 1)) if end is not None else first
        cited = f"{first.page}:{first.line}"
        if last is None or last == first:
            return cited
        return f"{cited}-{last.line}" if last.page == first.page else f"{cited}-{last.page}:{last.line}"


class _Seen(NamedTuple):
    """A line of the text that says something of its place."""

    start: int
    end: int
    number: int | None  # of the line
    words: int
    page: int | None  # a page number alone
    breaks: bool  # a form feed stands before it
    left: bool  # the number stands at the left margin


def lay_out(text: str) -> Layout | None:
    """The layout of a transcript; None where the text is none."""
    return _page_and_line(text) or _page_images(text)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _page_and_line(text: str) -> Layout | None:
    found, others = [], 0
    for start, line in _lines(text):
        cited = _CITED.match(line)
        if cited and 1 <= int(cited[2]) <= MOST_LINES:
            place = int(cited[1]), int(cited[2])
            found.append(TranscriptLine(*place, start, start + cited.end(), start + len(line)))
        elif line.strip():
            others += 1
    if len(found) < 8 or others > len(found) or found[0].line != 1 or not _counts(found):
        return None
    return Layout(found, "page:line", True)


def _counts(lines: Sequence[TranscriptLine]) -> bool:
    """Lines count up by one and begin anew with each page; a few that do not are forgiven."""
    steps = sum(
        (b.page == a.page and b.line == a.line + 1) or (b.page == a.page + 1 and b.line == 1)
        for a, b in pairwise(lines)
    )
    return steps * 10 >= (len(lines) - 1) * 9


def _page_images(text: str) -> Layout | None:
    column = _number_column(text)
    if column is None:
        return None
    seen = _seen(text, column)
    pages = _pages(seen)
    numbered = [each for page in pages for each in page if each.number is not None]
    if not pages or len(numbered) < 10 or not _mostly(text, numbered):
        return None
    numbers, printed = _page_numbers(pages)
    lines = [
        TranscriptLine(number, each.number, each.start, each.words, each.end)
        for number, page in zip(numbers, pages, strict=True)
        for each in page
        if each.number is not None
    ]
    left = any(each.left for page in pages for each in page if each.page is not None)
    return Layout(lines, "left-margin" if left else "page-image", printed)


def _number_column(text: str) -> int | None:
    """The column in which line numbers end, for the most of them."""
    columns = Counter(
        found.end(1) for _, line in _lines(text) if (found := _NUMBERED.match(line.lstrip("\f"))) and found.end(1) < 30
    )
    column, count = columns.most_common(1)[0] if columns else (0, 0)
    return column if count >= 8 else None


def _seen(text: str, column: int) -> list[_Seen]:
    """Lines with a number or a form feed. A number alone is a line's where it is the next and stands in its column."""
    seen: list[_Seen] = []
    last = 0
    for start, raw in _lines(text):
        line = raw.lstrip("\f")
        breaks = len(line) < len(raw)
        start += len(raw) - len(line)
        found = _NUMBERED.match(line)
        number = (
            int(found[1]) if found and abs(found.end(1) - column) <= 1 and 1 <= int(found[1]) <= MOST_LINES else None
        )
        alone = _ALONE.match(line)
        if alone and (number is None or (number != last + 1 and number != 1) or len(alone[1]) > 2):
            left = len(line) - len(line.lstrip()) < 4 and alone[1].startswith("0")
            seen.append(_Seen(start, start + len(line), None, start, int(alone[1]), breaks, left))
            continue
        if number is not None and (number == last + 1 or number == 1 or breaks):
            words = start + (found.end(1) if found else 0)
            seen.append(_Seen(start, start + len(line), number, words, None, breaks, False))
            last = number
        elif breaks:
            seen.append(_Seen(start, start, None, start, None, True, False))
        last = 0 if breaks and number is None else last
    return seen


def _pages(seen: Sequence[_Seen]) -> list[list[_Seen]]:
    """A page begins at a form feed, or where lines begin anew; what stands between is sorted out by `_page_numbers`."""
    pages: list[list[_Seen]] = [[]]
    last = 0
    feeds = any(each.breaks for each in seen)
    for each in seen:
        anew = each.number is not None and each.number <= last
        if (each.breaks if feeds else anew) or (feeds and anew and each.number == 1):
            pages.append([])
            last = 0
        pages[-1].append(each)
        last = each.number if each.number is not None else last
    return [page for page in pages if any(each.number is not None for each in page)]


def _page_numbers(pages: Sequence[Sequence[_Seen]]) -> tuple[list[int], bool]:
    """Numbers above the lines or below them, whichever the first page has; those that are missing are counted on."""
    first = next((each for each in pages[0] if each.page is not None or each.number is not None), None)
    above = first is not None and first.page is not None
    carried = [each.page for each in pages[0] if each.page is not None][:1] if above else []
    numbers: list[int] = []
    printed = False
    for page in pages:
        begin = next(at for at, each in enumerate(page) if each.number is not None)
        own = [each.page for each in (page[:begin] if above else page[begin:]) if each.page is not None]
        found = (carried or own)[-1:] if above else own[:1]
        printed = printed or bool(found)
        numbers.append(found[0] if found else (numbers[-1] + 1 if numbers else 1))
        behind = [each.page for each in page[begin:] if each.page is not None]
        carried = behind[-1:] if above else []
    return numbers, printed


def _mostly(text: str, numbered: Sequence[_Seen]) -> bool:
    """Most lines with words are numbered, and they count up: a list in a letter is no transcript."""
    words = sum(bool(line.strip()) for _, line in _lines(text))
    begins = sum(each.number == 1 for each in numbered)
    longest = max((each.number or 0) for each in numbered)
    return begins >= 1 and longest >= 8 and len(numbered) * 2 >= words
