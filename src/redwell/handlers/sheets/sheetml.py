"""Reads parts of Excel's XML and XLSB workbooks that calamine leaves out, and cells where it fails. Runs in a child."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from xml.parsers import expat

from redwell.core.errors import InvalidFile
from redwell.core.handler import Piece, Text
from redwell.handlers.office.comment_authors import CommentText, people
from redwell.handlers.office.ooxml import main_part
from redwell.handlers.sheets import sheet_binary, sheet_errors
from redwell.handlers.sheets.biff import plain_header
from redwell.handlers.structures.package_parts import part_text
from redwell.handlers.structures.xml_text import CHUNK, XML_ERRORS, Grammar, XmlText, leaves
from redwell.handlers.structures.zip_package import Package

# comments, threaded comments, text boxes and shapes, diagrams and charts
_BESIDE = Grammar(
    text=frozenset({"t", "text"}),
    after={"comment": "\n", "p": "\n", "text": "\n"},
    skip=frozenset({"Fallback", "authors", "rPh"}),
)
_BESIDE_TYPES = ("comments+xml", "threadedcomments+xml", "drawing+xml", "diagramData+xml", "chart+xml")
_STRINGS = Grammar(text=frozenset({"t"}), after={"si": "\x1e"}, skip=frozenset({"rPh"}))
_BINARY_SHEETS = {f"application/vnd.ms-excel.{kind}" for kind in ("worksheet", "macrosheet", "intlmacrosheet")}
_BINARY_STRINGS = "application/vnd.ms-excel.sharedStrings"
_HEADER_FOOTER = re.compile(rb"<(?:\w+:)?(?:odd|even|first)(?:Header|Footer)>([^<]+)<")
_HIDDEN_ROW = re.compile(rb"<(?:\w+:)?row\s[^>]*hidden=\"(?:1|true)\"")
_HIDDEN_COLUMN = re.compile(rb"<(?:\w+:)?col\s[^>]*hidden=\"(?:1|true)\"")
_FORMULA = re.compile(rb"<(?:\w+:)?f[ >]")
# what a sheet says of its own dimensions may be missing or wrong; places near the corner make no large area
_FAR_ROW = re.compile(rb" r=\"(\d{4,7})\"")
_FAR_COLUMN = re.compile(rb" r=\"([A-Z]{2,3})\d")
_NEAR_ROW, _NEAR_COLUMN = 999, 26
_OVERLAP = 4096


@dataclass
class Looks:
    """What a look over the sheets' raw XML met."""

    hidden_rows: bool = False
    hidden_columns: bool = False
    formulas: bool = False
    printed: list[str] = field(default_factory=list)
    largest_area: int = 0
    with_errors: set[str] = field(default_factory=set)  # parts that have cells whose value is an error


def look_over(package: Package) -> Looks:
    """One cheap pass over every sheet: hidden rows, headers and footers, and how far cells are spread."""
    looks = Looks()
    for name, content_type in package.content_types.items():
        if content_type.endswith(("worksheet+xml", "macrosheet+xml", "dialogsheet+xml")):
            _look(package, name, looks)
        elif content_type in _BINARY_SHEETS:
            _look_binary(package.open(name).read(), name, looks)
    return looks


def _look_binary(data: bytes, name: str, looks: Looks) -> None:
    looks.largest_area = max(looks.largest_area, sheet_binary.area(data))
    for kind, start, end in sheet_binary.records(data):
        if kind == sheet_binary.ROW and end - start >= 12:
            looks.hidden_rows = looks.hidden_rows or bool(data[start + 11] & 0x10)
        elif kind == sheet_binary.COLUMN and end - start >= 18:
            looks.hidden_columns = looks.hidden_columns or bool(data[start + 16] & 0x01)
        elif kind in sheet_binary.FORMULAS:
            looks.formulas = True
        if kind in sheet_binary.ERROR_CELLS:
            looks.with_errors.add(name)
        elif kind == sheet_binary.HEADERS:
            looks.printed += filter(None, map(plain_header, sheet_binary.headers(data, start, end)))


