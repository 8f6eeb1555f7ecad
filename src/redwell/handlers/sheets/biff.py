"""Walks the records of Excel's binary workbooks (BIFF 2 to 8) for what calamine leaves out. Runs in a child.

That is headers, footers, text boxes, comments, charts and hidden rows of newer ones, and the cells of those before
Excel 5.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from redwell.handlers.office.biff_records import records

_BOF_KINDS = {0x0009: 2, 0x0209: 3, 0x0409: 4, 0x0809: 8}
_HEADER, _FOOTER, _NOTE, _TEXT_BOX, _CONTINUE, _FILEPASS = 0x14, 0x15, 0x1C, 0x01B6, 0x3C, 0x2F
_COLUMN, _ROW, _CODEPAGE, _CHART_TEXT = 0x7D, 0x0208, 0x42, 0x100D
_LABELS, _NUMBERS, _RK, _INTEGER, FORMULAS, _STRINGS = (
    {0x04, 0x0204, 0xD6},
    {0x03, 0x0203},
    0x027E,
    0x02,
    {0x06, 0x0206, 0x0406},
    {0x07, 0x0207},
)
ERRORS = {
    0: "#NULL!",
    7: "#DIV/0!",
    15: "#VALUE!",
    23: "#REF!",
    29: "#NAME?",
    36: "#NUM!",
    42: "#N/A",
    43: "#GETTING_DATA",
}
_PRINT_CODES = re.compile(r'&(?:"[^"]*"|\d+|[A-Za-z&])')


@dataclass
class Walk:
    """What a walk through the records met."""

    version: int = 8
    texts: list[str] = field(default_factory=list)  # headers, footers, text boxes, comments, words of charts
    has_comments: bool = False
    hidden_rows: bool = False
    hidden_columns: bool = False
    formulas: bool = False


def is_encrypted(stream: bytes) -> bool:
    """A FILEPASS stands right behind the first BOF and a few records."""
    return any(kind == _FILEPASS for (kind, _, _), _ in zip(records(stream), range(8), strict=False))


def walk(stream: bytes) -> Walk:
    """Everything but the cells."""
    found = Walk()
    box_length = 0
    for kind, start, end in records(stream):
        if kind in _BOF_KINDS and end - start >= 2:
            version = _BOF_KINDS[kind]
            found.version = 5 if version == 8 and struct.unpack_from("<H", stream, start)[0] < 0x0600 else version
        elif kind == _TEXT_BOX and end - start >= 12:
            (box_length,) = struct.unpack_from("<H", stream, start + 10)
        elif kind == _CONTINUE and box_length:
            found.texts.append(_characters(stream[start:end], box_length))
            box_length = 0
        elif kind in (_HEADER, _FOOTER) and end > start:
            found.texts.append(_printed(stream[start:end], found.version))
        elif kind == _CHART_TEXT and end - start >= 4:
            found.texts.append(_charted(stream[start + 2 : end], found.version))
        elif kind == _NOTE:
            found.has_comments = True
        elif kind == _COLUMN and end - start >= 10:
            found.hidden_columns = found.hidden_columns or bool(stream[start + 8] & 0x01)
        elif kind == _ROW and end - start >= 14:
            found.hidden_rows = found.hidden_rows or bool(stream[start + 12] & 0x20)
        elif kind in FORMULAS:
            found.formulas = True
    return found


def _characters(body: bytes, length: int) -> str:
    """A flag, then one or two bytes a character."""
    if body[:1] == b"\0":
        return body[1 : 1 + length].decode("latin-1")
    return body[1 : 1 + 2 * length].decode("utf-16-le", "replace")


def _charted(body: bytes, version: int) -> str:
    """A title of a chart or of its axes, or the name of a series."""
    return _characters(body[1:], body[0]) if version >= 8 else body[1 : 1 + body[0]].decode("cp1252", "replace")


def _printed(body: bytes, version: int) -> str:
    """A header or footer without its codes for fonts, places and page numbers."""
    if version >= 8 and len(body) >= 3:
        text = _characters(body[2:], struct.unpack_from("<H", body)[0])
    else:
        text = body[1 : 1 + body[0]].decode("cp1252", "replace")
    return plain_header(text)


def plain_header(text: str) -> str:
    """`&L&"Arial"&12Draft&RPage &P` is "Draft Page"."""
    return " ".join(_PRINT_CODES.sub(" ", text).split())


def old_rows(stream: bytes) -> Iterator[list[str]]:
    """The cells of a sheet from before Excel 5, row by row in the order they are stored."""
    row: list[str] = []
    current = -1
    codec = "cp1252"
    for kind, start, end in records(stream):
        body = stream[start:end]
        if kind == _CODEPAGE and len(body) >= 2:
            codec = {0x8000: "mac-roman", 0x8001: "cp1252"}.get(struct.unpack("<H", body[:2])[0], "cp1252")
            continue
        value = _cell(kind, body, codec)
        if value is None:
            continue
        number = struct.unpack_from("<H", body)[0] if kind not in _STRINGS else current
        if number != current and row:
            yield row
            row = []
        current = number
        row.append(value)
    if row:
        yield row


def _cell(kind: int, body: bytes, codec: str) -> str | None:
    """A cell's value as text; None for records that are no cell."""
    try:
        if kind in _LABELS:
            return _label(body, 7 if kind == 0x04 else 6, codec, wide_count=kind != 0x04)
        if kind in _STRINGS:  # the result of the formula before it
            return _label(body, 0, codec, wide_count=kind != 0x07)
        if kind in _NUMBERS:
            return number_text(struct.unpack_from("<d", body, 7 if kind == 0x03 else 6)[0])
        if kind == _RK:
            return number_text(short_number(struct.unpack_from("<I", body, 6)[0]))
        if kind == _INTEGER:
            return str(struct.unpack_from("<H", body, 7)[0])
        if kind in FORMULAS:
            offset = 7 if kind == 0x06 and len(body) < 18 else 6
            return (
                ""
                if body[offset + 6 : offset + 8] == b"\xff\xff"
                else number_text(struct.unpack_from("<d", body, offset)[0])
            )
    except struct.error:
        return None
    return None


def _label(body: bytes, offset: int, codec: str, *, wide_count: bool) -> str:
    if wide_count:
        (length,) = struct.unpack_from("<H", body, offset)
        offset += 2
    else:
        length = body[offset] if len(body) > offset else 0
        offset += 1
    return body[offset : offset + length].decode(codec, "replace")


def short_number(packed: int) -> float:
    """A number in 30 bits: an integer or the high half of a double, perhaps in hundredths."""
    if packed & 2:
        value = float(struct.unpack("<i", struct.pack("<I", packed))[0] >> 2)
    else:
        (value,) = struct.unpack("<d", b"\0\0\0\0" + struct.pack("<I", packed & 0xFFFFFFFC))
    return value / 100 if packed & 1 else value


def number_text(value: float) -> str:
    """As a person would type it: 3, not 3.0."""
    return f"{value:.15g}"
