"""dBASE tables, SQLite files and Access databases (SPEC A6)."""

import sqlite3
import struct
from pathlib import Path

import pytest
from tests.support.pieces import read

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.handlers import database
from redwell.handlers.documents import access


def _dbf(rows: list[bytes], driver: int = 0, count: int | None = None) -> bytes:
    columns = b"NAME".ljust(11, b"\0") + b"C" + bytes(4) + bytes((12, 0)) + bytes(14)
    columns += b"N".ljust(11, b"\0") + b"I" + bytes(4) + bytes((4, 0)) + bytes(14)
    header = 32 + len(columns) + 1
    head = struct.pack("<4BIHH16xBBxx", 3, 120, 5, 6, len(rows) if count is None else count, header, 17, 0, driver)
    return head + columns + b"\r" + b"".join(rows) + b"\x1a"


def _row(name: bytes, number: int, mark: bytes = b" ") -> bytes:
    return mark + name.ljust(12) + struct.pack("<i", number)


def test_a_dbase_table_gives_a_line_a_row_and_marks_deleted_ones(tmp_path: Path) -> None:
    rows = [_row("Müller".encode("cp850"), 7), _row(b"Smith", -1, b"*")]
    pieces = read(database, _dbf(rows, driver=2), tmp_path)
    assert pieces.text == "NAME\tN\nMüller\t7\n[deleted]\tSmith\t-1\n"
    assert pieces.metadata["deleted_rows"] == 1
    assert pieces.metadata["has_hidden"] is True


def test_the_encoding_of_a_table_that_names_none_is_detected(tmp_path: Path) -> None:
    names = ["Иванов Пётр", "Соколова", "Договор", "Приложение", "Петербург"]
    pieces = read(database, _dbf([_row(name.encode("cp1251"), 1) for name in names]), tmp_path)
    assert [line.split("\t")[0] for line in pieces.text.splitlines()[1:]] == names


def test_a_table_that_is_cut_off_keeps_its_rows(tmp_path: Path) -> None:
    pieces = read(database, _dbf([_row(b"Smith", 1)], count=9)[:-1] + b" Jon", tmp_path)
    assert pieces.text.endswith("Smith\t1\n") or isinstance(pieces.error, InvalidFile)
    assert isinstance(pieces.error, InvalidFile)


def _sqlite(*statements: str) -> bytes:
    connection = sqlite3.connect(":memory:")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    data = connection.serialize()
    connection.close()
    return bytes(data)


def test_sqlite_tables_are_lines_and_views_are_not_run(tmp_path: Path) -> None:
    data = _sqlite(
        "CREATE TABLE deals (name TEXT, price REAL, scan BLOB)",
        "INSERT INTO deals VALUES ('普林斯顿', 2.5, x'0102'), ('tab\there', NULL, NULL)",
        "CREATE VIEW forever AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n",
    )
    pieces = read(database, data, tmp_path)
    assert pieces.text == "deals\nname\tprice\tscan\n普林斯顿\t2.5\t[2 bytes]\ntab here\n"
    assert pieces.metadata["tables"] == ["deals"]


def test_a_damaged_sqlite_file_is_invalid(tmp_path: Path) -> None:
    damaged = bytearray(_sqlite("CREATE TABLE t (a)"))
    damaged[100:] = b"\xff" * (len(damaged) - 100)
    assert isinstance(read(database, bytes(damaged), tmp_path).error, InvalidFile)


def _access(version: int, *, page_key: int = 0, password: bytes = b"", crypto: int = 0) -> bytes:
    clear = bytearray(4096)
    struct.pack_into("<I", clear, 0x3E, page_key)
    clear[0x42 : 0x42 + len(password)] = password
    masked = bytearray(clear)
    masked[0x18 : 0x18 + 128] = access._rc4(bytes(clear[0x18 : 0x18 + 128]))
    masked[:20] = b"\x00\x01\x00\x00Standard Jet DB\0" if version < 2 else b"\x00\x01\x00\x00Standard ACE DB\0"
    struct.pack_into("<I", masked, 0x14, version)
    struct.pack_into("<H", masked, 0x299, crypto)
    return bytes(masked)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (_access(1), Unsupported),
        (_access(3), Unsupported),
        (_access(1, page_key=5), PasswordProtected),
        (_access(0, password=b"secret"), PasswordProtected),
        (_access(1, password="secret".encode("utf-16-le")), PasswordProtected),
        (_access(3, crypto=1055), PasswordProtected),
        (_access(3)[:200], InvalidFile),
    ],
)
def test_an_access_database_is_named_with_its_version(data: bytes, error: type, tmp_path: Path) -> None:
    pieces = read(database, data, tmp_path)
    assert isinstance(pieces.error, error)
    assert pieces.metadata.get("format_version", "Access").startswith("Access")
