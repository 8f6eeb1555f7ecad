"""Where the words of a query stand in a text, and the passage that shows best why it was found. Pure.

An index says which exhibits are hits; this says where, by the same rules for every index.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from redwell.core.search.alignment import Alignment, aligned
from redwell.core.search.fields import SPOKEN
from redwell.core.search.plain_matches import expressions, plain_matches
from redwell.core.search.positions import Positions, Wording
from redwell.core.search.query import Node, Word, Words, field_of, visible_parts
from redwell.core.search.spoken import places, said_parts
from redwell.core.search.stems import Stems
from redwell.core.search.words import tokens, tokens_near

_WINDOW = 160
_MAX_MATCHES = 200
_LONG = 4_000  # characters: in shorter texts every word is looked at
_word = re.compile(r"\S")
_PAGE_END = "\f"


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a text, from `start` up to `end`, that fit what stands in `column` of the query."""

    start: int
    end: int
    column: int
    page: int | None = None  # from 1 on, where the text says where its pages end


class Passage(NamedTuple):
    """What shows best why a text was found: about 160 characters on one line, matches between [[ and ]]."""

    text: str
    page: int | None  # where the text says where its pages end


NO_PASSAGE = Passage("", None)


class Matches:
    """Made once per query, asked once per hit, by one thread. What was asked last is remembered."""

    def __init__(self, query: Node, stems: Stems | None = None) -> None:
        visible = list(dict.fromkeys(visible_parts(query)))  # of equal ones the first
        self._parts = tuple(part for part in visible if field_of(part) not in SPOKEN)
        self._said = said_parts(visible)
        self._positions = Positions(stems)
        self._expressions = expressions(self._parts)
        self._plain = [str(word) for part in self._parts for word in _words(part)] if self._expressions else []
        self._last: tuple[str, Alignment, list[tuple[int, int, int]]] | None = None

    def spans(self, text: str) -> list[Span]:
        """All of them, by where they begin; those of different terms may overlap."""
        alignment, found = self._look(text)
        page_of = _pages(text)
        spans = []
        for start, end, column in found:
            first, last = alignment.span(start, end)
            spans.append(Span(first, last, column, page_of(first)))
        return spans

    def snippet(self, text: str) -> str:
        return self.passage(text).text

    def passage(self, text: str) -> Passage:
        """The start of the text where nothing matches."""
        alignment, every = self._look(text)
        text, page_of = alignment.text, _pages(alignment.text)
        found = _apart(every)
        first, last = _best(found)
        start, end = _widened(text, *((found[first][0], found[last][1]) if found else (0, 0)))
        shown, position = [], start
        for begin, stop, _ in found:
            if start <= begin and stop <= end:
                shown += [text[position:begin], "[[", text[begin:stop], "]]"]
                position = stop
        shown.append(text[position:end])
        line = " ".join("".join(shown).split())
        before, behind = _word.search(text, 0, start), _word.search(text, end)
        passage = ("… " if before else "") + line + (" …" if behind else "")
        return Passage(passage, page_of(found[first][0]) if found else None)

    def _look(self, text: str) -> tuple[Alignment, list[tuple[int, int, int]]]:
        if self._last is None or self._last[0] is not text:
            alignment = aligned(text)
            found = self._found(alignment.text)
            over_lines = set(places(alignment.text, self._said, self._positions)) if self._said else set()
            self._last = text, alignment, sorted({*found, *over_lines}) if over_lines else found
        return self._last[1:]

    def _found(self, text: str) -> list[tuple[int, int, int]]:
        """Start, end and column of each match in a cleaned text."""
        if not self._parts:
            return []
        if self._expressions is not None and text.isascii():
            return sorted(plain_matches(text, self._expressions))
        words, places = [], []
        for word, start, end in tokens_near(text, self._plain) if self._plain and len(text) > _LONG else tokens(text):
            words.append(word)
            places.append((start, end))
        wording = Wording(words)
        marks = {mark for part in self._parts for spot in self._positions.spots(part, wording) for mark in spot.marks}
        return sorted((places[first][0], places[last][1], column) for first, last, column in marks)


def _words(part: Node) -> tuple[Word, ...]:
    return part.words if isinstance(part, Words) else ()


def _pages(text: str) -> Callable[[int], int | None]:
    """The page of a character, from 1 on."""
    if _PAGE_END not in text:
        return lambda place: None
    ends = [end.start() for end in re.finditer(_PAGE_END, text)]
    return lambda place: bisect_right(ends, place) + 1


def _apart(found: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The first ones, none inside another; of those that begin together, the longest."""
    kept: list[tuple[int, int, int]] = []
    for match in sorted(found, key=lambda each: (each[0], -each[1])):
        if not kept or match[0] >= kept[-1][1]:
            kept.append(match)
        if len(kept) == _MAX_MATCHES:
            break
    return kept


def _best(found: list[tuple[int, int, int]]) -> tuple[int, int]:
    """The first and last match of the window with the most different terms, the earliest of equals."""
    best, choice = 0, (0, 0)
    for first, (start, _, _) in enumerate(found):
        last = first
        while last + 1 < len(found) and found[last + 1][1] - start <= _WINDOW:
            last += 1
        different = len({number for _, _, number in found[first : last + 1]})
        if different > best:
            best, choice = different, (first, last)
    return choice


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """The window around these characters, cut at spaces where there are some."""
    room = max(0, _WINDOW - (end - start))
    left = max(0, start - room // 2)
    right = min(len(text), left + _WINDOW)
    if left:
        space = re.compile(r"\s").search(text, left, start)
        left = space.end() if space else left
    if right < len(text):
        cut = max(text.rfind(" ", end, right), text.rfind("\n", end, right))
        right = cut if cut > end else max(right, end)
    return left, max(right, end)
