"""Reads the cells of Excel's binary workbooks (BIFF 5 and 8) where calamine refuses them. Runs in a child.

Dates come out as the numbers they are stored as: which numbers are dates is known to calamine alone.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from redwell.core.errors import InvalidFile
from redwell.handlers.office.biff_records import records
from redwell.handlers.sheets.biff import ERRORS, number_text, short_number
from redwell.handlers.structures.code_pages import codec

_BOF, _EOF, _BOUND_SHEET, _SHARED, _CONTINUE, _CODE_PAGE = 0x0809, 0x0A, 0x85, 0xFC, 0x3C, 0x42
_SHARED_CELL, _RK, _MANY_RK, _NUMBER, _FORMULA, _RESULT, _TRUTH = 0xFD, 0x027E, 0xBD, 0x0203, 0x06, 0x0207, 0x0205
_LABELS = {0x0204, 0xD6}
_WIDE, _FAR_EAST, _RICH = 0x01, 0x04, 0x08
_MOST_STRINGS = 5_000_000
_MOST_COLUMNS = 256

_EAST_ASIAN = {932, 936, 949, 950, 1361}

Cell = tuple[int, int, str]  # row, column, value


def is_east_asian_excel_95(stream: bytes) -> bool:
    """Whether strings are in a code page of two bytes a character."""
    early = ((kind, stream[start:end]) for (kind, start, end), _ in zip(records(stream), range(100), strict=False))
    pages = [int.from_bytes(body[:2], "little") for kind, body in early if kind == _CODE_PAGE]
    return not _is_excel_97(stream) and any(page in _EAST_ASIAN for page in pages)


def _is_excel_97(stream: bytes) -> bool:
    return stream[4:6] == b"\x00\x06"


@dataclass(frozen=True, slots=True)
class Sheet:
    name: str
    hidden: bool
    start: int


class Workbook:
    """The sheets of a workbook stream; raises `InvalidFile` where it lists none."""

    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self._wide = _is_excel_97(stream)
        self._codec = "cp1252"
        self._strings: list[str] = []
        self.sheets: list[Sheet] = []
        try:
            self._read_globals()
        except struct.error:
            pass  # what was found until here is what there is
        if not self.sheets:
            raise InvalidFile("the workbook lists no sheets")

    def _read_globals(self) -> None:
        shared: list[bytes] = []
        for kind, start, end in records(self._stream):
            body = self._stream[start:end]
            if kind == _EOF:
                break
            if kind == _CODE_PAGE and len(body) >= 2:
                self._codec = codec(*struct.unpack("<H", body[:2]))
            elif kind == _BOUND_SHEET:
                position, state = struct.unpack_from("<IB", body)
                self.sheets.append(Sheet(self._text(body[6:], small=True), bool(state & 3), position))
            elif kind == _SHARED or (kind == _CONTINUE and shared):
                shared.append(body)
            elif shared and not self._strings:
                self._strings = list(shared_strings(shared))
        self._strings = self._strings or list(shared_strings(shared))

    def rows(self, sheet: Sheet) -> Iterator[list[str]]:
        """The sheet's rows that have cells, each with its empty places between them."""
        for _, cells in groupby(self._cells(sheet.start), key=lambda cell: cell[0]):
            row: list[str] = []
            for _, column, value in cells:
                row += [""] * (min(column, _MOST_COLUMNS) - len(row))
                row.append(value)
            yield row

    def _cells(self, position: int) -> Iterator[Cell]:
        depth, place = 0, (0, 0)
        for kind, start, end in records(self._stream[position:]):
            body = self._stream[position + start : position + end]
            depth += (kind == _BOF) - (kind == _EOF)
            if not depth:
                return
            try:
                if kind == _RESULT:  # of the formula before it
                    yield *place, self._text(body)
                    continue
                place = struct.unpack_from("<HH", body) if len(body) >= 4 else place
                yield from ((place[0], place[1] + n, value) for n, value in enumerate(self._values(kind, body)))
            except (struct.error, IndexError):
                continue  # a damaged cell costs that cell

    def _values(self, kind: int, body: bytes) -> list[str]:
        if kind == _SHARED_CELL:
            return [self._strings[struct.unpack_from("<I", body, 6)[0]]]
        if kind in _LABELS:
            return [self._text(body[6:])]
        if kind == _NUMBER:
            return [number_text(struct.unpack_from("<d", body, 6)[0])]
        if kind == _RK:
            return [number_text(short_number(struct.unpack_from("<I", body, 6)[0]))]
        if kind == _MANY_RK:
            packed = (struct.unpack_from("<I", body, at)[0] for at in range(6, len(body) - 5, 6))
            return [number_text(short_number(number)) for number in packed]
        if kind == _TRUTH:
            return [ERRORS.get(body[6], "") if body[7] else ("TRUE" if body[6] else "FALSE")]
        return _formula_values(body) if kind == _FORMULA else []

    def _text(self, body: bytes, *, small: bool = False) -> str:
        """A counted string; its count is one byte where `small`."""
        length, at = (body[0], 1) if small else (struct.unpack_from("<H", body)[0], 2)
        if not self._wide:
            return body[at : at + length].decode(self._codec, "replace")
        if body[at] & _WIDE:
            return body[at + 1 : at + 1 + 2 * length].decode("utf-16-le", "replace")
        return body[at + 1 : at + 1 + length].decode("latin-1")


def _formula_values(body: bytes) -> list[str]:
    """The stored result; text stands in the record behind."""
    if body[12:14] != b"\xff\xff":
        return [number_text(struct.unpack_from("<d", body, 6)[0])]
    if body[6] == 1:
        return ["TRUE" if body[8] else "FALSE"]
    return [ERRORS.get(body[8], "")] if body[6] == 2 else []


def shared_strings(bodies: list[bytes]) -> Iterator[str]:
    """The strings of all cells. One that runs over the end of a record says anew how wide its characters are."""
    if not bodies or len(bodies[0]) < 8:
        return
    (count,) = struct.unpack_from("<I", bodies[0], 4)
    reader = _Continued(bodies)
    try:
        for _ in range(min(count, _MOST_STRINGS)):
            yield reader.string()
    except (IndexError, struct.error):
        return


class _Continued:
    """Bytes of a record and of those that continue it."""

    def __init__(self, bodies: list[bytes]) -> None:
        self._bodies, self._index, self._at = bodies, 0, 8

    def _take(self, count: int) -> bytes:
        taken = b""
        while len(taken) < count:
            part = self._bodies[self._index][self._at : self._at + count - len(taken)]
            taken += part
            self._at += len(part)
            if len(taken) < count:
                self._index, self._at = self._index + 1, 0
        return taken

    def string(self) -> str:
        length, flags = struct.unpack("<HB", self._take(3))
        runs = struct.unpack("<H", self._take(2))[0] if flags & _RICH else 0
        further = struct.unpack("<I", self._take(4))[0] if flags & _FAR_EAST else 0
        text = self._characters(length, flags)
        self._take(4 * runs + further)
        return text

    def _characters(self, left: int, flags: int) -> str:
        parts: list[str] = []
        while left:
            if self._at >= len(self._bodies[self._index]):
                self._index, self._at = self._index + 1, 1
                flags = self._bodies[self._index][0]
            width = 2 if flags & _WIDE else 1
            raw = self._bodies[self._index][self._at : self._at + left * width]
            self._at += len(raw)
            parts.append(raw.decode("utf-16-le" if width == 2 else "latin-1", "replace"))
            left -= max(1, len(raw) // width)
        return "".join(parts)
