"""Windows images give exact files."""

import os
from pathlib import Path

import pytest
from tests.support.pieces import FileSource, Pieces, read_from
from tests.support.wim_files import FILES, PACKED

from redwell.core.errors import InvalidFile, Unsupported
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.disks import wim, wim_reader
from redwell.handlers.disks.wim_reader import Wim, WimEntry
from redwell.handlers.unpacking.system_libraries import SONAMES

pytestmark = pytest.mark.requirement("A7", "A20")


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read_from(wim, FileSource(data, tmp_path), tmp_path, name="image.wim", **options)


def by_name(pieces: Pieces) -> dict[str, bytes]:
    return {pieces.children[key].name: content for key, content in pieces.contents.items()}


def test_files_come_out_and_links_and_folders_are_counted(tmp_path: Path) -> None:
    pieces = taken(PACKED, tmp_path)
    assert by_name(pieces) == FILES and pieces.error is None and len(pieces.skipped) == 2
    assert {str(child.metadata["file_modified"]) for child in pieces.children.values()} == {"2020-09-13T12:26:40Z"}


def test_the_standard_output_is_left_as_it_was(tmp_path: Path) -> None:
    before, opened = os.fstat(1), set(os.listdir("/proc/self/fd"))
    taken(PACKED, tmp_path)
    # other tests' files may be closed meanwhile, whenever Python collects them; none may be open that was not
    assert os.fstat(1) == before and set(os.listdir("/proc/self/fd")) <= opened


def test_limits_hold_while_a_file_is_written(tmp_path: Path) -> None:
    pieces = taken(PACKED, tmp_path, max_member_bytes=100)
    assert set(by_name(pieces)) == {"two/three.txt", "ä.txt"}
    assert [lost.outcome for lost in pieces.lost.values()] == [Outcome.TOO_LARGE]


def test_what_is_cut_off_is_invalid(tmp_path: Path) -> None:
    assert isinstance(taken(PACKED[: len(PACKED) // 2], tmp_path).error, InvalidFile)


def test_a_damaged_file_costs_itself_alone(tmp_path: Path) -> None:
    at = PACKED.find(b"four million")
    pieces = taken(PACKED[:at] + b"five" + PACKED[at + 4 :], tmp_path)
    assert set(by_name(pieces)) == {"one.txt", "ä.txt"}
    assert [lost.outcome for lost in pieces.lost.values()] == [Outcome.INVALID_FILE]


def test_alternate_streams_are_not_passed_over_in_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wim, "entries", lambda *_: [WimEntry(1, b"/one.txt", 0, False, False, 2)])
    [trouble] = taken(PACKED, tmp_path).troubles
    assert trouble.code is Code.FILE_MISSING_OR_INCOMPLETE and trouble.detail.startswith("2 alternate")


def test_without_the_library_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SONAMES, "libwim15", "libwim.so.none")
    wim_reader._library.cache_clear()
    pieces = taken(PACKED, tmp_path)
    assert isinstance(pieces.error, Unsupported) and "libwim15" in str(pieces.error)
    wim_reader._library.cache_clear()
