"""UDF images, and ISO images whose UDF side holds more, give exact bytes."""

import io
from pathlib import Path

import pytest
from tests.support.libarchive_files import made
from tests.support.pieces import FileSource
from tests.support.udf_files import ONLY_UDF, image

from redwell.core.errors import Unsupported
from redwell.core.handler import Child, Lost, Options, Piece, Skipped
from redwell.handlers.detect.detect import detect
from redwell.handlers.disks import udf, udf_reader
from redwell.handlers.unpacking.system_libraries import SONAMES

pytestmark = pytest.mark.requirement("A7", "A20")


def pieces_of(data: bytes, tmp_path: Path) -> list[Piece]:
    media_type = detect(lambda: io.BytesIO(data), len(data), "a.iso")
    return list(udf.extract(FileSource(data, tmp_path), tmp_path, Options(name="a.iso", media_type=media_type)))


@pytest.mark.parametrize("iso_too", [True, False])
def test_files_of_the_udf_side_come_out(iso_too: bool, tmp_path: Path) -> None:
    data = image() if iso_too else image().replace(b"CD001", b"XXXXX")
    found = pieces_of(data, tmp_path)
    files = {piece.name: piece.data for piece in found if isinstance(piece, Child)}
    assert files == {"a letter.txt": ONLY_UDF["/a letter.txt"], "empty": b"", "dir ä/b.txt": b"deep"}
    assert [piece.reason for piece in found if isinstance(piece, Skipped)] == ["a folder"]


def test_an_image_whose_iso_side_has_as_much_is_left_to_the_next_handler(tmp_path: Path) -> None:
    for data in (image({}), made("iso9660", {"a.txt": b"x"})):
        with pytest.raises(Unsupported):
            pieces_of(data, tmp_path)


def test_damage_leaves_the_iso_side_to_be_read_and_is_named_else(tmp_path: Path) -> None:
    data = bytearray(image())
    data[256 * 2048 : 257 * 2048] = bytes(2048)  # where the volume is announced
    data[-2048:] = bytes(2048)
    found = udf.extract(
        FileSource(bytes(data), tmp_path), tmp_path, Options(name="", media_type="application/x-iso9660-image")
    )
    assert "only its ISO side is read" in next(found).detail  # type: ignore[union-attr]
    with pytest.raises(Unsupported):
        next(found)


def test_a_cut_off_image_gives_what_is_whole(tmp_path: Path) -> None:
    data = image({"/big": b"big" * 9000}).replace(b"CD001", b"XXXXX")
    found = pieces_of(data[: data.index(b"bigbig") + 4096], tmp_path)
    assert [(type(piece), piece.name) for piece in found if isinstance(piece, Child | Lost)] == [
        (Lost, "big"),
        (Child, "dir ä/b.txt"),
    ]


def test_without_the_library_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SONAMES, "libudfread0", "libudfread.so.none")
    udf_reader._library.cache_clear()
    with pytest.raises(Unsupported, match="install"):
        pieces_of(image().replace(b"CD001", b"XXXXX"), tmp_path)
    udf_reader._library.cache_clear()
