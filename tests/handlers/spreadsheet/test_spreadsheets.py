"""Spreadsheets: a row is a line, every sheet under its name, hidden ones too."""

import io
import struct
import zipfile
from pathlib import Path

import pytest
from python_calamine import CalamineError, load_workbook
from tests.support.office_files import odf, row, xlsx, zipped
from tests.support.pieces import read

from redwell.core.cell_map import CellMap
from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Artifact
from redwell.core.outcomes import Code
from redwell.handlers.sheets import spreadsheet
from redwell.handlers.structures.compound_writer import Storage, write

pytestmark = pytest.mark.requirement("A6", "A7")

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODS = "application/vnd.oasis.opendocument.spreadsheet"


def _data(*rows: str) -> str:
    return f"<sheetData>{''.join(rows)}</sheetData>"


def test_rows_are_lines_cells_are_parted_by_tabs_and_sheets_have_headings(tmp_path: Path) -> None:
    data = xlsx({"Rent": _data(row(1, "Jan", "100"), row(5, "Feb")), "Notes": _data(row(1, "ok"))})
    pieces = read(spreadsheet, data, tmp_path)
    assert pieces.text == "Rent\nJan\t100\nFeb\nNotes\nok\n"
    assert pieces.metadata["sheets"] == 2
    assert pieces.metadata["author"] == "Jane Roe"


@pytest.mark.requirement("F1")
def test_f1_a_place_in_the_text_is_cited_by_sheet_and_cell(tmp_path: Path) -> None:
    cells = _data('<row r="3"><c r="C3" t="str"><v>far</v></c><c r="E3" t="str"><v>end</v></c></row>', row(9, "low"))
    pieces = read(spreadsheet, xlsx({"Rent 2020": cells, "Notes": _data(row(1, "ok"))}), tmp_path)
    [made] = pieces.of(Artifact)
    found = CellMap(made.data, pieces.text)
    places = [found.cite(pieces.text.index(word)) for word in ("far", "end", "low", "ok")]
    assert places == ["'Rent 2020'!C3", "'Rent 2020'!E3", "'Rent 2020'!A9", "Notes!A1"]


def test_numbers_booleans_formulas_and_errors_show_their_values(tmp_path: Path) -> None:
    cells = (
        '<c r="A1"><v>3</v></c><c r="B1"><v>0.1</v></c><c r="C1" t="b"><v>1</v></c>'
        '<c r="D1" t="str"><f>A1&amp;"x"</f><v>3x</v></c>'
    )
    pieces = read(spreadsheet, xlsx({"S": _data(f'<row r="1">{cells}</row>')}), tmp_path)
    assert pieces.text == "S\n3\t0.1\tTRUE\t3x\n"


def test_a_cell_with_line_breaks_stays_in_its_row(tmp_path: Path) -> None:
    assert read(spreadsheet, xlsx({"S": _data(row(1, "two\nlines", "next"))}), tmp_path).text == "S\ntwo lines\tnext\n"


def test_hidden_sheets_are_read_and_named(tmp_path: Path) -> None:
    pieces = read(spreadsheet, xlsx({"A": _data(), "B": _data(row(1, "secret"))}, hidden=("B",)), tmp_path)
    assert "secret" in pieces.text
    assert pieces.metadata["has_hidden"] is True
    assert pieces.metadata["hidden_sheets"] == ["B"]


def test_hidden_rows_are_flagged(tmp_path: Path) -> None:
    hidden = row(1, "secret").replace("<row ", '<row hidden="1" ')
    assert read(spreadsheet, xlsx({"A": _data(hidden)}), tmp_path).metadata["has_hidden"] is True
    assert "has_hidden" not in read(spreadsheet, xlsx({"A": _data(row(1, "open"))}), tmp_path).metadata


def test_headers_comments_and_text_boxes_are_text(tmp_path: Path) -> None:
    header = '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Draft&amp;RPage &amp;P</oddHeader></headerFooter>'
    data = xlsx(
        {"S": _data(row(1, "x")) + header},
        comments="<comments><authors><author>Ann</author></authors><comment><text><t>Why?</t></text></comment></comments>",
        drawing='<d xmlns:a="a"><a:p><a:r><a:t>In a box</a:t></a:r></a:p></d>',
    )
    pieces = read(spreadsheet, data, tmp_path)
    assert pieces.text.split("\n")[2:] == ["Draft Page", "Why?", "", "In a box", ""]
    assert pieces.metadata["has_comments"] is True


