"""Files of known hashes: built from what NIST publishes, looked up in place."""

import sqlite3
from hashlib import md5
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.adapters.files import known_hashes_builder
from redwell.adapters.files.known_hashes import HashFile
from redwell.core.errors import UserError

pytestmark = pytest.mark.requirement("A12")

EMPTY = md5(b"").digest()


def _hash(number: int) -> bytes:
    return md5(str(number).encode()).digest()


def _rds(path: Path, hashes: list[bytes]) -> Path:
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE METADATA (sha256 TEXT, sha1 TEXT, md5 TEXT, file_name TEXT)")
    database.execute("CREATE VIEW FILE AS SELECT sha1, md5, file_name FROM METADATA")
    rows = [("", "", value.hex().upper(), "setup.exe") for value in hashes]
    database.executemany("INSERT INTO METADATA VALUES (?, ?, ?, ?)", rows)
    database.commit()
    database.close()
    return path


def _legacy(path: Path, hashes: list[bytes]) -> Path:
    lines = ['"SHA-1","MD5","CRC32","FileName","FileSize","ProductCode","OpSystemCode","SpecialCode"']
    lines += [f'"{"0" * 40}","{value.hex().upper()}","00000000","a, ""b"".dll",10,1,"358",""' for value in hashes]
    path.write_bytes("\r\n".join(lines).encode() + b"\r\n\xff\xfe not UTF-8\r\n")
    return path


def test_databases_legacy_files_and_plain_lists_become_one_list(tmp_path: Path) -> None:
    plain = tmp_path / "more.txt"
    plain.write_text(f"{_hash(3).hex()}\n{_hash(1).hex()}  setup.exe\n")
    sources = [_rds(tmp_path / "rds.db", [_hash(1), EMPTY]), _legacy(tmp_path / "NSRLFile.txt", [_hash(2)]), plain]
    told = known_hashes_builder.build([str(source) for source in sources], tmp_path / "known.nist")
    assert (told["hashes"], told["read"]) == (3, 5)
    known = HashFile(tmp_path / "known.nist")
    assert [_hash(number) in known for number in range(5)] == [False, True, True, True, False]
    assert EMPTY not in known
    assert known.note["sources"] == ["rds.db", "NSRLFile.txt", "more.txt"]


@settings(deadline=None, max_examples=30)
@given(st.sets(st.binary(min_size=16, max_size=16), max_size=50), st.binary(min_size=16, max_size=16))
def test_a_hash_is_in_the_file_exactly_when_it_was_put_in(hashes: set[bytes], other: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "list.txt")
        source.write_text("".join(f"{value.hex()}\n" for value in hashes) + _hash(0).hex())
        known_hashes_builder.build([str(source)], Path(folder, "known.nist"))
        known = HashFile(Path(folder, "known.nist"))
        wanted = (hashes | {_hash(0)}) - {EMPTY}
        assert all(value in known for value in wanted)
        assert (other in known) == (other in wanted)
        known.close()


def test_a_hash_across_two_neighbours_is_not_found(tmp_path: Path) -> None:
    first, second = b"\x11" * 8 + b"\x11\x11" + b"\x22" * 6, b"\x11\x11" + b"\x22" * 14
    source = tmp_path / "list.txt"
    source.write_text(f"{first.hex()}\n{second.hex()}\n")
    known_hashes_builder.build([str(source)], tmp_path / "known.nist")
    across = min(first, second)[8:] + max(first, second)[:8]
    assert across not in HashFile(tmp_path / "known.nist")


def test_what_is_no_source_or_no_list_is_said(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing here\n")
    with pytest.raises(UserError, match="no MD5 was found"):
        known_hashes_builder.build([str(tmp_path / "notes.txt")], tmp_path / "known.nist")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE t (a)").connection.close()
    with pytest.raises(UserError, match="no RDSv3 database"):
        known_hashes_builder.build([str(tmp_path / "other.db")], tmp_path / "known.nist")
    for missing in ("missing", "notes.txt"):
        with pytest.raises(UserError, match="no file of known hashes"):
            HashFile(tmp_path / missing)


def test_a_list_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(_hash(1).hex())
    known_hashes_builder.build([str(tmp_path / "list.txt")], tmp_path / "known.nist")
    (tmp_path / "cut.nist").write_bytes((tmp_path / "known.nist").read_bytes()[:-1])
    with pytest.raises(UserError, match="cut off"):
        HashFile(tmp_path / "cut.nist")
