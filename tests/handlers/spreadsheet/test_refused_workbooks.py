"""Workbooks that calamine refuses or misreads are read by readers of our own."""

import struct
from pathlib import Path

import pytest
from tests.support.office_files import odf, zipped
from tests.support.other_documents import excel_95, excel_label, excel_record
from tests.support.pieces import read

from redwell.handlers.sheets import spreadsheet

pytestmark = pytest.mark.requirement("A7")

ODS = "application/vnd.oasis.opendocument.spreadsheet"


def _binary_part(*parts: tuple[int, bytes]) -> bytes:
    """Records of an XLSB part; kinds and lengths are below 16,384."""
    low, high = (lambda value: value & 0x7F | 0x80), (lambda value: value >> 7)
    return b"".join(
        bytes([low(k), high(k)] if k > 127 else [k]) + bytes([low(len(b)), high(len(b))]) + b for k, b in parts
    )


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def test_a_binary_package_that_calamine_refuses_is_read_all_the_same(tmp_path: Path) -> None:
    types = {"workbook": "sheet.binary.macroEnabled.main", "sheet1": "macrosheet", "strings": "sharedStrings"}
    overrides = "".join(
        f'<Override PartName="/xl/{p}.bin" ContentType="application/vnd.ms-excel.{t}"/>' for p, t in types.items()
    )
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    links = '<Relationships><Relationship Id="r1" Type="{}" Target="{}"/></Relationships>'
    cells = _binary_part(
        *((0, struct.pack("<I", 2)), (7, struct.pack("<III", 0, 0, 0)), (6, struct.pack("<II", 2, 0) + _wide("Jan"))),
        *((5, struct.pack("<IId", 3, 0, 99.5)), (3, struct.pack("<IIB", 4, 0, 7)), (479, b"\0\0" + _wide("&CDraft"))),
    )
    data = zipped(
        {
            "[Content_Types].xml": f"<Types>{overrides}</Types>",
            "_rels/.rels": links.format(office + "officeDocument", "xl/workbook.bin"),
            "xl/workbook.bin": _binary_part((156, struct.pack("<II", 1, 1) + _wide("r1") + _wide("Rent"))),
            "xl/_rels/workbook.bin.rels": links.format(office + "xlMacrosheet", "sheet1.bin"),
            "xl/sheet1.bin": cells,
            "xl/strings.bin": _binary_part((19, b"\0" + _wide("Zürich"))),
        }
    )
    pieces = read(spreadsheet, data, tmp_path, media_type="application/vnd.ms-excel.sheet.binary.macroenabled.12")
    assert pieces.text == "Rent\nZürich\t\tJan\t99.5\t#DIV/0!\nDraft\n"
    assert pieces.metadata["hidden_sheets"] == ["Rent"]


def test_a_japanese_sheet_of_excel_95_is_read_in_its_own_code_page(tmp_path: Path) -> None:
    cells = excel_label(0, "契約".encode("cp932")), excel_record(0x0203, struct.pack("<HHHd", 0, 2, 0, 99.5))
    assert read(spreadsheet, excel_95(*cells, code_page=932), tmp_path).text == "Rent\n契約\t\t99.5\n"


def test_an_open_document_sheet_with_blanks_between_its_cells_is_read(tmp_path: Path) -> None:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    row = f"<table:table-row>\n  {cell.format('Jan')}\n  {cell.format('100')}\n</table:table-row>"
    body = f'<office:spreadsheet><table:table table:name="Rent">\n{row}\n</table:table></office:spreadsheet>'
    pieces = read(spreadsheet, odf(body, ODS), tmp_path)
    assert "Jan\t100" in pieces.text
