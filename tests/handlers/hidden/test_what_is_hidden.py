"""What is hidden or easily overlooked is extracted and flagged, in every format that can hide."""

import struct
from pathlib import Path

import pytest
from tests.support.office_files import docx, odf, pptx, row, slide, xlsx
from tests.support.pieces import read, read_by_type

from redwell.handlers.sheets import biff, sheetml, spreadsheet
from redwell.handlers.slides import slides
from redwell.handlers.structures import kreuzberg_reader
from redwell.handlers.word import word_changes

pytestmark = pytest.mark.requirement("A7")

_TEXT = "application/vnd.oasis.opendocument.text"
_SHEET = "application/vnd.oasis.opendocument.spreadsheet"
_SLIDES = "application/vnd.oasis.opendocument.presentation"


def test_hidden_rows_columns_and_formulas_of_a_workbook_are_told_apart(tmp_path: Path) -> None:
    columns = '<cols><col min="1" max="1" hidden="1"/></cols>'
    formula = '<row r="2"><c r="A2"><f>1+1</f><v>2</v></c></row>'
    values = read(spreadsheet, xlsx({"A": f"{columns}<sheetData>{formula}</sheetData>"}), tmp_path).metadata
    assert values["has_hidden"] and values["has_hidden_columns"] and values["has_formulas"]
    assert "has_hidden_rows" not in values
    hidden = row(1, "secret").replace("<row ", '<row hidden="1" ')
    values = read(spreadsheet, xlsx({"A": f"<sheetData>{hidden}</sheetData>"}), tmp_path).metadata
    assert values["has_hidden_rows"] is True
    assert "has_formulas" not in values


def test_links_to_other_workbooks_are_flagged(tmp_path: Path) -> None:
    data = xlsx({"A": "<sheetData/>"}, **{"spreadsheetml.externalLink": "<externalLink/>"})
    assert read(spreadsheet, data, tmp_path).metadata["has_external_links"] is True


@pytest.mark.parametrize(
    ("kind", "body", "fact"),
    [
        (0x7D, bytes(8) + b"\1\0", "hidden_columns"),
        (0x0208, bytes(12) + b"\x20\0", "hidden_rows"),
        (0x06, bytes(20), "formulas"),
    ],
)
def test_records_of_an_old_workbook_hide_rows_and_columns(kind: int, body: bytes, fact: str) -> None:
    walk = biff.walk(struct.pack("<HH", kind, len(body)) + body)
    told = {name for name in ("hidden_columns", "hidden_rows", "formulas") if getattr(walk, name)}
    assert told == {fact}


def test_hidden_rows_and_formulas_of_an_opendocument_sheet_are_flagged(tmp_path: Path) -> None:
    cell = '<table:table-cell table:formula="of:=1+1"><text:p>2</text:p></table:table-cell>'
    rows = f'<table:table-row table:visibility="filter">{cell}</table:table-row>'
    table = f'<table:table table:name="T">{rows}</table:table>'
    values = read(spreadsheet, odf(f"<office:spreadsheet>{table}</office:spreadsheet>", _SHEET), tmp_path).metadata
    assert values["has_hidden_rows"] and values["has_formulas"]
    assert "has_hidden_columns" not in values


def test_hidden_slides_are_counted(tmp_path: Path) -> None:
    values = read(slides, pptx([slide("a"), slide("b", 'show="0"'), slide("c", 'show="0"')], {}), tmp_path).metadata
    assert (values["has_hidden"], values["hidden_slides"]) == (True, 2)
    properties = '<style:drawing-page-properties presentation:visibility="hidden"/>'
    style = f'<style:style xmlns:style="s" style:name="dp1" style:family="drawing-page">{properties}</style:style>'
    pages = '<draw:page draw:name="1" draw:style-name="dp1"/><draw:page draw:name="2" draw:style-name="dp2"/>'
    data = odf(f"{style}<office:presentation>{pages}</office:presentation>", _SLIDES)
    assert read(slides, data, tmp_path).metadata["hidden_slides"] == 1


def _formatted(*codes: bytes) -> tuple[bytes, bytes]:
    """The body and table of a Word document with one page of formatting."""
    page = bytearray(512)
    page[511] = len(codes)
    place = 256
    for number, formatting in enumerate(codes):
        page[4 * (len(codes) + 1) + number] = place // 2
        page[place : place + 1 + len(formatting)] = bytes((len(formatting),)) + formatting
        place += 32
    body = bytearray(512)
    struct.pack_into("<II", body, 0xFA, 0, 12)
    return bytes(body + page), struct.pack("<III", 0, 100, 1)


@pytest.mark.parametrize(
    ("formatting", "found"),
    [
        (b"\x35\x08\x01", (False, False)),  # bold
        (b"\x03\x6a\x00\x00\x00\x00\x01\x08\x01", (True, False)),  # a picture's place, then inserted
        (b"\x00\x08\x01", (True, False)),
        (b"\x3c\x08\x01", (False, True)),
        (b"\x3c\x08\x00", (False, False)),
    ],
)
def test_changes_and_hidden_words_of_an_old_document_are_noticed(formatting: bytes, found: tuple[bool, bool]) -> None:
    assert word_changes.marks(*_formatted(b"\x35\x08\x01", formatting)) == found


