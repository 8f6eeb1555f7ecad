"""Sheets of XLSB workbooks whose cells lie far apart are not laid out whole, which would fill the memory."""

import struct

from redwell.handlers.sheets.sheet_binary import area, rows

_MORE_THAN_FITS = 1 << 40


def _row(number: int) -> bytes:
    return bytes((0, 4)) + struct.pack("<I", number)


def _number(column: int, value: float) -> bytes:
    return bytes((5, 16)) + struct.pack("<IId", column, 0, value)


def test_the_area_of_a_sheet_reaches_to_its_outermost_cells_and_leaves_out_rows_without_any() -> None:
    assert area(_row(0) + _number(0, 7) + _row(9) + _number(4, 8) + _row(1 << 19)) == 50


def test_a_row_or_cell_cut_short_may_lie_anywhere() -> None:
    assert area(_row(0) + _number(0, 7) + bytes((0, 0)) + _number(0, 8)) > _MORE_THAN_FITS
    assert area(_row(0) + bytes((5, 2, 0, 0))) > _MORE_THAN_FITS


def test_a_cell_far_to_the_right_stands_behind_no_more_than_a_few_hundred_empty_ones() -> None:
    (row,) = rows(_row(0) + _number(1, 7) + _number(1 << 30, 8), [])
    assert (row[:2], row[-1], len(row)) == (["", "7"], "8", 259)
