"""OpenDVT 1.4: a transcript as XML, each line with its page, number and time. Pure.

Declared entities are refused. Blank lines are lines, and blanks at their beginning are kept.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.parsers import expat

from redwell.core.errors import InvalidFile

_DEEPEST = 32
_LINE = frozenset({"PageNo", "LineNo", "QA", "Text"})
_TOLD = frozenset(
    {
        "FirstName",
        "LastName",
        "MatterNumber",
        "Name",
        "FirstPageNo",
        "LastPageNo",
        "Volume",
        "TakenOn",
        "MaxLinesPerPage",
    }
)


class DvtLine(NamedTuple):
    page: int
    line: int
    speaker: str
    text: str


@dataclass(slots=True)
class DvtTranscript:
    lines: list[DvtLine] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=dict)  # elements of Information
    declared: int | None = None  # lines, by its own count
    streams: int = 0


def read_dvt(chunks: Iterable[bytes]) -> DvtTranscript:
    reader = _Reader()
    try:
        for chunk in chunks:
            reader.parser.Parse(chunk, False)
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise InvalidFile(f"line {error.lineno:,}: {expat.ErrorString(error.code)}") from None
    except (LookupError, ValueError) as error:  # of the encoding that it declares
        raise InvalidFile(f"line 1: {error}") from None
    return reader.found


class _Reader:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._refuse
        self.parser.buffer_text = True
        self.found = DvtTranscript()
        self._path: list[str] = []
        self._held: list[str] = []
        self._line: dict[str, str] = {}

    def _refuse(self, *_told: object) -> None:
        raise InvalidFile("it declares entities of its own")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        self._held.clear()
        if len(self._path) > _DEEPEST:
            raise InvalidFile(f"elements lie deeper than {_DEEPEST}")
        if name == "Lines" and attributes.get("Count", "").isdecimal():
            self.found.declared = int(attributes["Count"][:9])
        self.found.streams += name == "Stream"

    def _characters(self, text: str) -> None:
        self._held.append(text)

    def _end(self, name: str) -> None:
        self._path.pop()
        text = "".join(self._held)
        self._held.clear()
        inside = self._path[-1] if self._path else ""
        if name == "Line":
            self._finished()
        elif inside == "Line" and name in _LINE:
            self._line[name] = text
        elif "Information" in self._path and name in _TOLD:
            self.found.told.setdefault(name, text.strip())

    def _finished(self) -> None:
        page, line = self._line.get("PageNo", "").strip(), self._line.get("LineNo", "").strip()
        if page.isdecimal() and line.isdecimal():
            speaker, text = self._line.get("QA", "-").strip(), self._line.get("Text", "").strip("\r\n")
            self.found.lines.append(DvtLine(int(page[:9]), int(line[:9]), speaker, text))
        self._line = {}


def as_text(lines: Iterable[DvtLine]) -> str:
    """Page and line before each line, as `core.transcripts.layout` reads them; the words as they are."""
    return "".join(f"{each.page:05}:{each.line:02} {each.text}\n" for each in lines)
