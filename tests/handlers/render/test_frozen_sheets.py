"""Cells of binary workbooks keep what they showed, whatever day it is."""

import struct

import pytest

from redwell.handlers.render.office.frozen_sheets import still_in_binary_sheet, still_in_workbook

pytestmark = pytest.mark.requirement("A7")
TODAY, SUM_OF_A1 = b"\x41\xdd\x00", b"\x44\x00\x00\x00\xc0"


def record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def formula(tokens: bytes, value: bytes) -> bytes:
    return record(6, struct.pack("<HHH", 0, 1, 15) + value + bytes(6) + struct.pack("<H", len(tokens)) + tokens)


def test_a_formula_with_todays_date_becomes_the_number_it_had_and_nothing_moves() -> None:
    number = struct.pack("<d", 36925.0)
    before, after = record(0x809, b"\x00\x06"), record(0x0A, b"")
    book = before + formula(TODAY, number) + after
    still = still_in_workbook(book)
    assert len(still) == len(book) and still.startswith(before) and still.endswith(after)
    assert record(0x203, struct.pack("<HHH", 0, 1, 15) + number) in still
    assert TODAY not in still and struct.unpack_from("<H", still, len(before) + 18)[0] == 0x0FFF


@pytest.mark.parametrize("tokens, value", [(SUM_OF_A1, struct.pack("<d", 2.0)), (TODAY, b"\0" * 6 + b"\xff\xff")])
def test_other_formulas_and_those_without_a_number_stay(tokens: bytes, value: bytes) -> None:
    book = formula(tokens, value)
    assert still_in_workbook(book) == book


def test_a_locked_workbook_stays() -> None:
    book = record(0x2F, b"\x01\x00") + formula(TODAY, struct.pack("<d", 2.0))
    assert still_in_workbook(book) == book


def test_formulas_of_the_newer_binary_format_become_their_results() -> None:
    cell, number = bytes(range(8)), struct.pack("<d", 36925.0)
    text = struct.pack("<I", 2) + "ab".encode("utf-16-le")
    behind = b"\x00\x00" + struct.pack("<I", 3) + TODAY
    other = b"\x81\x01\x02xy"  # a kind of two bytes
    part = bytes([9, 16 + len(behind)]) + cell + number + behind + other
    part += bytes([8, 8 + len(text) + len(behind)]) + cell + text + behind
    assert still_in_binary_sheet(part) == bytes([5, 16]) + cell + number + other + bytes([6, 16]) + cell + text


def test_a_part_that_is_cut_off_is_nobodys_to_change() -> None:
    with pytest.raises(ValueError):
        still_in_binary_sheet(b"\x09\x40abc")