def test_a_sheet_of_two_far_cells_is_read_without_the_billions_between_them(tmp_path: Path) -> None:
    far = '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far</t></is></c></row>'
    for told in ('<dimension ref="A1:XFD1048576"/>', '<dimension ref="A1"/>', ""):
        pieces = read(spreadsheet, xlsx({"S": told + _data(row(1, "near"), far)}), tmp_path)
        assert pieces.text == "S\nnear\nfar\n"


def test_what_calamine_refuses_is_read_from_the_xml(tmp_path: Path) -> None:
    """One sheet of old macros makes calamine turn the whole workbook away."""
    data = xlsx({"Macro": _data(row(1, "=EXEC")), "Rent": _data(row(1, "Jan", "100"))}, hidden=("Macro",))
    with zipfile.ZipFile(io.BytesIO(data)) as stored:
        parts: dict[str, str | bytes] = {name: stored.read(name) for name in stored.namelist()}
    links = "xl/_rels/workbook.xml.rels"
    sheet, macros = b'worksheet" Target="worksheets/sheet1', b'xlMacrosheet" Target="macrosheets/sheet1'
    parts[links] = bytes(parts[links]).replace(sheet, macros)
    parts["xl/macrosheets/sheet1.xml"] = parts.pop("xl/worksheets/sheet1.xml")
    with pytest.raises(CalamineError):
        load_workbook(io.BytesIO(zipped(parts)))
    pieces = read(spreadsheet, zipped(parts), tmp_path)
    assert pieces.text == "Macro\n=EXEC\nRent\nJan\t100\n"
    assert (pieces.metadata["sheets"], pieces.metadata["hidden_sheets"]) == (2, ["Macro"])


def test_a_damaged_sheet_costs_that_sheet(tmp_path: Path) -> None:
    pieces = read(spreadsheet, xlsx({"Bad": "<sheetData><row", "Good": _data(row(1, "kept"))}), tmp_path)
    assert "kept" in pieces.text
    assert Code.TEXT_UNAVAILABLE in [trouble.code for trouble in pieces.troubles]


def test_a_cut_off_workbook_is_an_invalid_file(tmp_path: Path) -> None:
    assert isinstance(read(spreadsheet, xlsx({"S": _data()})[:-80], tmp_path, media_type=XLSX).error, InvalidFile)


def test_an_open_document_sheet_gives_cells_headers_and_comments(tmp_path: Path) -> None:
    comment = "<office:annotation><text:p>Why?</text:p></office:annotation>"
    cell = '<table:table-cell office:value-type="string">{}<text:p>{}</text:p></table:table-cell>'
    table = f'<table:table table:name="Rent"><table:table-row>{cell.format(comment, "Jan")}{cell.format("", "100")}'
    body = f"<office:spreadsheet>{table}</table:table-row></table:table></office:spreadsheet>"
    styles = (
        '<s xmlns:y="y" xmlns:text="t"><y:master-page><y:footer><text:p>Draft</text:p></y:footer></y:master-page></s>'
    )
    pieces = read(spreadsheet, odf(body, ODS, styles_xml=styles), tmp_path)
    assert pieces.text.startswith("Rent\nJan\t100\n")
    assert pieces.text.splitlines()[2:] == ["Draft", "Why?"]
    assert pieces.metadata["has_comments"] is True


