"""dBASE tables, SQLite files and Access databases."""

import struct
from pathlib import Path

import pytest
from tests.support.other_documents import access_file, dbf, dbf_row, sqlite_file
from tests.support.pieces import read

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.handlers.sheets import database

pytestmark = pytest.mark.requirement("A6")


def test_a_dbase_table_gives_a_line_a_row_and_marks_deleted_ones(tmp_path: Path) -> None:
    rows = [dbf_row("Müller".encode("cp850"), 7), dbf_row(b"Smith", -1, b"*")]
    pieces = read(database, dbf(rows, driver=2), tmp_path)
    assert pieces.text == "NAME\tN\nMüller\t7\n[deleted]\tSmith\t-1\n"
    assert pieces.metadata["deleted_rows"] == 1
    assert pieces.metadata["has_hidden"] is True


def _foxpro(*cells: tuple[str, bytes]) -> bytes:
    """A Visual FoxPro table with one row."""
    columns = b"".join(
        f"C{n}".encode().ljust(11, b"\0") + kind.encode() + bytes(4) + bytes((len(raw), 0)) + bytes(14)
        for n, (kind, raw) in enumerate(cells)
    )
    row = b" " + b"".join(raw for _, raw in cells)
    head = struct.pack("<4BIHH16xBBxx", 0x30, 116, 5, 24, 1, 32 + len(columns) + 264, len(row), 0, 3)
    return head + columns + b"\r" + bytes(263) + row + b"\x1a"


def test_dates_and_binary_numbers_of_a_table_are_told_as_people_read_them(tmp_path: Path) -> None:
    moment = struct.pack("<ii", 2_457_535, 45_000_000)
    data = _foxpro(
        *(("D", b"20160526"), ("T", moment), ("Y", struct.pack("<q", 12_345_000)), ("B", struct.pack("<d", 0.25))),
        *(("T", bytes(8)), ("M", struct.pack("<I", 7)), ("0", b"\1"), ("C", b"end")),
    )
    pieces = read(database, data, tmp_path)
    assert pieces.text.splitlines()[1] == "2016-05-26\t2016-05-26 12:30:00\t1234.5000\t0.25\t\t\t\tend"
    assert (pieces.metadata["modified"], pieces.metadata["modified_has_zone"]) == ("2016-05-24T00:00:00", False)


def test_a_table_with_fewer_rows_than_it_says_is_not_whole(tmp_path: Path) -> None:
    pieces = read(database, dbf([dbf_row(b"Smith", 1)], count=9), tmp_path)
    assert pieces.text.endswith("Smith\t1\n")
    assert isinstance(pieces.error, InvalidFile)


def test_the_encoding_of_a_table_that_names_none_is_detected(tmp_path: Path) -> None:
    names = ["Иванов Пётр", "Соколова", "Договор", "Приложение", "Петербург"]
    pieces = read(database, dbf([dbf_row(name.encode("cp1251"), 1) for name in names]), tmp_path)
    assert [line.split("\t")[0] for line in pieces.text.splitlines()[1:]] == names


def test_a_table_that_is_cut_off_keeps_its_rows(tmp_path: Path) -> None:
    pieces = read(database, dbf([dbf_row(b"Smith", 1)], count=9)[:-1] + b" Jon", tmp_path)
    assert pieces.text.endswith("Smith\t1\n")
    assert isinstance(pieces.error, InvalidFile)


def test_sqlite_tables_are_lines_and_views_are_not_run(tmp_path: Path) -> None:
    data = sqlite_file(
        "CREATE TABLE deals (name TEXT, price REAL, scan BLOB)",
        "INSERT INTO deals VALUES ('普林斯顿', 2.5, x'0102'), ('tab\there', NULL, NULL)",
        "CREATE VIEW forever AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n",
    )
    pieces = read(database, data, tmp_path)
    assert pieces.text == "deals\nname\tprice\tscan\n普林斯顿\t2.5\t[2 bytes]\ntab here\n"
    assert pieces.metadata["tables"] == ["deals"]


def test_a_damaged_sqlite_file_is_invalid(tmp_path: Path) -> None:
    damaged = bytearray(sqlite_file("CREATE TABLE t (a)"))
    damaged[100:] = b"\xff" * (len(damaged) - 100)
    assert isinstance(read(database, bytes(damaged), tmp_path).error, InvalidFile)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (access_file(1), Unsupported),
        (access_file(3), Unsupported),
        (access_file(1, page_key=5), PasswordProtected),
        (access_file(0, password=b"secret"), PasswordProtected),
        (access_file(1, password="secret".encode("utf-16-le")), PasswordProtected),
        (access_file(3, crypto=1055), PasswordProtected),
        (access_file(3)[:200], InvalidFile),
    ],
)
def test_an_access_database_is_named_with_its_version(data: bytes, error: type, tmp_path: Path) -> None:
    pieces = read(database, data, tmp_path)
    assert isinstance(pieces.error, error)
    assert pieces.metadata.get("format_version", "Access").startswith("Access")


@pytest.mark.parametrize(("year", "told"), [(16, "2016"), (116, "2016"), (95, "1995")])
def test_the_year_of_a_table_is_right_whichever_century_its_program_counts_from(
    year: int, told: str, tmp_path: Path
) -> None:
    data = bytearray(dbf([dbf_row(b"Smith", 1)]))
    data[1] = year
    assert read(database, bytes(data), tmp_path).metadata["modified"].startswith(told)
