"""Text out of XML, streamed and flat in memory. Called by the readers of zipped XML formats, in a child.

expat is used rather than a tree: it fetches nothing, caps entity expansion, and whatever stood before a
damage has already been handed out. Names are compared without prefix, so that transitional and strict
OOXML, old and new ODF are one grammar each.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from xml.parsers import expat

from redwell.core.errors import InvalidFile

CHUNK = 1 << 16
XML_ERRORS = (expat.ExpatError, LookupError, ValueError)  # the latter two for encodings that do not exist
_OFF = {"0", "false", "off", "none"}
Attributes = Mapping[str, str]


class Readable(Protocol):
    """Bytes in order; more is not asked of a part."""

    def read(self, size: int = -1, /) -> bytes: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Which elements of a vocabulary carry text, and how they sit on the page."""

    text: frozenset[str]  # character data inside these counts
    after: Mapping[str, str] = field(default_factory=dict)  # what the end of an element adds
    cells: frozenset[str] = frozenset()  # their end is a tab, on the line of the row
    skip: frozenset[str] = frozenset()  # nothing inside these counts
    aside: Mapping[str, str] = field(default_factory=dict)  # read apart, placed behind the paragraph; value: a label
    prompt: frozenset[str] = frozenset()  # whatever is read apart and holds one of these does not count
    notice: frozenset[str] = frozenset()  # elements whose mere presence is a fact
    label: Mapping[str, str] = field(default_factory=dict)  # element: the attribute said before its text
    said: Mapping[str, str] = field(default_factory=dict)  # element: the attribute that is its text
    within: frozenset[str] = frozenset()  # when given, only text inside these counts
    collapse: bool = False  # white space in character data is one blank, as ODF says


