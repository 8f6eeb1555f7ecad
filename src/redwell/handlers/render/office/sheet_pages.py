"""A spreadsheet laid out to be read on paper: nothing hidden, nothing cut, with grid and headings. Called in a child.

LibreOffice writes a spreadsheet as one flat file of XML, a tag a line. It is rewritten line by line, so that a sheet of
any size takes little memory: sheets, rows and columns are shown, print areas are gone, and each sheet has a page style
that fits it to the paper's width, or to several beside each other where it would be too small to read.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_TAG = re.compile(r"\s*<(/?[a-z]+:[a-z-]+)")
_ATTRIBUTE = '{}="([^"]*)"'
_STYLE_NAME = re.compile(_ATTRIBUTE.format("style:name"))
_COLUMN_STYLE = re.compile(_ATTRIBUTE.format("table:style-name"))
_REPEATED = re.compile(r' ?table:number-columns-repeated="(\d+)"')
_ROWS_REPEATED = re.compile(r' ?table:number-rows-repeated="(\d+)"')
_WIDTH = re.compile(r'style:column-width="([\d.]+)(in|cm|mm|pt)"')
_HIDING = re.compile(
    r' (?:table:visibility|table:print-ranges|table:print|table:display|table:formula|table:protected)="[^"]*"'
)
_FILLED = re.compile(r'office:value-type="|(?<!/)>\s*$')
_TABLE_STYLE = re.compile(r' table:style-name="[^"]*"')
_INCHES = {"in": 1, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72}
_HEADINGS_INCHES = 0.6  # those of the rows
_PAPER_INCHES = 10.6  # between the margins of A4 on its side
_SMALLEST = 0.5  # print is made no smaller than that; a wider sheet goes on beside
_USUAL_WIDTH = 0.889
_CHAR_INCHES, _MOST_CHARS = 0.08, 50  # a longer text may go on in the next cells, or is broken
_SPANNED = "table:number-columns-spanned="
_MARKUP = re.compile(r"<[^<>]*>")
_ROWS_A_PAGE = 90
_PLAIN = ("table:table-row", "table:table-column", "table:table-cell", "table:covered-table-cell",
          "table:table-column-group", "table:table-row-group")  # fmt: skip
_OBJECTS = ("draw:object", "draw:object-ole")
_OBJECT_ENDS = tuple(f"/{name}" for name in _OBJECTS)
_CHART = "opendocument.chart"
_FIRST_LINES = 4
_STYLES = """<style:page-layout style:name="redwell-layout-{percent}"><style:page-layout-properties
 fo:page-width="11.69in" fo:page-height="8.27in" style:print-orientation="landscape" fo:margin-top="0.4in"
 fo:margin-bottom="0.4in" fo:margin-left="0.5in" fo:margin-right="0.5in" style:print-page-order="ltr"
 style:scale-to="{percent}%"
 style:print="annotations charts drawings grid headers objects zero-values"/>
<style:header-style><style:header-footer-properties fo:min-height="0.25in" fo:margin-bottom="0.1in"/>
</style:header-style><style:footer-style>
<style:header-footer-properties fo:min-height="0.25in" fo:margin-top="0.1in"/></style:footer-style>
</style:page-layout>
<style:style style:name="redwell-table-{percent}" style:family="table"
 style:master-page-name="redwell-page-{percent}"><style:table-properties table:display="true"/></style:style>
"""
_MASTER = """<style:master-page style:name="redwell-page-{percent}" style:page-layout-name="redwell-layout-{percent}">
<style:header><text:p><text:sheet-name>???</text:sheet-name></text:p></style:header>
<style:footer><text:p><text:page-number>1</text:page-number></text:p></style:footer></style:master-page>
"""
_COLUMN = """<style:style style:name="redwell-column-{tenths}" style:family="table-column">
<style:table-column-properties style:column-width="{width}in"/></style:style>
"""
_INJECTED = {"/office:automatic-styles": _STYLES, "/office:master-styles": _MASTER}


@dataclass(slots=True)
class _Sheet:
    columns: list[tuple[str, int]] = field(default_factory=list)  # style, and how many have it
    used: int = 0  # columns with something in them
    chars: dict[int, int] = field(default_factory=dict)  # the longest text of a column, by its number

    def widths(self, known: dict[str, float]) -> list[float]:
        """Inches of each used column: as it is, and as wide as what stands in it."""
        found: list[float] = []
        for style, count in self.columns:
            for _ in range(min(count, self.used - len(found))):
                needed = min(_MOST_CHARS, self.chars.get(len(found) + 1, 0)) * _CHAR_INCHES + _CHAR_INCHES
                found.append(max(known.get(style, _USUAL_WIDTH), needed if needed > _CHAR_INCHES else 0))
        return found


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a sheet is to be laid out."""

    percent: int  # of its size
    tenths: list[int]  # of an inch, for each used column


def _plan(sheet: _Sheet, known: dict[str, float]) -> _Plan:
    widths = sheet.widths(known)
    tenths = [math.ceil(width * 10) for width in widths]
    inches = sum(tenths) / 10 + _HEADINGS_INCHES
    across = math.ceil(inches * _SMALLEST / _PAPER_INCHES)
    return _Plan(min(100, math.floor(99 * _PAPER_INCHES * across / inches)), tenths)


@dataclass(slots=True)
class Laid:
    """What was found: rows that were left out, and whether there is anything to show."""

    rows_left_out: int = 0
    is_empty: bool = True


