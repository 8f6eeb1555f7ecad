"""Puts the runs of glyphs that an XPS page draws together into lines. Called by the reader of drawn pages in a child.

A printer driver parts a line wherever the font changes, and some do so at every word or letter.
"""

import math
from dataclasses import dataclass
from typing import Self

from redwell.handlers.structures.xml_text import Attributes, Grammar, XmlText

_USUAL_WIDTH = 0.5  # of a letter whose width only its font knows; this and the others are shares of the font's size
_BLANK_FROM = 0.15
_SAME_LINE = 0.3
_OVER = 1.0  # two runs that lie over one another are a shadow, or are moved elsewhere
_GUESSED_WELL = 4  # letters; the end of a longer run without widths is anyone's guess
_ESCAPE = "{}"


@dataclass(frozen=True, slots=True)
class _Run:
    text: str
    line: float
    left: float
    right: float
    size: float
    is_exact: bool

    @classmethod
    def of(cls, attributes: Attributes) -> Self:
        text = attributes.get("UnicodeString", "").removeprefix(_ESCAPE)
        size, x = _number(attributes, "FontRenderingEmSize"), _number(attributes, "OriginX")
        widths = _widths(attributes.get("Indices", ""))
        told = [width for width in widths if width is not None]
        width = size * (sum(told) + max(0, max(len(text), len(widths)) - len(told)) * _USUAL_WIDTH)
        leftwards = _number(attributes, "BidiLevel") % 2 == 1
        left, right = (x - width, x) if leftwards else (x, x + width)
        is_exact = len(told) >= len(text) or len(text) <= _GUESSED_WELL
        return cls(text, _number(attributes, "OriginY"), left, right, size, is_exact)

    def before(self, other: Self) -> str:
        """What stands between this run and the next one."""
        if abs(self.line - other.line) > _SAME_LINE * max(self.size, other.size):
            return "\n"
        gap = max(other.left - self.right, self.left - other.right)
        if gap < -_OVER * min(self.size, other.size):
            return "\n"
        if self.text.endswith(" ") or other.text.startswith(" "):
            return ""
        return " " if gap > _BLANK_FROM * other.size or not self.is_exact else ""


class GlyphText(XmlText):
    """The text of one page."""

    heard = frozenset({"Glyphs", "Canvas"})

    def __init__(self, grammar: Grammar) -> None:
        super().__init__(grammar)
        self._last: _Run | None = None
        self._line_end = ""

    def _hear(self, name: str, attributes: Attributes, full_name: str) -> None:
        if name == "Canvas":
            self._last = None  # it counts places from a corner of its own
            return
        run = _Run.of(attributes)
        if run.text:
            self._out += [self._last.before(run) if self._last else self._line_end, run.text]
            self._last, self._line_end = run, "\n"

    def _hear_end(self, name: str, full_name: str) -> None:
        if name == "Canvas":
            self._last = None


def _widths(indices: str) -> list[float | None]:
    """How wide letters are, None where only the font knows: an entry is a glyph, its width in hundredths, its shift."""
    entries = [entry.split(",") for entry in indices.split(";")] if indices else []
    return [_finite(told[1]) / 100 if len(told) > 1 and told[1] else None for told in entries]


def _number(attributes: Attributes, name: str) -> float:
    return _finite(attributes.get(name, "0"))


def _finite(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) else 0.0