class XmlText:
    """One part's text, fed in chunks and taken out in chunks; `noticed` fills on the way.

    A subclass that reads more out of a vocabulary names the elements it wants to be told of.
    """

    heard: frozenset[str] = frozenset()

    def __init__(self, grammar: Grammar) -> None:
        self.noticed: Counter[str] = Counter()
        self._grammar = grammar
        self._out: list[str] = []
        self._outer: list[tuple[list[str], int]] = []  # the text around an aside, and its open lines
        self._behind: list[str] = []
        self._skip = self._text = self._inside = self._lines = 0
        self._is_prompt = False
        self._line_names = {name for name, end in grammar.after.items() if end == "\n"}
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._data

    def read(self, stream: Readable) -> Iterator[str]:
        """The text in runs; raises `InvalidFile` behind what could be read."""
        chunk = b"more"
        while chunk:
            chunk = stream.read(CHUNK)
            try:
                self._parser.Parse(chunk, not chunk)
            except XML_ERRORS as error:
                yield self._rest()
                raise InvalidFile(f"the XML is damaged: {error}") from None
            if not self._outer and self._out:
                yield self._take()
        yield self._rest()

    def _take(self) -> str:
        text = "".join(self._out)
        self._out.clear()
        return text

    def _rest(self) -> str:
        for outer, _ in reversed(self._outer):
            self._behind.append(self._take())
            self._out = outer
        self._outer.clear()
        self._out += ["\n", *self._behind] if self._behind else []
        return self._take()

    def _hear(self, name: str, attributes: Attributes, full_name: str) -> None:
        """An element of `heard` begins; `_skip` is that of what is around it."""

    def _hear_end(self, name: str, full_name: str) -> None:
        """An element of `heard` ends; `_skip` counts it if it is left out."""

    def _start(self, full_name: str, attributes: Attributes) -> None:
        name = full_name.rpartition(":")[2]
        grammar = self._grammar
        if name in self.heard:
            self._hear(name, attributes, full_name)
        if name in grammar.notice and not _switched_off(attributes):
            self.noticed[name] += 1
        if self._skip or name in grammar.skip:
            self._skip += 1
            return
        if name in grammar.within:
            self._inside += 1
        if name in grammar.aside:
            self._outer.append((self._out, self._lines))
            self._out, self._lines, self._is_prompt = [grammar.aside[name]], 0, False
        self._is_prompt = self._is_prompt or name in grammar.prompt
        self._lines += name in self._line_names
        if name in grammar.text:
            self._text += 1
        if name in grammar.label:
            self._say(attributes, grammar.label[name], ": ")
        if name in grammar.said:
            self._say(attributes, grammar.said[name], "")

    def _say(self, attributes: Attributes, wanted: str, end: str) -> None:
        for key, value in attributes.items():
            if key.rpartition(":")[2] == wanted and value:
                self._out.append(value + end)

    def _end(self, full_name: str) -> None:
        name = full_name.rpartition(":")[2]
        if name in self.heard:
            self._hear_end(name, full_name)
        if self._skip:
            self._skip -= 1
            return
        grammar = self._grammar
        if name in grammar.text:
            self._text -= 1
        if self._inside or not grammar.within:
            self._place(name)
        if name in grammar.within:
            self._inside -= 1
        if name in grammar.aside:
            self._close_aside(grammar.aside[name])
        elif name in self._line_names:
            self._lines -= 1
            if self._behind and not self._outer:
                self._out += self._behind
                self._behind.clear()

    def _place(self, name: str) -> None:
        """What the end of an element adds; a cell's last paragraph ends with the cell, on the row's line."""
        if name in self._grammar.after:
            self._out.append(self._grammar.after[name])
        elif name in self._grammar.cells:
            if self._out and self._out[-1] == "\n":
                self._out.pop()
            self._out.append("\t")

    def _close_aside(self, label: str) -> None:
        text = "".join(self._out)
        self._out, self._lines = self._outer.pop()
        if text.removeprefix(label).strip() and not self._is_prompt:
            text = f"{text.rstrip()}]\n" if label else f"{text.rstrip()}\n"
            (self._behind if self._lines or self._outer else self._out).append(text)

    def _data(self, data: str) -> None:
        if self._text and not self._skip and (self._inside or not self._grammar.within):
            if self._grammar.collapse:
                blank = data[:1].isspace(), data[-1:].isspace()
                data = " " * blank[0] + " ".join(data.split()) + " " * (blank[1] and not data.isspace())
            self._out.append(data)


def _switched_off(attributes: Attributes) -> bool:
    return any(key.rpartition(":")[2] == "val" and value in _OFF for key, value in attributes.items())


def well_formed(stream: Readable) -> bool:
    try:
        expat.ParserCreate().ParseFile(stream)
    except XML_ERRORS:
        return False
    return True


Leaf = tuple[str, dict[str, str], str]  # name, attributes, the element's own text


def leaves(stream: Readable, until: str = "", most: int = 1_000_000) -> list[Leaf]:
    """Every element, in the order of their ends; for small parts only.

    Attributes are found with and without their prefix. The element named `until`, or `most` elements, end the reading.
    """
    listing = _Listing(until, most)
    try:
        listing.parser.ParseFile(stream)
    except _Enough:
        return listing.found
    except XML_ERRORS as error:
        raise InvalidFile(f"the XML is damaged: {error}") from None
    return listing.found


class _Enough(Exception):
    """What was wanted has been read."""


class _Listing:
    def __init__(self, until: str, most: int) -> None:
        self.found: list[Leaf] = []
        self._open: list[tuple[str, dict[str, str], list[str]]] = []
        self._until, self._most = until, most
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        self._open.append((name.rpartition(":")[2], local | attributes, []))

    def _data(self, text: str) -> None:
        if self._open:
            self._open[-1][2].append(text)

    def _end(self, _: str) -> None:
        name, attributes, text = self._open.pop()
        self.found.append((name, attributes, "".join(text).strip()))
        if name == self._until or len(self.found) >= self._most:
            raise _Enough
