"""Which cell of a spreadsheet a place in its text is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core import cell_map
from redwell.core.cell_map import CellMap, CellMapWriter, column_name


@pytest.mark.parametrize(
    ("column", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16383, "XFD")]
)
def test_columns_are_named_as_spreadsheet_programs_name_them(column: int, name: str) -> None:
    assert column_name(column) == name


def test_a_word_is_cited_by_sheet_and_cell_and_what_stands_beside_the_cells_by_none() -> None:
    cells = CellMapWriter()
    cells.sheet("Plain")
    cells.row(5, column=2)
    cells.row(6, column=2)
    cells.sheet("It's 2nd")
    cells.row(1)
    text = "Plain\nfive\t\tE5\nsix\nIt's 2nd\nfirst\na comment\n"
    found = CellMap(cells.encoded(), text)
    places = {word: found.cite(text.index(word)) for word in ("Plain", "five", "E5", "six", "2nd", "first", "comment")}
    assert places == {
        "Plain": "Plain",
        "five": "Plain!C5",
        "E5": "Plain!E5",
        "six": "Plain!C6",
        "2nd": "'It''s 2nd'",
        "first": "'It''s 2nd'!A1",
        "comment": "",
    }


Sheets = st.lists(st.lists(st.integers(1, 60), unique=True).map(sorted), max_size=4)


@given(Sheets)
def test_every_row_is_found_again_whatever_rows_are_empty(sheets: list[list[int]]) -> None:
    cells, lines, places = CellMapWriter(), [], []
    for number, rows in enumerate(sheets):
        cells.sheet(f"S{number}")
        lines.append(f"S{number}")
        places.append(f"S{number}")
        for row in rows:
            cells.row(row, column=number)
            lines.append("word")
            places.append(f"S{number}!{column_name(number)}{row}")
    text = "".join(line + "\n" for line in lines)
    found = CellMap(cells.encoded(), text)
    starts = [sum(len(line) + 1 for line in lines[:place]) for place in range(len(lines))]
    assert [found.cite(start) for start in starts] == places


def test_a_map_that_would_grow_too_long_ends_and_cites_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell_map, "MOST_RUNS", 2)
    cells = CellMapWriter()
    cells.sheet("S")
    for row in (3, 5, 6, 9):
        cells.row(row)
    cells.sheet("T")
    text = "S\na\nb\nc\nd\nT\n"
    found = CellMap(cells.encoded(), text)
    assert [found.cite(text.index(word)) for word in "SabcdT"] == ["S", "S!A3", "", "", "", ""]