def _look(package: Package, name: str, looks: Looks) -> None:
    stream = package.open(name)
    window = b""
    columns, rows = _NEAR_COLUMN, _NEAR_ROW
    while chunk := stream.read(1 << 20):
        window = window[-_OVERLAP:] + chunk
        looks.hidden_rows = looks.hidden_rows or bool(_HIDDEN_ROW.search(window))
        looks.hidden_columns = looks.hidden_columns or bool(_HIDDEN_COLUMN.search(window))
        looks.formulas = looks.formulas or bool(_FORMULA.search(window))
        if sheet_errors.IN_XML in window:
            looks.with_errors.add(name)
        columns = max(columns, *map(_column, set(_FAR_COLUMN.findall(window))), 0)
        rows = max(rows, *map(int, _FAR_ROW.findall(window)), 0)
    looks.largest_area = max(looks.largest_area, rows * columns)
    for text in _HEADER_FOOTER.findall(window):
        looks.printed.append(plain_header(_unescaped(text.decode("utf-8", "replace"))))


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")


def beside(package: Package) -> Iterator[Piece]:
    """Comments, text boxes, shapes, diagrams and chart titles."""
    reader = partial(CommentText, people=people(package))
    for name, content_type in package.content_types.items():
        if content_type.endswith(_BESIDE_TYPES):
            yield from part_text(package, name, _BESIDE, Counter(), reader)
        elif content_type.endswith("ms-excel.comments"):
            yield Text(text="".join(f"{text}\n" for text in sheet_binary.comments(package.open(name).read())))


def has_external_links(package: Package) -> bool:
    return any("externallink" in content_type.lower() for content_type in package.content_types.values())


def has_comments(package: Package) -> bool:
    return any("comments" in content_type.lower() for content_type in package.content_types.values())


@dataclass(frozen=True, slots=True)
class Sheet:
    name: str
    part: str
    hidden: bool


def sheets(package: Package) -> list[Sheet]:
    """The workbook's own list, in its order."""
    main = main_part(package)
    targets = package.relationships(main)
    if main.endswith(".bin"):
        listed = sheet_binary.sheets(package.open(main).read())
        return [Sheet(name, targets.get(key, ("", ""))[1], hidden) for name, key, hidden in listed]
    found = []
    for kind, attributes, _ in leaves(package.open(main)):
        if kind == "sheet":
            part = next((targets[value][1] for value in attributes.values() if value in targets), "")
            found.append(Sheet(attributes.get("name", ""), part, attributes.get("state", "visible") != "visible"))
    return found


def rows(package: Package, sheet: Sheet, strings: list[str]) -> Iterator[list[str]]:
    """A sheet's cells as stored, row by row; for workbooks that calamine refuses, or that are too sparse for it."""
    if sheet.part.endswith(".bin"):
        yield from sheet_binary.rows(package.open(sheet.part).read(), strings)
        return
    reader = _Rows(strings)
    stream = package.open(sheet.part)
    try:
        while chunk := stream.read(CHUNK):
            reader.parser.Parse(chunk, False)
            yield from reader.take()
    except XML_ERRORS as error:
        yield from reader.take()
        raise InvalidFile(f"sheet {sheet.name} is damaged: {error}") from None


def shared_strings(package: Package) -> list[str]:
    """The strings that cells refer to; raises `InvalidFile` where their part is damaged."""
    for name, content_type in package.content_types.items():
        if content_type.endswith("sharedStrings+xml"):
            return "".join(XmlText(_STRINGS).read(package.open(name))).split("\x1e")
        if content_type == _BINARY_STRINGS:
            return sheet_binary.shared_strings(package.open(name).read())
    return []


class _Rows:
    def __init__(self, strings: list[str]) -> None:
        self._strings = strings
        self._done: list[list[str]] = []
        self._row: list[str] = []
        self._kind = ""
        self._value: list[str] | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data

    def take(self) -> list[list[str]]:
        done, self._done = self._done, []
        return done

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if local == "c":
            self._kind = attributes.get("t", "n")
        elif local in ("v", "t"):
            self._value = []

    def _data(self, data: str) -> None:
        if self._value is not None:
            self._value.append(data)

    def _end(self, name: str) -> None:
        local = name.rpartition(":")[2]
        if local in ("v", "t") and self._value is not None:
            self._row.append(self._meaning("".join(self._value)))
            self._value = None
        elif local == "row" and self._row:
            self._done.append(self._row)
            self._row = []

    def _meaning(self, value: str) -> str:
        if self._kind != "s" or not value.isdecimal():
            return value
        index = int(value)
        return self._strings[index] if index < len(self._strings) else ""