def test_a_damaged_table_of_formatting_says_nothing() -> None:
    assert word_changes.marks(b"short", b"") == (False, False)
    body, table = _formatted(b"\x3c\x08\x01")
    assert word_changes.marks(body[:600], table) == (False, False)


def test_kreuzberg_is_asked_where_our_reader_found_no_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kreuzberg_reader, "text", lambda data, media_type: "what it found")
    padding = bytes(range(256)) * 100
    pieces = read_by_type(docx("<w:p/>", word__media__a=padding * 3), tmp_path)
    assert pieces.text.strip() == ""  # it packs to less than what is worth a look
    from random import Random

    pieces = read_by_type(docx("<w:p/>", word__media__a=Random(1).randbytes(20_000)), tmp_path)
    assert pieces.text.strip() == "what it found"
    assert "our reader found no words" in pieces.troubles[0].detail
    assert not pieces.troubles[0].partial


@pytest.mark.parametrize(
    ("kind", "body", "fact"),
    [
        (0, bytes(11) + b"\x10", "hidden_rows"),
        (60, bytes(16) + b"\x01\0", "hidden_columns"),
        (9, bytes(20), "formulas"),
    ],
)
def test_records_of_a_binary_package_hide_rows_and_columns(kind: int, body: bytes, fact: str) -> None:
    looks = sheetml.Looks()
    sheetml._look_binary(bytes((kind, len(body))) + body, "xl/sheet1.bin", looks)
    told = {name for name in ("hidden_columns", "hidden_rows", "formulas") if getattr(looks, name)}
    assert told == {fact}


def test_words_with_a_hiding_style_are_flagged(tmp_path: Path) -> None:
    style = '<style:style style:name="T1"><style:text-properties text:display="none"/></style:style>'
    body = '<office:text><text:p>open <text:span text:style-name="T1">secret</text:span></text:p></office:text>'
    named = ' xmlns:style="s"'
    for data in (
        odf(f"<office:x{named}>{style}</office:x>{body}", _TEXT),
        _flat(f"<office:x{named}>{style}</office:x>{body}", _TEXT),
    ):
        pieces = read_by_type(data, tmp_path)
        assert "secret" in pieces.text and pieces.metadata["has_hidden_text"] and pieces.metadata["has_hidden"]


def test_a_flat_sheet_says_what_it_hides(tmp_path: Path) -> None:
    style = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
    row = "<table:table-row{}><table:table-cell><text:p>words</text:p></table:table-cell></table:table-row>"
    hiding = ' table:visibility="collapse"'
    for tables, told in (
        (f'<table:table table:name="a" table:style-name="ta2">{row.format("")}</table:table>', set()),
        (f"<table:table>{row.format(hiding)}</table:table>", {"has_hidden_rows"}),
    ):
        inside = f'<office:x xmlns:style="s">{style}</office:x><office:spreadsheet>{tables}</office:spreadsheet>'
        values = read(spreadsheet, _flat(inside, _SHEET), tmp_path).metadata
        assert told | {"has_hidden"} == {name for name in values if name.startswith("has_")}


def _flat(inside: str, media_type: str) -> bytes:
    spaces = ' xmlns:office="o" xmlns:text="t" xmlns:table="b"'
    head = f'<?xml version="1.0"?><office:document{spaces} office:mimetype="{media_type}">'
    return f"{head}<office:body>{inside}</office:body></office:document>".encode()


def test_excels_single_file_xml_says_what_it_hides(tmp_path: Path) -> None:
    cell = '<Cell ss:Formula="=1+1"><Data>2</Data><Comment ss:Author="Ann"><ss:Data>Why?</ss:Data></Comment></Cell>'
    rows = f'<Table><Column ss:Hidden="1"/><Row ss:Hidden="1">{cell}</Row></Table>'
    sheet = (
        f'<Worksheet ss:Name="S">{rows}<WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions></Worksheet>'
    )
    pieces = read(spreadsheet, _excel_2003(sheet), tmp_path)
    assert "Why?" in pieces.text
    assert {name for name in pieces.metadata if name.startswith("has_")} == {
        *("has_hidden", "has_hidden_rows", "has_hidden_columns", "has_formulas", "has_comments")
    }
    plain = _excel_2003('<Worksheet ss:Name="S"><Table><Row><Cell><Data>2</Data></Cell></Row></Table></Worksheet>')
    assert not [name for name in read(spreadsheet, plain, tmp_path).metadata if name.startswith("has_")]


def _excel_2003(sheet: str) -> bytes:
    head = '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="x" xmlns:ss="x">'
    return f"{head}{sheet}</Workbook>".encode()
