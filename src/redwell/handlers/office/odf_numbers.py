"""Reads a part of an OpenDocument file: numbers before paragraphs, words about pictures behind them. Runs in a child.

Styles of lists lie before the words, some in another part, so one `ListStyles` goes along from part to part.
"""

import re
from dataclasses import dataclass

from redwell.handlers.structures.list_numbers import LEVELS, Counters, Level, Levels, number_in
from redwell.handlers.structures.xml_text import Attributes, Grammar, XmlText

_LISTS = frozenset({"list", "ordered-list", "unordered-list"})
_STYLES = frozenset({"list-style", "outline-style"})
_LEVELS = {
    "list-level-style-number": "",
    "outline-level-style": "",
    "list-level-style-bullet": "bullet",
    "list-level-style-image": "bullet",
}
_KINDS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "": "none"}
_PARTED = re.compile("%([1-9])%")
_OUTLINE = "outline-style"
_COMMENT, _COMMENTED_BY = "annotation", "dc:creator"
_BESIDE_A_COMMENT = frozenset(
    {_COMMENTED_BY, "dc:date", "meta:date-string", "meta:creator-initials", "loext:sender-initials"}
)
_ABOUT_PICTURES = frozenset({"svg:title", "svg:desc"})  # with their prefix, for text:title is a field
_PLACES = _LISTS | {"list-item", "list-header", "p", "h"}
_PREFIXED = {name.rpartition(":")[2] for name in _ABOUT_PICTURES | _BESIDE_A_COMMENT}
_HEARD = _PLACES | _STYLES | _LEVELS.keys() | _PREFIXED | {_COMMENT}


class ListStyles:
    """Styles by name, as far as they have been read; that of headings has the name of its element."""

    def __init__(self) -> None:
        self._levels: dict[str, dict[int, Level]] = {}
        self._open: dict[int, Level] = {}

    def take(self, name: str, told: Attributes) -> None:
        """One element of a style."""
        if name in _STYLES:
            key = _OUTLINE if name == _OUTLINE else told.get("name", "")
            self._open = self._levels.setdefault(key, {})
        else:
            self._open[number_in(told.get("level"), 1) - 1] = _level(told, _LEVELS[name])

    def levels(self, style: str) -> Levels:
        return self._levels.get(style, {})


def _level(told: Attributes, kind: str) -> Level:
    number = told.get("num-format", "")
    shown = number_in(told.get("display-levels"), 1)
    at = min(number_in(told.get("level"), 1), LEVELS)
    numbers = ".".join(f"%{place}" for place in range(max(1, at - shown + 1), at + 1))
    text = told.get("num-prefix", "") + numbers + told.get("num-suffix", "")
    return Level(
        kind=kind or _KINDS.get(number, "decimal"),
        text=_PARTED.sub(r"%\1", told.get("num-list-format") or text) if number else "",
        start=number_in(told.get("start-value"), 1),
    )


@dataclass
class _OpenList:
    style: str
    counters: Counters
    numbered: bool = False  # whether the next paragraph is the first of its item


class OdfText(XmlText):
    """One part's text, headings and items of lists behind their numbers."""

    def __init__(self, grammar: Grammar, styles: ListStyles) -> None:
        super().__init__(grammar)
        self._styles = styles
        self._headings = Counters()
        self._stories: list[list[_OpenList]] = [[]]  # lists open in the text, and in what stands apart at this place
        self._in_comment = False
        self.heard = _HEARD | grammar.aside.keys()
        self._known: dict[str, Counters] = {}  # lists that may be continued, by id and by style

    def _hear(self, name: str, attributes: Attributes, full_name: str) -> None:
        told = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        if name in _STYLES or name in _LEVELS:
            self._styles.take(name, told)
        elif self._skip:
            return
        elif full_name in _ABOUT_PICTURES or (self._in_comment and full_name in _BESIDE_A_COMMENT):
            self._outer.append((self._out, self._lines))
            self._out, self._lines, self._is_prompt = [], 0, False
            self._text += 1
        elif name in self._grammar.aside:
            self._stories.append([])
        elif name in _PLACES:
            self._place_in_list(name, told)
        self._in_comment = self._in_comment or name == _COMMENT

    def _place_in_list(self, name: str, told: Attributes) -> None:
        lists = self._stories[-1]
        if name in _LISTS:
            lists.append(self._opened(lists, told))
        elif name in ("list-item", "list-header") and lists:
            lists[-1].numbered = name == "list-item"
            if "start-value" in told:
                lists[-1].counters.restart(len(lists) - 1, number_in(told["start-value"], 1))
        elif lists and lists[-1].numbered:
            lists[-1].numbered = False
            self._out.append(lists[-1].counters.label(self._styles.levels(lists[-1].style), len(lists) - 1))
        elif name == "h" and not lists and not self._outer and told.get("is-list-header") != "true":
            level = number_in(told.get("outline-level"), 1) - 1
            self._out.append(self._headings.label(self._styles.levels(_OUTLINE), level))

    def _opened(self, lists: list[_OpenList], told: Attributes) -> _OpenList:
        if lists:
            return _OpenList(told.get("style-name", lists[-1].style), lists[-1].counters)
        style = told.get("style-name", "")
        before = style if told.get("continue-numbering") == "true" else told.get("continue-list", "")
        counters = self._known.get(before) or Counters()
        self._known[style] = self._known[told.get("id", style)] = counters
        return _OpenList(style, counters)

    def _hear_end(self, name: str, full_name: str) -> None:
        if self._skip:
            return
        if full_name in _ABOUT_PICTURES:
            self._text -= 1
            self._close_aside("")
        elif self._in_comment and full_name in _BESIDE_A_COMMENT:
            self._text -= 1
            said = "".join(self._out)
            self._out, self._lines = self._outer.pop()
            self._out += [f"{said}: "] if said and full_name == _COMMENTED_BY else []
        elif name in _LISTS and self._stories[-1]:
            self._stories[-1].pop()
        elif name in self._grammar.aside and len(self._stories) > 1:
            self._stories.pop()
        self._in_comment = self._in_comment and name != _COMMENT
