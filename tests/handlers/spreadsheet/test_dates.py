"""Dates in formats that calamine does not know come out as dates."""

import io
import struct
import zipfile
from pathlib import Path

import pytest
from tests.support.office_files import relations, zipped
from tests.support.other_documents import excel_record
from tests.support.pieces import read

from redwell.core.handler import Options
from redwell.handlers.sheets import spreadsheet
from redwell.handlers.sheets.sheet_dates import is_date, told_package
from redwell.handlers.structures.compound_writer import Storage, write
from redwell.handlers.structures.zip_package import Package

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml."


def _workbook(styles: str) -> bytes:
    """A cell with 40000.5 in the first format of `styles`."""
    parts = {"workbook": "sheet.main", "sheet1": "worksheet", "styles": "styles"}
    types = "".join(f'<Override PartName="/xl/{p}.xml" ContentType="{_TYPE}{t}+xml"/>' for p, t in parts.items())
    cell = '<row r="1"><c r="A1" s="0"><v>40000.5</v></c></row>'
    sheets = '<sheets><sheet name="Rent" sheetId="1" r:id="r1"/></sheets>'
    return zipped(
        {
            "[Content_Types].xml": f"<Types>{types}</Types>",
            "_rels/.rels": relations(r1="officeDocument xl/workbook.xml"),
            "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">{sheets}</workbook>',
            "xl/_rels/workbook.xml.rels": relations(r1="worksheet sheet1.xml", r2="styles styles.xml"),
            "xl/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{cell}</sheetData></worksheet>',
            "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">{styles}</styleSheet>',
        }
    )


@pytest.mark.parametrize("number", [27, 31, 36, 50, 57, 58, 71, 81])
def test_a_date_in_a_format_of_east_asia_or_thailand_is_a_date(number: int, tmp_path: Path) -> None:
    styles = f'<cellXfs count="1"><xf numFmtId="{number}"/></cellXfs>'
    assert read(spreadsheet, _workbook(styles), tmp_path).text == "Rent\n2009-07-06 12:00:00\n"


def test_a_format_that_the_workbook_explains_is_what_it_says(tmp_path: Path) -> None:
    styles = '<numFmts><numFmt numFmtId="31" formatCode="0.00"/></numFmts><cellXfs><xf numFmtId="31"/></cellXfs>'
    assert read(spreadsheet, _workbook(styles), tmp_path).text == "Rent\n40000.5\n"


def test_a_length_of_time_is_told_in_hours(tmp_path: Path) -> None:
    data = _workbook('<cellXfs><xf numFmtId="46"/></cellXfs>')
    assert read(spreadsheet, data, tmp_path).text == "Rent\n960012:00:00\n"


def _old_workbook(number: int, code: bytes, version: int) -> bytes:
    """An Excel 5 or 97 workbook with a cell in a format that has a number of Excel's own ones."""
    flags = b"\0" if version == 0x0600 else b""
    count = struct.pack("<H" if flags else "<B", len(code))
    start = excel_record(0x0809, struct.pack("<HHHHII", version, 5, 0, 0, 0, 0))
    start += excel_record(0x041E, struct.pack("<H", number) + count + flags + code)
    start += excel_record(0xE0, struct.pack("<HH", 0, number) + bytes(16))
    label = b"\x04" + flags + b"Rent"
    sheet = excel_record(0x85, struct.pack("<IBB", len(start) + 4 + 6 + len(label) + 4, 0, 0) + label)
    body = excel_record(0x0809, struct.pack("<HHHHII", version, 0x10, 0, 0, 0, 0))
    body += excel_record(0x0203, struct.pack("<HHHd", 0, 0, 0, 40000.5)) + excel_record(0x0A, b"")
    return write(Storage(streams={"Workbook": (start + sheet + excel_record(0x0A, b"") + body).ljust(4096, b"\0")}))


@pytest.mark.parametrize("version", [0x0500, 0x0600])
@pytest.mark.parametrize(("code", "shown"), [(rb"dd\-mmm\-yyyy", "2009-07-06 12:00:00"), (b"0.00", "40000.5")])
def test_a_format_with_a_low_number_in_an_old_workbook_is_what_it_says(
    version: int, code: bytes, shown: str, tmp_path: Path
) -> None:
    assert read(spreadsheet, _old_workbook(51, code, version), tmp_path).text == f"Rent\n{shown}\n"


def test_a_binary_package_is_told_of_its_dates() -> None:
    styles = bytes([47, 16]) + struct.pack("<HH", 0, 31) + bytes(12)
    types = '<Types><Override PartName="/xl/styles.bin" ContentType="application/vnd.ms-excel.styles"/></Types>'
    file = io.BytesIO(zipped({"[Content_Types].xml": types, "xl/styles.bin": styles}))
    with zipfile.ZipFile(told_package(file, Package(file, Options(name="rent.xlsb", media_type="")), set())) as told:
        assert told.read("xl/styles.bin")[4:6] == struct.pack("<H", 14)


@pytest.mark.parametrize("code", ["yyyy-mm-dd", "[h]:mm", '[$-411]ggge"年"m"月"', "h:mm AM/PM;@", "mm:ss.0"])
def test_a_format_of_days_or_hours_is_a_date(code: str) -> None:
    assert is_date(code)


@pytest.mark.parametrize("code", ["General", '0" days"', "[Red]0.00", r"0\d", "#,##0_d", "0;yyyy", "@"])
def test_a_format_whose_letters_are_quoted_is_no_date(code: str) -> None:
    assert not is_date(code)
