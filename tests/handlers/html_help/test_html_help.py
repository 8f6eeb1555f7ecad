"""Compiled HTML help gives its pages, packed or not."""

from pathlib import Path

import pytest
from tests.support.help_files import FILES, PACKED, chm
from tests.support.pieces import FileSource, Pieces, read_from

from redwell.core.errors import InvalidFile, Unsupported
from redwell.core.outcomes import Outcome
from redwell.handlers.archives import chm_reader, html_help
from redwell.handlers.unpacking.system_libraries import SONAMES

pytestmark = pytest.mark.requirement("A7", "A20")


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read_from(html_help, FileSource(data, tmp_path), tmp_path, name="rent.chm", **options)


def by_name(pieces: Pieces) -> dict[str, bytes]:
    return {pieces.children[key].name: content for key, content in pieces.contents.items()}


def test_pages_come_out_and_the_compilers_index_is_counted(tmp_path: Path) -> None:
    pieces = taken(chm(), tmp_path)
    assert by_name(pieces) == {name.lstrip("/"): data for name, data in (FILES | PACKED).items()}
    assert (pieces.error, list(pieces.lost), len(pieces.skipped)) == (None, [], 1)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_a_large_page_comes_out_as_a_file(tmp_path: Path) -> None:
    data = b"<html>" + b"rent " * 300_000
    assert by_name(taken(chm({"/a.htm": data}, {}), tmp_path)) == {"a.htm": data}


def test_what_is_settled_already_is_left_out(tmp_path: Path) -> None:
    first, *others = taken(chm(), tmp_path).contents
    assert list(taken(chm(), tmp_path, skip=frozenset({first})).contents) == others


def test_limits_hold_before_a_page_is_unpacked(tmp_path: Path) -> None:
    pieces = taken(chm(), tmp_path, max_member_bytes=30)
    assert set(by_name(pieces)) == {"rent.css", "note.txt"}
    assert {lost.outcome for lost in pieces.lost.values()} == {Outcome.TOO_LARGE}


def test_a_damaged_block_costs_the_pages_in_it(tmp_path: Path) -> None:
    data = chm()
    at = data.index(PACKED["/pages/rent.htm"]) - 16
    pieces = taken(data[:at] + b"\xff\xff" + data[at + 2 :], tmp_path)
    assert set(by_name(pieces)) == {"pages/lease.htm", "rent.css"}
    assert {lost.outcome for lost in pieces.lost.values()} == {Outcome.INVALID_FILE}


@pytest.mark.parametrize("length", [20, 0x60, 0x100])
def test_a_file_without_its_directory_is_invalid(length: int, tmp_path: Path) -> None:
    assert isinstance(taken(chm()[:length], tmp_path).error, InvalidFile)


def test_without_the_library_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SONAMES, "libmspack0", "libmspack.so.none")
    chm_reader._library.cache_clear()
    pieces = taken(chm(), tmp_path)
    assert isinstance(pieces.error, Unsupported) and "libmspack0" in str(pieces.error)
    chm_reader._library.cache_clear()
