"""Where the words of a query stand in a text, and the passage that shows best why it was found. Pure.

An index says which exhibits are hits; this says where, by the same rules for every index.
"""

import re
from dataclasses import dataclass

from redwell.core.search.alignment import aligned
from redwell.core.search.query import Node, Words, visible_words
from redwell.core.search.words import BETWEEN, ENDS, LETTER, STARTS, cleaned, unspaced

_WINDOW = 160
_MAX_TERMS = 50
_MAX_MATCHES = 200
_MAX_CHARS = 1_000_000


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a text, from `start` up to `end`, that fit what stands in `column` of the query."""

    start: int
    end: int
    column: int


class Matches:
    """Made once per query, asked once per hit."""

    def __init__(self, query: Node) -> None:
        terms = {_pattern(term): term.column for term in reversed(list(visible_words(query)))}
        self._terms = [(re.compile(pattern, re.IGNORECASE), column) for pattern, column in terms.items()]
        patterns = [f"({pattern})" for pattern in reversed(terms)][:_MAX_TERMS]
        self._any = re.compile("|".join(patterns), re.IGNORECASE) if patterns else None

    def spans(self, text: str) -> list[Span]:
        """All of them, by where they begin; those of different terms may overlap."""
        alignment = aligned(text)
        return sorted(
            (
                Span(*alignment.span(*match.span()), column)
                for pattern, column in self._terms
                for match in pattern.finditer(alignment.text)
            ),
            key=lambda span: (span.start, span.end, span.column),
        )

    def snippet(self, text: str) -> str:
        """About 160 characters on one line, matches between [[ and ]]; the start where nothing matches."""
        text = cleaned(text[:_MAX_CHARS])
        found = self._found(text)
        first, last = _best(found)
        start, end = _widened(text, *((found[first][0], found[last][1]) if found else (0, 0)))
        shown, position = [], start
        for begin, stop, _ in found:
            if start <= begin and stop <= end:
                shown += [text[position:begin], "[[", text[begin:stop], "]]"]
                position = stop
        shown.append(text[position:end])
        line = " ".join("".join(shown).split())
        return ("… " if text[:start].strip() else "") + line + (" …" if text[end:].strip() else "")

    def _found(self, text: str) -> list[tuple[int, int, int]]:
        """Start, end and number of the term of each match, none inside another."""
        if self._any is None:
            return []
        found = zip(self._any.finditer(text), range(_MAX_MATCHES), strict=False)
        return [(*match.span(), match.lastindex or 0) for match, _ in found]


def _pattern(term: Words) -> str:
    words = term.words
    gaps = (f"{BETWEEN}*" if unspaced.match(word) else f"{BETWEEN}+" for word in words[1:])
    pattern = words[0] + "".join(gap + word for gap, word in zip(gaps, words[1:], strict=True))
    before = "" if unspaced.match(words[0]) else STARTS
    if unspaced.match(words[-1]):
        return before + pattern
    return before + pattern + (f"{LETTER}*" if term.prefix else ENDS)


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
