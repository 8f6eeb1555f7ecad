"""Spreadsheets as PDF: nothing hidden, nothing cut, and an end where nobody would read on."""

import tempfile
from pathlib import Path

import pytest
from tests.support.office_files import row, xlsx
from tests.support.pieces import FileSource
from tests.support.rendered import Rendered, page_size, page_texts, text_of

from redwell.core.errors import BadInput
from redwell.core.handler import Artifact, Document, Options, Trouble
from redwell.handlers.render.office import sheets_pdf
from redwell.handlers.render.office.sheet_pages import lay_out

pytestmark = pytest.mark.requirement("A6", "A7")
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HIDING = (
    '<cols><col min="2" max="2" width="9" hidden="1" customWidth="1"/></cols><sheetData>'
    + row(1, "shown", "in a hidden column", "beside")
    + row(2, "in a hidden row").replace("<row ", '<row hidden="1" ')
    + row(3, "outside of the print area", "a text that is longer than its column is wide", "next")
    + '<row r="4"><c r="A4"><f>TODAY()</f><v>36526</v></c></row></sheetData>'
)
WIDE = "<sheetData>" + row(1, *(f"column {chr(65 + n)} of many" for n in range(14))) + "</sheetData>"
LONG = "<sheetData>" + "".join(row(n, f"row {n}") for n in range(1, 400)) + "</sheetData>"
SECRET = "<sheetData>" + row(1, "of a hidden sheet") + "</sheetData>"
BOOKS = {
    "hidden.xlsx": xlsx({"One": HIDING, "Secret": SECRET}, hidden=("Secret",)),
    "bad.xlsx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4_000),
    "wide.xlsx": xlsx({"Wide": WIDE}),
    "long.xlsx": xlsx({"Long": LONG}),
    "empty.xlsx": xlsx({"Empty": "<sheetData/>"}),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rendered]:
    scratch = tmp_path_factory.mktemp("sheets")
    documents = []
    for name, data in BOOKS.items():
        (scratch / name).mkdir()
        options = Options(name=name, media_type=XLSX, sheet_pages=4)
        documents.append(Document(source=FileSource(data, scratch / name), options=options))
    found = {name: Rendered() for name in BOOKS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(scratch))  # where LibreOffice's profile is: two can't share one
        pieces = list(sheets_pdf.extract_many(documents, scratch))
    for number, piece in pieces:
        here = found[list(BOOKS)[number]]
        if isinstance(piece, BadInput):
            here.error = piece
        elif isinstance(piece, Trouble):
            here.troubles.append(piece)
        elif isinstance(piece, Artifact):
            data = piece.data.read_bytes() if isinstance(piece.data, Path) else bytes(piece.data)
            here.made, here.pages = {"pdf": data}, {"pdf": piece.amount}
    return found


def test_hidden_rows_columns_and_sheets_are_shown(made: dict[str, Rendered]) -> None:
    shown = text_of(made["hidden.xlsx"].pdf)
    for said in ("in a hidden column", "in a hidden row", "of a hidden sheet", "outside of the print area", "Secret"):
        assert said in shown, shown


def test_texts_are_whole_and_cells_stay_as_they_were_last_shown(made: dict[str, Rendered]) -> None:
    shown = text_of(made["hidden.xlsx"].pdf)
    assert "a text that is longer than its column is wide" in shown
    assert "36526" in shown, "the day that the file has, not today"


def test_a_wide_table_is_made_to_fit_a_page_on_its_side(made: dict[str, Rendered]) -> None:
    pages = page_texts(made["wide.xlsx"].pdf)
    assert len(pages) == 1 and "column A of many" in pages[0] and "column N of many" in pages[0]
    width, height = page_size(made["wide.xlsx"].pdf)
    assert width > height


def test_a_long_one_ends_at_the_limit_with_a_note(made: dict[str, Rendered]) -> None:
    pages = page_texts(made["long.xlsx"].pdf)
    assert len(pages) == made["long.xlsx"].pages["pdf"] == 5
    assert "row 1" in pages[0] and "The PDF ends here, after 4 pages (setting sheet_pages)" in " ".join(
        pages[4].split()
    )
    assert [trouble.partial for trouble in made["long.xlsx"].troubles] == [False]


def test_an_empty_one_says_so_and_a_bad_one_costs_no_other(made: dict[str, Rendered]) -> None:
    assert "no cell with anything in it" in text_of(made["empty.xlsx"].pdf)
    assert made["bad.xlsx"].error and not made["bad.xlsx"].made


def test_rows_beyond_those_that_fill_the_pages_are_not_laid_out(tmp_path: Path) -> None:
    rows = '<table:table-row>\n<table:table-cell office:value-type="string">\n</table:table-cell>\n</table:table-row>\n'
    table = f'<table:table table:name="a">\n<table:table-column/>\n{rows * 300}</table:table>\n'
    (tmp_path / "a").write_text(f"<office:document>\n{table}</office:document>\n")
    laid = lay_out(tmp_path / "a", tmp_path / "b", most_pages=2)
    assert laid.rows_left_out == 120 and (tmp_path / "b").read_text().count("<table:table-row") == 180
