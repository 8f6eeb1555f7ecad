"""Images of CDs with whole sectors give the files of their ISO 9660 side."""

from pathlib import Path

import pytest
from tests.support.libarchive_files import made
from tests.support.pieces import FileSource, Pieces, read, read_from
from tests.support.raw_discs import GAP, USED, in_sectors, synced

from redwell.core.errors import Unsupported
from redwell.core.outcomes import Code
from redwell.handlers.disks import raw_disc

pytestmark = pytest.mark.requirement("A7", "A20")

FILES = {"letter.txt": b"the settlement is four million\n" * 300, "sub/empty": b""}
NERO = b"DAOX" + bytes(80) + b"NER5" + bytes(8)
NERO_OF_OLD = b"DAOI" + bytes(80) + b"NERO" + bytes(4)
ISO = made("iso9660", FILES)
IMAGES = {
    "BIN, mode 1": in_sectors(ISO, *synced(1)),
    "BIN, mode 2": in_sectors(ISO, *synced(2)),
    "MDF with subchannels": in_sectors(ISO, *synced(1, around=bytes(96))),
    "NRG": in_sectors(ISO, gap=GAP) + NERO,
    "NRG of old": in_sectors(ISO, gap=GAP) + NERO_OF_OLD,
    "NRG, raw": in_sectors(ISO, *synced(1), gap=GAP) + NERO,
    "NRG, mode 2 without sync": in_sectors(ISO, bytes((0, 0, 8, 0)) * 2, bytes(280), gap=GAP) + NERO,
}


@pytest.mark.parametrize("kind", IMAGES)
def test_the_files_of_an_image_come_out_whole(kind: str, tmp_path: Path) -> None:
    pieces = read(raw_disc, IMAGES[kind], tmp_path, name="backup.bin")
    assert (pieces.error, pieces.troubles) == (None, [])
    assert {pieces.children[key].name: content for key, content in pieces.contents.items()} == FILES


def large(tmp_path: Path, *around: bytes, behind: int = 0) -> Pieces:
    """Of an image that libarchive reads from a file, with so many further sectors."""
    (tmp_path / "there").mkdir()
    image = in_sectors(made("iso9660", {"big.bin": bytes(range(256)) * 8192}) + bytes(behind * USED), *around)
    return read_from(raw_disc, FileSource(image, tmp_path / "there"), tmp_path)


def test_a_large_image_is_read_without_what_stands_around_its_data(tmp_path: Path) -> None:
    pieces = large(tmp_path, *synced(1))
    assert list(pieces.contents.values()) == [bytes(range(256)) * 8192]
    assert pieces.troubles == []


def test_tracks_behind_the_file_system_are_named(tmp_path: Path) -> None:
    troubles = large(tmp_path, *synced(1), behind=2000).troubles
    assert [(each.code, each.partial) for each in troubles] == [(Code.MEMBER_FAILED, True)]
    assert "2000 sectors behind the file system" in troubles[0].detail


def test_sectors_of_video_are_named(tmp_path: Path) -> None:
    troubles = read(raw_disc, in_sectors(ISO, *synced(2, submode=0x28)), tmp_path).troubles
    assert [each.code for each in troubles] == [Code.MEMBER_FAILED] and "video or sound" in troubles[0].detail


def test_an_image_without_an_iso_side_is_unsupported_and_says_what_to_do(tmp_path: Path) -> None:
    pieces = read(raw_disc, in_sectors(bytes(40 * USED), *synced(1)), tmp_path)
    assert isinstance(pieces.error, Unsupported) and "import the files" in str(pieces.error)


@pytest.mark.parametrize("kind", ["BIN, mode 1", "NRG"])
def test_an_image_that_is_cut_off_costs_what_is_missing(kind: str, tmp_path: Path) -> None:
    whole = IMAGES[kind]
    at = whole.index(FILES["letter.txt"][:100])
    pieces = read(raw_disc, whole[: at + 2400], tmp_path, media_type="application/x-raw-cd-image")
    assert [lost.name for lost in pieces.lost.values()] == ["letter.txt"]
    assert pieces.names == ["sub/empty"]
