"""Which characters of a text became which of its cleaned form, and the way back. Pure."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from redwell.core.search.words import cleaned, invisible

_pieces = re.compile(r"[ \t\n\r]+|[^ \t\n\r]+")
_joined = re.compile("[\u1160-\u11ff\uff9e\uff9f]")  # vowels of Hangul, voice marks


@dataclass(slots=True)
class Alignment:
    """Pieces that were changed by cleaning: from where to where they go in both texts."""

    text: str  # cleaned
    _starts: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)
    _origins: list[tuple[int, int]] = field(default_factory=list)

    def add(self, start: int, end: int, origin: tuple[int, int]) -> None:
        self._starts.append(start)
        self._ends.append(end)
        self._origins.append(origin)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the original that these were; a changed piece is taken whole."""
        return self._original(start, bisect_right(self._starts, start), 0), self._original(
            end, bisect_left(self._starts, end), 1
        )

    def _original(self, place: int, following: int, side: int) -> int:
        if not following:
            return place
        end, origin = self._ends[following - 1], self._origins[following - 1]
        return origin[1] + place - end if place >= end else origin[side]


def aligned(text: str) -> Alignment:
    """The text as words are looked for in it, and the way back."""
    alignment = Alignment(cleaned(text))
    if alignment.text == text:
        return alignment
    place = origin = 0
    for before, after in _changes(text):
        if before != after:
            alignment.add(place, place + len(after), (origin, origin + len(before)))
        place += len(after)
        origin += len(before)
    return alignment


def _changes(text: str) -> Iterator[tuple[str, str]]:
    """Pieces of a text and what each became, as small as they can be told apart."""
    for piece in _pieces.findall(text):
        after = cleaned(piece)
        if after == piece:
            yield piece, piece
            continue
        letters = [(letter, cleaned(letter)) for letter in _letters(piece)]
        yield from letters if "".join(clean for _, clean in letters) == after else [(piece, after)]


def _letters(piece: str) -> Iterator[str]:
    """Each with what joins it: accents, vowel signs, what cannot be seen."""
    start = 0
    for place, char in enumerate(piece):
        if place > start and not (unicodedata.category(char)[0] == "M" or _joined.match(char) or invisible.match(char)):
            yield piece[start:place]
            start = place
    yield piece[start:]