def lay_out(flat: Path, target: Path, most_pages: int) -> Laid:
    """Write the spreadsheet anew; with so many rows as may fill that many pages."""
    with flat.open(encoding="utf-8", errors="replace") as lines:
        sheets, known = _measured(lines)
    plans = [_plan(sheet, known) for sheet in sheets]
    laid = Laid(is_empty=not any(sheet.used for sheet in sheets))
    with flat.open(encoding="utf-8", errors="replace") as lines, target.open("w", encoding="utf-8") as out:
        out.writelines(_rewritten(_without_objects(lines), plans, most_pages * _ROWS_A_PAGE, laid))
    return laid


def _measured(lines: Iterable[str]) -> tuple[list[_Sheet], dict[str, float]]:
    """The sheets in order, and the widths of column styles."""
    widths: dict[str, float] = {}
    sheets: list[_Sheet] = []
    style, column, is_spanned = "", 0, False
    for tag, line in _own(lines):
        match tag:
            case "style:style":
                style = _found(_STYLE_NAME, line)
            case "style:table-column-properties":
                if width := _WIDTH.search(line):
                    widths[style] = float(width[1]) * _INCHES[width[2]]
            case "table:table":
                sheets.append(_Sheet())
            case "table:table-column":
                sheets[-1].columns.append((_found(_COLUMN_STYLE, line), _count(_REPEATED, line)))
            case "table:table-row":
                column = 0
            case "table:table-cell" | "table:covered-table-cell" if sheets:
                column, is_spanned = column + _count(_REPEATED, line), _SPANNED in line
                if _FILLED.search(line):
                    sheets[-1].used = max(sheets[-1].used, column)
            case "text:p" if sheets and column and not is_spanned:
                chars = sheets[-1].chars
                chars[column] = max(chars.get(column, 0), len(_MARKUP.sub("", line).strip()))
            case "draw:frame" | "draw:g" | "draw:custom-shape" if sheets:
                sheets[-1].used = max(sheets[-1].used, 1)
    return sheets, widths


def _rewritten(lines: Iterable[str], plans: list[_Plan], most_rows: int, laid: Laid) -> Iterator[str]:
    number, column, rows, is_left_out = -1, 0, 0, False
    for tag, line in _own(lines):
        if tag == "table:table-row":
            rows += _rows(line)
            is_left_out = rows > most_rows
            laid.rows_left_out += is_left_out
        if is_left_out:
            is_left_out = not (tag == "/table:table-row" or (tag == "table:table-row" and line.rstrip().endswith("/>")))
            continue
        if tag in _INJECTED:
            yield from _injected(tag, plans)
        if tag == "table:table":
            number, column = number + 1, 0
            line = _TABLE_STYLE.sub("", _HIDING.sub("", line), count=1)
            style = f'<table:table table:style-name="redwell-table-{plans[number].percent}"'
            line = line.replace("<table:table", style, 1)
        elif tag == "table:table-column":
            yield from _columns(_HIDING.sub("", line), plans[number].tenths[column:])
            column += _count(_REPEATED, line)
            continue
        elif tag in _PLAIN:
            line = _HIDING.sub("", line)
        yield line


def _injected(tag: str, plans: list[_Plan]) -> Iterator[str]:
    yield from (_INJECTED[tag].format(percent=percent) for percent in sorted({plan.percent for plan in plans}))
    if tag == "/office:automatic-styles":
        yield from (
            _COLUMN.format(tenths=each, width=each / 10) for each in sorted({t for p in plans for t in p.tenths})
        )


def _columns(line: str, tenths: list[int]) -> Iterator[str]:
    """A line for each used column with a width of its own, and one for the rest of those that it stands for."""
    count = _count(_REPEATED, line)
    bare = _TABLE_STYLE.sub("", _REPEATED.sub("", line), count=1)
    for each in tenths[:count]:
        yield bare.replace("<table:table-column", f'<table:table-column table:style-name="redwell-column-{each}"', 1)
    if (left := count - len(tenths[:count])) > 0:
        style = _found(_COLUMN_STYLE, line)
        named = f' table:style-name="{style}"' if style else ""
        repeated = f'<table:table-column{named} table:number-columns-repeated="{left}"'
        yield bare.replace("<table:table-column", repeated, 1)


def _rows(line: str) -> int:
    """Many repeated rows are empty ones below a table, which are not printed."""
    repeated = _count(_ROWS_REPEATED, line)
    return repeated if repeated < 1000 else 1


def _without_objects(lines: Iterable[str]) -> Iterator[str]:
    """Without documents inside, but for charts: LibreOffice dies of some, and a picture of each stands beside it."""
    held: list[str] = []  # the first lines of an object, until it is known what it is
    is_dropped = False
    for tag, line in _own(lines):
        if not held and tag in _OBJECTS and not line.rstrip().endswith("/>"):
            held, is_dropped = [line], False
        elif not held:
            yield line
        elif tag in _OBJECT_ENDS:
            held = []
            yield line.partition(">")[2]
        elif not is_dropped and _CHART in line:
            yield from (*held, line)
            held = []
        elif not is_dropped:
            held.append(line)
            is_dropped = _tag(line) == "office:document" or len(held) > _FIRST_LINES


def _own(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each line with its tag; those of documents inside the spreadsheet have none."""
    depth = 0
    for line in lines:
        tag = _tag(line)
        depth += (tag == "office:document") - (tag == "/office:document")
        yield (tag if depth == 1 else ""), line


def _tag(line: str) -> str:
    found = _TAG.match(line)
    return found[1] if found else ""


def _found(pattern: "re.Pattern[str]", line: str) -> str:
    found = pattern.search(line)
    return found[1] if found else ""


def _count(pattern: "re.Pattern[str]", line: str) -> int:
    return int(_found(pattern, line) or 1)
