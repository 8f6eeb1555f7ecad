"""What is written is read back equal, by ourselves and by Python's csv; what can't be is told."""

import csv
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.core.loadfiles.formats.dialect import COMMA, CONCORDANCE, TAB, Dialect
from redwell.core.loadfiles.formats.encodings import FoundEncoding, decoded, find_encoding
from redwell.core.loadfiles.formats.rows import Rows
from redwell.core.loadfiles.formats.sniff import find_dialect
from redwell.core.loadfiles.formats.writing import RowWriter
from redwell.core.loadfiles.lines import Lines
from redwell.core.loadfiles.presets import PRESETS

PIPE = Dialect(separator="|", qualifier="", newline_sign="", escape="double")
BACKSLASH = Dialect(separator=",", qualifier='"', newline_sign="", escape="backslash")
DIALECTS = {"dat": CONCORDANCE, "csv": COMMA, "tsv": TAB, "pipe": PIPE, "backslash": BACKSLASH}
ENCODINGS = ["utf-8", "utf-16-le", "utf-16-be", "cp1252"]
# every sign that means something to one of the dialects, line breaks that are none, and letters of many scripts
SIGNS = st.sampled_from('\x14\xfe\xae,;|\t"\\^\r\n\x0b\x0c\x85\u2028\x00 aZ9.-äßŁЖעعह中한😀')
VALUES = st.text(SIGNS, max_size=12) | st.text(st.characters(exclude_categories=["C"]), max_size=12)
TABLES = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(VALUES, min_size=width, max_size=width), min_size=1, max_size=6)
)


def read_back(data: bytes, dialect: Dialect, encoding: str, mark: bool) -> list[list[str]]:
    found = find_encoding([data]) if mark else FoundEncoding(encoding=encoding, reason="given")
    chunks = [data[at : at + 7] for at in range(0, len(data), 7)]  # letters and signs fall apart between chunks
    rows = Rows(Lines(decoded(chunks, found)), dialect)
    return [row.values for row in rows if row.values]


def as_kept(value: str, dialect: Dialect) -> str:
    """The three kinds of line breaks are one where a sign stands for them."""
    return re.sub("\r\n|\r", "\n", value) if dialect.newline_sign else value


@pytest.mark.requirement("A13")
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", DIALECTS)
@given(table=TABLES, mark=st.booleans(), qualify_all=st.booleans())
@settings(max_examples=25, deadline=None)
def test_values_are_read_back_as_written_or_told(
    name: str, encoding: str, table: list[list[str]], mark: bool, qualify_all: bool
) -> None:
    dialect, mark = DIALECTS[name], mark and encoding != "cp1252"
    if name == "pipe" and len(table[0]) == 1:
        table = [[*row, "end"] for row in table]  # a row of one empty value is no row where nothing encloses it
    writer = RowWriter(dialect, encoding, mark, qualify_all)
    data = b"".join(writer.row(row) for row in table)
    told = {(changed.row, changed.column) for changed in writer.changed}
    back = read_back(data, dialect, encoding, mark)
    assert [len(row) for row in back] == [len(row) for row in table]
    for row, (before, after) in enumerate(zip(table, back, strict=True), 1):
        for column, (given_, read) in enumerate(zip(before, after, strict=True), 1):
            assert (row, column) in told or read == as_kept(given_, dialect)


@given(table=TABLES)
@settings(max_examples=60, deadline=None)
def test_the_csv_module_reads_what_concordance_is_given(table: list[list[str]]) -> None:
    writer = RowWriter(CONCORDANCE, "utf-8", False)
    text = b"".join(writer.row(row) for row in table).decode().replace("\x00", "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\x14", quotechar="þ", doublequote=False, strict=True)
    told = {(changed.row, changed.column) for changed in writer.changed}
    for row, values in enumerate(reader, 1):
        for column, value in enumerate(values, 1):
            given_ = as_kept(table[row - 1][column - 1], CONCORDANCE).replace("\x00", "")
            assert (row, column) in told or value.replace("®", "\n") == given_


@pytest.mark.parametrize("value", ["Gunnþór", "Acme® Ltd"])
def test_a_sign_of_the_format_in_a_value_gets_a_stand_in_and_is_told(value: str) -> None:
    writer = RowWriter(CONCORDANCE, "utf-8", False)
    data = writer.row(["A1", value])
    assert [(changed.row, changed.column, changed.value) for changed in writer.changed] == [(1, 2, value)]
    assert read_back(data, CONCORDANCE, "utf-8", False) == [["A1", value.replace("þ", "th").replace("®", "(R)")]]


def test_a_letter_that_the_encoding_has_not_is_told() -> None:
    writer = RowWriter(CONCORDANCE, "cp1252", False)
    assert "?" in writer.row(["中"]).decode("cp1252")
    assert [changed.change.name for changed in writer.changed] == ["LETTER"]


@pytest.mark.parametrize("name", PRESETS)
def test_what_a_preset_writes_is_found_out_again(name: str) -> None:
    layout = PRESETS[name]
    writer = layout.writer()
    header = [layout.named(field) for field in ("BEGBATES", "ENDBATES", "CUSTODIAN", "SUBJECT")]
    rows = [header, ["A001", "A002", "Lee, Ann", "übel, Räume"], ["A003", "A003", "Lee, Ann", "x\ny"]]
    data = b"".join(writer.row(row) for row in rows)
    found = find_encoding([data])
    text = "".join(decoded([data], found))
    dialect = find_dialect(text)
    assert found.encoding == layout.encoding
    assert bool(found.mark) == layout.mark
    assert dialect.header
    assert [row.values for row in Rows(Lines([text]), dialect.dialect, dialect.width)] == rows
