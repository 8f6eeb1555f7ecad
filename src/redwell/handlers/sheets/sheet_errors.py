"""Turns cells whose value is an error into cells of text, in memory, for reading alone. Runs in a child.

calamine leaves such cells empty, and gives up a whole sheet for an error that is younger than itself (#SPILL!).
Called by documents.sheet_dates.
"""

import re
import struct
from bisect import bisect_right

from redwell.handlers.office.biff_records import records
from redwell.handlers.sheets import sheet_binary
from redwell.handlers.sheets.biff import ERRORS, FORMULAS

IN_XML = b't="e"'
_XML_CELL = re.compile(rb"(<(?:\w+:)?c\s[^<>]*\bt=\")e(?=\")")
_BOUND_SHEET, _TRUTH_OR_ERROR, _LABEL = 0x85, 0x0205, 0x0204
_EXCEL_97 = b"\x00\x06"


def told_xml(sheet: bytes) -> bytes:
    """A sheet of an XML workbook."""
    return _XML_CELL.sub(rb"\1str", sheet)


def told_binary(sheet: bytes) -> bytes:
    """A sheet of an XLSB workbook."""
    out: list[bytes] = []
    done = before = 0
    for kind, start, end in sheet_binary.records(sheet):
        head, before = before, end
        if kind in sheet_binary.ERROR_CELLS and end - start >= 9:
            text = ERRORS.get(sheet[start + 8], "")
            body = sheet[start : start + 8] + struct.pack("<I", len(text)) + text.encode("utf-16-le")
            out += [sheet[done:head], bytes((sheet_binary.TEXT_CELL, len(body))), body]
            done = end
    return b"".join((*out, sheet[done:]))


def told_stream(stream: bytes) -> bytes | None:
    """The stream of an Excel 5 to 2003 workbook; None where no cell is an error."""
    out: list[bytes] = []
    moved: list[tuple[int, int]] = []  # behind this place everything lies so much further
    done = shift = 0
    for kind, start, end in records(stream):
        text = _error(kind, stream[start:end])
        if text:
            label = _label(stream[start : start + 6], text, wide=stream[4:6] == _EXCEL_97)
            out += [stream[done : start - 4], label]
            shift += len(label) - (end - start + 4)
            moved.append((end, shift))
            done = end
    return _with_places(b"".join((*out, stream[done:])), moved) if moved else None


def _error(kind: int, body: bytes) -> str:
    if kind == _TRUTH_OR_ERROR and len(body) >= 8 and body[7]:
        return ERRORS.get(body[6], "")
    if kind in FORMULAS and len(body) >= 14 and body[12:14] == b"\xff\xff" and body[6] == 2:
        return ERRORS.get(body[8], "")
    return ""


def _label(place: bytes, text: str, *, wide: bool) -> bytes:
    body = place + struct.pack("<H", len(text)) + (b"\0" if wide else b"") + text.encode("ascii")
    return struct.pack("<HH", _LABEL, len(body)) + body


def _with_places(stream: bytes, moved: list[tuple[int, int]]) -> bytes:
    """The stream whose list of sheets says where they lie now; it stands before all cells."""
    told = bytearray(stream)
    for kind, start, end in records(stream):
        if kind == _BOUND_SHEET and end - start >= 4:
            (place,) = struct.unpack_from("<I", stream, start)
            before = bisect_right(moved, (place, 1 << 32))
            struct.pack_into("<I", told, start, (place + (moved[before - 1][1] if before else 0)) % (1 << 32))
    return bytes(told)
