"""7z archives: open ones, those whose members and those whose names are protected."""

import io
from collections.abc import Mapping
from pathlib import Path

import py7zr
import py7zr.properties
import pytest
from tests.support.libarchive_files import made
from tests.support.pieces import Pieces, read

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.outcomes import Outcome
from redwell.handlers.archives import sevenzip

pytestmark = pytest.mark.requirement("A7", "A20")

FILES = {"one.txt": b"valve coating\n" * 500, "two/three.txt": b"four million\n", "four": bytes(range(256)) * 40}


def packed(
    files: Mapping[str, bytes],
    password: str | None = None,
    *,
    names: bool = False,
    filters: list[dict[str, int]] | None = None,
) -> bytes:
    out = io.BytesIO()
    with py7zr.SevenZipFile(out, "w", filters=filters, password=password, header_encryption=names) as writer:
        for name, content in files.items():
            writer.writestr(content, name)
    return out.getvalue()


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read(sevenzip, data, tmp_path, name="sample.7z", **options)


def by_name(pieces: Pieces) -> dict[str, bytes]:
    return {pieces.children[key].name: content for key, content in pieces.contents.items()}


@pytest.mark.parametrize("data", [packed(FILES), made("7zip", FILES)])
def test_every_member_comes_out(data: bytes, tmp_path: Path) -> None:
    pieces = taken(data, tmp_path)
    assert by_name(pieces) == FILES and pieces.error is None
    assert all("file_modified" in child.metadata for child in pieces.children.values())


@pytest.mark.parametrize("names", [False, True])
def test_a_password_opens_members_and_hidden_names(names: bool, tmp_path: Path) -> None:
    pieces = taken(packed(FILES, "correct", names=names), tmp_path, passwords=("wrong", "correct", "other"))
    assert pieces.passwords.has_opened
    assert by_name(pieces) == FILES and pieces.error is None


@pytest.mark.parametrize("passwords", [(), ("wrong",)])
def test_hidden_names_protect_the_whole_archive(passwords: tuple[str, ...], tmp_path: Path) -> None:
    pieces = taken(packed(FILES, "correct", names=True), tmp_path, passwords=passwords)
    assert isinstance(pieces.error, PasswordProtected) and not pieces.lost


@pytest.mark.parametrize("passwords", [(), ("wrong",)])
def test_protected_members_are_named_under_the_locators_that_a_retry_gives_them(
    passwords: tuple[str, ...], tmp_path: Path
) -> None:
    data = packed(FILES, "correct")
    closed, opened = taken(data, tmp_path, passwords=passwords), taken(data, tmp_path, passwords=("correct",))
    assert {lost.outcome for lost in closed.lost.values()} == {Outcome.PASSWORD_PROTECTED}
    assert {key: lost.name for key, lost in closed.lost.items()} == {
        key: child.name for key, child in opened.children.items()
    }
    assert isinstance(closed.error, PasswordProtected)


def test_reading_goes_on_behind_the_last_settled_member(tmp_path: Path) -> None:
    for data, passwords in ((packed(FILES, "correct"), ("correct",)), (packed(FILES), ())):
        assert list(taken(data, tmp_path, passwords=passwords, after="0", skip=frozenset({"1"})).contents) == ["2"]


def test_a_damaged_protected_archive_gives_no_wrong_bytes(tmp_path: Path) -> None:
    data = bytearray(packed(FILES, "correct"))
    data[60] ^= 0xFF
    pieces = taken(bytes(data), tmp_path, passwords=("correct",))
    assert not pieces.contents and pieces.error is not None


def test_an_unfinished_archive_and_one_volume_of_a_set_are_invalid_with_the_reason(tmp_path: Path) -> None:
    data = packed(FILES)
    unfinished = data[:8] + bytes(24) + data[32:]
    assert "never written" in str(taken(unfinished, tmp_path).error)
    first_volume = taken(data[:-40], tmp_path).error
    assert isinstance(first_volume, InvalidFile) and "import all in one folder" in str(first_volume)


def test_limits_hold_behind_a_password(tmp_path: Path) -> None:
    pieces = taken(packed(FILES, "correct"), tmp_path, passwords=("correct",), max_total_bytes=7_100)
    assert len(pieces.contents) == 2 and "max_total_mb" in pieces.troubles[0].detail


@pytest.mark.parametrize("method", [py7zr.FILTER_ZSTD, py7zr.FILTER_BROTLI, py7zr.properties.FILTER_DEFLATE64])
def test_methods_that_libarchive_does_not_know_are_read(method: int, tmp_path: Path) -> None:
    pieces = taken(packed(FILES, filters=[{"id": method, "level": 3}]), tmp_path)
    assert by_name(pieces) == FILES and pieces.error is None


def test_the_password_is_proved_by_a_member_that_needs_it(tmp_path: Path) -> None:
    out = io.BytesIO(packed({"open.txt": b"open"}))
    with py7zr.SevenZipFile(out, "a", password="correct") as writer:
        writer.writestr(b"hidden", "hidden.txt")
    pieces = taken(out.getvalue(), tmp_path, passwords=("wrong", "correct"))
    assert by_name(pieces) == {"open.txt": b"open", "hidden.txt": b"hidden"}