def test_an_opendocument_sheet_that_is_cut_off_gives_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut behind a row, calamine would look for the next one for ever: it must not be asked."""
    monkeypatch.delattr(spreadsheet, "_load")
    content = (
        '<office:spreadsheet xmlns:office="o" xmlns:text="t" xmlns:table="b"><table:table table:name="Rent">'
        "<table:table-row><table:table-cell><text:p>Jan</text:p></table:table-cell></table:table-row>"
    )
    pieces = read(spreadsheet, odf("", ODS, content_xml=content), tmp_path)
    assert pieces.text.split() == ["Jan"]
    assert [trouble.code for trouble in pieces.troubles] == [Code.TEXT_UNAVAILABLE]


def test_excels_single_file_xml_is_read(tmp_path: Path) -> None:
    xml = (
        '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns:ss="s"><Worksheet ss:Name="Rent">'
        "<Table><Row><Cell><Data>Jan</Data></Cell><Cell><Data>100</Data></Cell></Row></Table></Worksheet></Workbook>"
    )
    assert read(spreadsheet, xml.encode(), tmp_path).text == "Rent: Jan\t100\t\n\n"


def _record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def _xls(*sheet_records: bytes, early: bytes = b"") -> bytes:
    """A BIFF 8 workbook with one sheet, hidden."""
    start = _record(0x0809, struct.pack("<HHHHII", 0x0600, 5, 0, 0, 0, 0)) + early
    label = b"\x04\0Rent"
    position = len(start) + 4 + 6 + len(label) + 4
    sheet = _record(0x85, struct.pack("<IBB", position, 1, 0) + label)
    body = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x10, 0, 0, 0, 0)) + b"".join(sheet_records)
    stream = start + sheet + _record(0x0A, b"") + body + _record(0x0A, b"")
    return write(Storage(streams={"Workbook": stream.ljust(4096, b"\0")}))


def _label(row_number: int, text: str) -> bytes:
    return _record(0x0204, struct.pack("<HHHHB", row_number, 0, 0, len(text), 1) + text.encode("utf-16-le"))


def test_an_old_workbook_gives_cells_headers_boxes_and_hidden_sheets(tmp_path: Path) -> None:
    header = "&CDraft".encode("utf-16-le")
    box = _record(0x01B6, struct.pack("<HHHHHH", 0, 0, 0, 0, 0, 8)) + _record(0x3C, b"\0In a box")
    data = _xls(_record(0x14, struct.pack("<HB", 7, 1) + header), _label(0, "Zürich"), _record(0x1C, bytes(8)), box)
    pieces = read(spreadsheet, data, tmp_path)
    assert pieces.text == "Rent\nZürich\nDraft\nIn a box\n"
    assert (pieces.metadata["hidden_sheets"], pieces.metadata["has_comments"]) == (["Rent"], True)


def test_words_of_a_chart_in_an_old_workbook_are_text(tmp_path: Path) -> None:
    title = _record(0x100D, struct.pack("<HBB", 0, 5, 0) + b"Rents")
    axis = _record(0x100D, struct.pack("<HBB", 0, 5, 1) + "März!".encode("utf-16-le"))
    assert read(spreadsheet, _xls(_label(0, "x"), title, axis), tmp_path).text == "Rent\nx\nRents\nMärz!\n"


def test_an_encrypted_old_workbook_is_named_so(tmp_path: Path) -> None:
    data = _xls(early=_record(0x2F, struct.pack("<H", 1) + bytes(52)))
    assert isinstance(read(spreadsheet, data, tmp_path).error, PasswordProtected)


def test_an_old_workbook_that_calamine_refuses_is_read_all_the_same(tmp_path: Path) -> None:
    broken_name = _record(0x18, struct.pack("<HBBHHHBBBB", 0x20, 0, 1, 2, 0, 0, 0, 0, 0, 0) + b"\0x\x3b\0")
    long = "rent " * 3
    shared = _record(
        0xFC, struct.pack("<II", 2, 2) + struct.pack("<HB", 3, 0) + b"Jan" + struct.pack("<HB", 15, 0) + b"rent "
    )
    shared += _record(0x3C, b"\x01" + "rent rent ".encode("utf-16-le"))  # goes on with wider characters
    cells = [_record(0xFD, struct.pack("<HHHI", 0, column, 0, column)) for column in (0, 1)]
    many = _record(0xBD, struct.pack("<HHHIHIH", 1, 0, 0, 3 << 2 | 2, 0, 4 << 2 | 2, 1))
    error = _record(0x0205, struct.pack("<HHHBB", 1, 2, 0, 23, 1))
    data = _xls(*cells, many, error, early=broken_name + shared)
    pieces = read(spreadsheet, data, tmp_path)
    assert pieces.text == f"Rent\nJan\t{long.strip()}\n3\t4\t#REF!\n"
    assert pieces.metadata["hidden_sheets"] == ["Rent"]


@pytest.mark.parametrize(
    ("start", "label"),
    [(b"\x09\x04\x06\x00\x00\x00\x10\x00\x00\x00", 0x0204), (b"\x09\x02\x06\x00\x00\x00\x10\x00\x00\x00", 0x0204)],
)
def test_a_sheet_from_before_excel_5_is_read(start: bytes, label: int, tmp_path: Path) -> None:
    cells = _record(label, struct.pack("<HHHH", 0, 0, 0, 4) + b"Rent") + _record(
        0x0203, struct.pack("<HHHd", 0, 1, 0, 99.5)
    )
    cells += _record(0x027E, struct.pack("<HHHI", 1, 0, 0, 1234 << 2 | 2 | 1))
    pieces = read(spreadsheet, start + cells + _record(0x0A, b""), tmp_path)
    assert pieces.text == "Rent\t99.5\n12.34\n"
