"""Counts the paragraphs of numbered lists and headings as word processors do, and writes their numbers.

Called by the readers of Word and OpenDocument texts, in a child: there a number is no text but a style and a place.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

LEVELS = 10
_PLACE = re.compile("%([1-9])")
_LONGEST = 255  # of a level's wording; it is repeated in every paragraph
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How one level of a list is numbered; `text` has the place of level n's number as `%n`."""

    kind: str = "decimal"
    text: str = ""
    start: int = 1
    restarts_after: int = LEVELS  # it begins anew behind levels above this one; 0: never
    legal: bool = False  # all its numbers are Arabic
    end: str = " "


Levels = Mapping[int, Level]


class Counters:
    """The numbers of one list, as far as they have been counted."""

    def __init__(self) -> None:
        self._counted: dict[int, int] = {}

    def restart(self, level: int, value: int) -> None:
        """The next paragraph of this level has this number."""
        self._counted[level] = value - 1

    def label(self, levels: Levels, at: int) -> str:
        """What stands before the next paragraph of this level; empty for bullets and unknown levels."""
        if at not in levels or not 0 <= at < LEVELS:
            return ""
        for below in [level for level in self._counted if level > at]:
            if at < levels.get(below, Level()).restarts_after:
                del self._counted[below]
        for above in range(at):  # a level that was left out counts as begun
            self._counted.setdefault(above, levels.get(above, Level()).start)
        self._counted[at] = self._counted.get(at, levels[at].start - 1) + 1
        return self._written(levels, levels[at])

    def _written(self, levels: Levels, level: Level) -> str:
        if level.kind == "bullet":
            return ""

        def number(place: re.Match[str]) -> str:
            which = int(place[1]) - 1
            kind = "decimal" if level.legal else levels.get(which, Level()).kind
            return written(self._counted.get(which, 1), kind)

        text = _PLACE.sub(number, level.text[:_LONGEST]).strip()
        return text + level.end if text else ""


def number_in(attribute: str | None, otherwise: int = 0) -> int:
    """The number that an attribute holds; one that nobody could count to is none."""
    return int(attribute) if attribute and attribute.isdecimal() and len(attribute) < 9 else otherwise


def written(number: int, kind: str) -> str:
    """The number in the kind of numerals that Word calls so; in Arabic ones where there is no such numeral."""
    if kind == "none":
        return ""
    return _NUMERALS.get(kind, str)(number)


def _letters(number: int) -> str:
    """a to z, then aa, bb and so on."""
    if not 0 < number <= 26 * 9:
        return str(number)
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def _roman(number: int) -> str:
    if not 0 < number < 4000:
        return str(number)
    out = ""
    for value, sign in _ROMAN:
        out += sign * (number // value)
        number %= value
    return out


def _ordinal(number: int) -> str:
    return f"{number}{'th' if number % 100 in (11, 12, 13) else _ENDINGS.get(number % 10, 'th')}"


_NUMERALS: Mapping[str, Callable[[int], str]] = {
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "decimalZero": lambda number: f"{number:02d}",
    "ordinal": _ordinal,
}
