"""Reads the binary parts of XLSB workbooks (BIFF 12). Called by the reader of Excel's packages in a child."""

import struct
from collections.abc import Iterator
from itertools import groupby

from redwell.handlers.sheets.biff import ERRORS, number_text, short_number

ROW, COLUMN, FORMULAS, COMMENT, HEADERS = 0, 60, {8, 9, 10, 11}, 637, 479
_SHARED_STRING, _SHEET = 19, 156
ERROR_CELLS, TEXT_CELL = {3, 11}, 6
_SHORT, _TRUTH, _NUMBER, _OWN_STRING, _SHARED = 2, {4, 10}, {5, 9}, {TEXT_CELL, 8}, 7
_NO_STRING = 0xFFFFFFFF
_ANYWHERE = 1 << 62  # calamine takes for the place of a record cut short what an earlier one left in its memory
_WIDEST_GAP = 256  # a cell at the far end of every row would make text of tabs


def records(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(kind, start, end) of records with a kind and a length in seven bits a byte."""
    position = 0
    while position < len(data):
        kind, position = _seven_bits(data, position, 2)
        length, position = _seven_bits(data, position, 4)
        yield kind, position, min(position + length, len(data))
        position += length


def _seven_bits(data: bytes, position: int, most: int) -> tuple[int, int]:
    value = 0
    for index in range(most):
        if position >= len(data):
            break
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << (7 * index)
        if not byte & 0x80:
            break
    return value, position


def comments(data: bytes) -> Iterator[str]:
    """A comment's text is a flagged wide string."""
    yield from (wide(data, start + 1, end)[0] for kind, start, end in records(data) if kind == COMMENT)


def headers(data: bytes, start: int, end: int) -> Iterator[str]:
    """What is printed above and below: six strings, each of which may be missing."""
    position = start + 2
    while position + 4 <= end:
        text, position = wide(data, position, end)
        yield text


def sheets(data: bytes) -> Iterator[tuple[str, str, bool]]:
    """(name, relationship, hidden) of every sheet that the workbook lists."""
    for kind, start, end in records(data):
        if kind == _SHEET and end - start >= 16:
            (state,) = struct.unpack_from("<I", data, start)
            relation, position = wide(data, start + 8, end)
            yield wide(data, position, end)[0], relation, state != 0


def shared_strings(data: bytes) -> list[str]:
    return [wide(data, start + 1, end)[0] for kind, start, end in records(data) if kind == _SHARED_STRING]


def area(data: bytes) -> int:
    """How many places lie between the first one of the sheet and the outermost cells; Excel's own count may lie."""
    row = rows = columns = 0
    for kind, start, end in records(data):
        if kind != ROW and not _is_cell(kind):
            continue
        if end - start < 4:
            return _ANYWHERE
        (place,) = struct.unpack_from("<I", data, start)
        if kind == ROW:
            row = place
        else:
            rows, columns = max(rows, row + 1), max(columns, place + 1)
    return rows * columns


def rows(data: bytes, strings: list[str]) -> Iterator[list[str]]:
    """Rows that have cells, each with its empty places between them, unless these are very many."""
    for _, cells in groupby(_cells(data, strings), key=lambda cell: cell[0]):
        row: list[str] = []
        for _, column, value in cells:
            row += [""] * min(column - len(row), _WIDEST_GAP)
            row.append(value)
        yield row


def _cells(data: bytes, strings: list[str]) -> Iterator[tuple[int, int, str]]:
    row = 0
    for kind, start, end in records(data):
        try:
            if kind == ROW:
                (row,) = struct.unpack_from("<I", data, start)
            elif _is_cell(kind) and (value := _value(kind, data, start + 8, end, strings)):
                yield row, struct.unpack_from("<I", data, start)[0], value
        except (struct.error, IndexError):
            continue  # a damaged cell costs that cell


def _is_cell(kind: int) -> bool:
    return 1 < kind <= 11  # 1 has a look and no value


def _value(kind: int, data: bytes, at: int, end: int, strings: list[str]) -> str:
    if kind in _OWN_STRING:
        return wide(data, at, end)[0]
    if kind in _NUMBER:
        return number_text(struct.unpack_from("<d", data, at)[0])
    if kind in _TRUTH:
        return "TRUE" if data[at] else "FALSE"
    if kind in ERROR_CELLS:
        return ERRORS.get(data[at], "")
    (packed,) = struct.unpack_from("<I", data, at)
    return strings[packed] if kind == _SHARED else number_text(short_number(packed))


def wide(data: bytes, at: int, end: int) -> tuple[str, int]:
    """A counted UTF-16 string and where it ends; one that is missing is empty."""
    if at + 4 > end:
        return "", end
    (count,) = struct.unpack_from("<I", data, at)
    stop = at + 4 if count == _NO_STRING else min(end, at + 4 + 2 * count)
    return data[at + 4 : stop].decode("utf-16-le", "replace"), stop
