"""Data of documents as tables."""

from pathlib import Path

import duckdb

from redwell.ports.understanding import DocumentData
from redwell.runtime.bootstrap.tables_out import write_table
from redwell.runtime.understanding.exporting import columns_of, row_of

ROWS = [
    DocumentData(
        exhibit=1,
        control_number="RW1",
        schema="invoice",
        data={"total": "2.50 EUR", "date": None, "lines": [{"amount": "2.50"}]},
        needs_review=True,
    ),
    DocumentData(exhibit=2, control_number="RW2", schema="letter", data={"sender": "Ann's"}, needs_review=False),
]


def test_each_document_is_a_row_whatever_its_schema() -> None:
    assert columns_of(ROWS)[3:] == ["invoice.total", "invoice.date", "invoice.lines", "letter.sender"]
    assert row_of(ROWS[0])["invoice.lines"] == '[{"amount": "2.50"}]' and row_of(ROWS[0])["invoice.date"] == ""


def test_a_parquet_file_holds_the_same(tmp_path: Path) -> None:
    path = tmp_path / "it's data.parquet"
    write_table(path, columns_of(ROWS), [row_of(each) for each in ROWS])
    with duckdb.connect(":memory:") as database:
        query = 'SELECT control_number, "invoice.total", "letter.sender" FROM read_parquet(?)'
        assert database.execute(query, [str(path)]).fetchall() == [("RW1", "2.50 EUR", None), ("RW2", None, "Ann's")]
    assert list(tmp_path.iterdir()) == [path]
