"""Cells whose value is an error show it, and cost nobody else's words."""

import struct
from pathlib import Path

import pytest
from tests.support.office_files import row, xlsx
from tests.support.other_documents import excel_record
from tests.support.pieces import read

from redwell.handlers.sheets import sheet_binary, spreadsheet
from redwell.handlers.sheets.sheet_errors import told_binary, told_stream, told_xml
from redwell.handlers.structures.compound_writer import Storage, write

pytestmark = pytest.mark.requirement("A7")


@pytest.mark.parametrize("error", ["#DIV/0!", "#REF!", "#SPILL!", "#CALC!"])
def test_an_error_is_shown_at_its_place_however_young_it_is(error: str, tmp_path: Path) -> None:
    cells = f'<row r="2"><c r="A2" s="1" t="e"><f>B1/0</f><v>{error}</v></c><c r="B2"><v>7</v></c></row>'
    data = xlsx({"Rent": f"<sheetData>{row(1, 'Jan', 'Feb')}{cells}</sheetData>"})
    pieces = read(spreadsheet, data, tmp_path)
    assert (pieces.text, pieces.troubles) == (f"Rent\nJan\tFeb\n{error}\t7\n", [])


def _sheet(*records: bytes) -> bytes:
    return excel_record(0x0809, struct.pack("<HHHHII", 0x0600, 0x10, 0, 0, 0, 0)) + b"".join(records) + b"\x0a\0\0\0"


def test_errors_of_an_old_workbook_are_shown_and_its_later_sheets_are_found(tmp_path: Path) -> None:
    error = excel_record(0x0205, struct.pack("<HHHBB", 0, 0, 0, 7, 1))
    result = struct.pack("<HHH", 0, 1, 0) + bytes((2, 0, 23, 0, 0, 0, 0xFF, 0xFF)) + bytes(8)
    truth = excel_record(0x0205, struct.pack("<HHHBB", 0, 2, 0, 1, 0))
    number = excel_record(0x0203, struct.pack("<HHHd", 0, 0, 0, 7.0))
    sheets = {b"One": _sheet(error, excel_record(0x06, result), truth), b"Two": _sheet(number)}
    start = excel_record(0x0809, struct.pack("<HHHHII", 0x0600, 0x05, 0, 0, 0, 0))
    at = len(start) + sum(12 + len(name) for name in sheets) + 4
    for name, sheet in sheets.items():
        start += excel_record(0x85, struct.pack("<IHBB", at, 0, len(name), 0) + name)
        at += len(sheet)
    data = write(Storage(streams={"Workbook": (start + b"\x0a\0\0\0" + b"".join(sheets.values())).ljust(4096, b"\0")}))
    assert read(spreadsheet, data, tmp_path).text == "One\n#DIV/0!\t#REF!\tTRUE\nTwo\n7\n"


def test_a_sheet_that_lies_nowhere_is_no_error_of_its_own() -> None:
    error = excel_record(0x0205, struct.pack("<HHHBB", 0, 0, 0, 7, 1))
    listed = excel_record(0x85, struct.pack("<IHBB", 0xFFFFFFFC, 0, 1, 0) + b"A")
    assert told_stream(_sheet(listed, error)) is not None


def test_cells_without_an_end_are_searched_once() -> None:
    data = b"<c " * 200_000
    assert told_xml(data) == data


def test_errors_of_a_binary_sheet_become_text_and_other_cells_stay(tmp_path: Path) -> None:
    first = bytes((0, 4)) + struct.pack("<I", 0)
    number = bytes((5, 16)) + struct.pack("<IId", 0, 0, 7.0)
    long_formula = struct.pack("<IIB", 1, 0, 42) + bytes(200)
    error = bytes((11, 0x80 | len(long_formula) & 0x7F, len(long_formula) >> 7)) + long_formula
    told = told_binary(first + number + error + number)
    assert [kind for kind, _, _ in sheet_binary.records(told)] == [0, 5, 6, 5]
    assert next(sheet_binary.rows(told, []))[:2] == ["7", "#N/A"]
