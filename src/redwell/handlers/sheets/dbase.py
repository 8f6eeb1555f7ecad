"""Reads a dBASE or FoxPro table. Called by the database handler in a child."""

import struct
from collections.abc import Iterator

from redwell.core.errors import InvalidFile
from redwell.handlers.sheets.dbase_cells import cell_text, changed_on
from redwell.handlers.structures.charset import encoding_of

_COLUMN = 32
_DELETED = 0x2A
_FOXPRO = range(0x30, 0x33)
_SAMPLE = 1 << 20
# the language driver's number, where the file names its code page
_CODE_PAGES = {0x01: "cp437", 0x02: "cp850", 0x03: "cp1252", 0x57: "cp1252", 0x58: "cp1252", 0x59: "cp1252",
               0x13: "cp932", 0x4D: "cp936", 0x4E: "cp949", 0x4F: "cp950", 0x7B: "cp932", 0x64: "cp852",
               0x65: "cp866", 0x66: "cp865", 0x26: "cp866", 0xC8: "cp1250", 0xC9: "cp1251", 0xCA: "cp1254",
               0xCB: "cp1253", 0x7D: "cp1255", 0x7E: "cp1256"}  # fmt: skip


class Table:
    """Columns and rows; `deleted` counts rows that are marked as deleted, once they have been read."""

    def __init__(self, data: bytes) -> None:
        if len(data) < _COLUMN:
            raise InvalidFile("the header is cut off")
        self.count, header, self._length = struct.unpack_from("<IHH", data, 4)
        self._data, self._start = data, header
        self.deleted = 0
        self.changed = changed_on(data)
        self._fields = list(_fields(data[_COLUMN:header]))
        if not self._fields or not self._length:
            raise InvalidFile("the table has no columns")
        self.encoding = _CODE_PAGES.get(data[29]) or encoding_of(self._odd_rows())
        self.columns = [name.decode(self.encoding, "replace") for name, _, _ in self._fields]

    def rows(self) -> Iterator[list[str]]:
        """Deleted rows too: they are still in the file, and marked."""
        for number in range(self.count):
            at = self._start + number * self._length
            row = self._data[at : at + self._length]
            if len(row) < self._length:
                raise InvalidFile(f"the table ends in row {number + 1} of {self.count}")
            self.deleted += row[0] == _DELETED
            mark = ["[deleted]"] if row[0] == _DELETED else []
            yield mark + [self._cell(row, kind, start) for _, kind, start in self._fields]

    def _odd_rows(self) -> bytes:
        """The rows that show the encoding; a few odd letters among many plain ones would be taken for Western."""
        starts = range(self._start, min(len(self._data), self._start + _SAMPLE), self._length)
        words = [(start, width) for _, kind, (start, width) in self._fields if kind == "C"]
        cells = (self._data[at + start : at + start + width].strip() for at in starts for start, width in words)
        return b"\n".join(cell for cell in cells if not cell.isascii())

    def _cell(self, row: bytes, kind: str, start: tuple[int, int]) -> str:
        raw = row[start[0] : start[0] + start[1]]
        told = cell_text(kind, raw, foxpro=self._data[0] in _FOXPRO)
        return raw.decode(self.encoding, "replace").replace("\0", " ").strip() if told is None else told


def _fields(header: bytes) -> Iterator[tuple[bytes, str, tuple[int, int]]]:
    """Name, type, and where in a row each column lies."""
    at = 1
    for start in range(0, len(header) - _COLUMN + 1, _COLUMN):
        if header[start] == 0x0D:
            return
        entry = header[start : start + _COLUMN]
        width = entry[16] | (entry[17] << 8 if entry[11:12] == b"C" else 0)
        yield entry[:11].partition(b"\0")[0].strip(), chr(entry[11]), (at, width)
        at += width
