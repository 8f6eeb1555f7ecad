"""Pictures: size, frames, EXIF, and no pixel decoded on the way."""

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFile
from tests.support.pieces import Pieces, read

from redwell.core.errors import InvalidFile
from redwell.core.handler import Pages
from redwell.core.outcomes import Code
from redwell.handlers.media import image

pytestmark = pytest.mark.requirement("A6")


def _saved(kind: str, size: tuple[int, int] = (40, 30), **how: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "red").save(out, kind, **how)
    return out.getvalue()


def _frames(pieces: Pieces) -> int:
    count: int = pieces.of(Pages)[0].count
    return count


@pytest.mark.parametrize(
    "kind", ["PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP", "JPEG2000", "AVIF", "PCX", "TGA", "PPM", "SGI"]
)
def test_size_and_format_of_every_usual_kind(kind: str, tmp_path: Path) -> None:
    pieces = read(image, _saved(kind), tmp_path)
    assert (pieces.metadata["width"], pieces.metadata["height"]) == (40, 30)
    assert _frames(pieces) == 1
    assert pieces.text == ""


def test_heic_is_read_too(tmp_path: Path) -> None:
    import pillow_heif

    pillow_heif.register_heif_opener()
    pieces = read(image, _saved("HEIF", (64, 48)), tmp_path)
    assert (pieces.metadata["width"], pieces.metadata["height"]) == (64, 48)


def test_pages_of_a_tiff_and_frames_of_an_animation_are_counted(tmp_path: Path) -> None:
    further = [Image.new("RGB", (40, 30), colour) for colour in ("green", "blue")]
    assert _frames(read(image, _saved("TIFF", save_all=True, append_images=further), tmp_path)) == 3
    assert _frames(read(image, _saved("GIF", save_all=True, append_images=further), tmp_path)) == 3


def test_exif_gives_camera_orientation_dates_and_place(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0112] = "Acme", "Eye 3", 6
    exif[0x9C9B] = "Tür".encode("utf-16-le")
    exif.get_ifd(0x8769)[0x9003] = "2020:03:04 05:06:07"
    exif.get_ifd(0x8769)[0x9011] = "+01:00"
    exif.get_ifd(0x8825).update({1: "S", 2: (33.0, 30.0, 0.0), 3: "E", 4: (151.0, 0.0, 36.0)})
    values = read(image, _saved("JPEG", exif=exif, dpi=(300, 300)), tmp_path).metadata
    assert (values["make"], values["model"], values["orientation"], values["title"]) == ("Acme", "Eye 3", 6, "Tür")
    assert (values["created"], values["created_raw"]) == ("2020-03-04T04:06:07Z", "2020:03:04 05:06:07")
    assert (values["gps_latitude"], values["gps_longitude"]) == (-33.5, 151.01)
    assert values["dpi_x"] == 300


def test_no_pixel_is_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("pixels were decoded")

    monkeypatch.setattr(ImageFile.ImageFile, "load", refuse)
    for kind in ("PNG", "JPEG", "GIF", "TIFF", "BMP"):
        assert read(image, _saved(kind), tmp_path).error is None


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def test_a_picture_of_a_billion_pixels_is_named_and_costs_nothing(tmp_path: Path) -> None:
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
    bomb = b"\x89PNG\r\n\x1a\n" + header + _chunk(b"IDAT", zlib.compress(bytes(1000))) + _chunk(b"IEND", b"")
    pieces = read(image, bomb, tmp_path)
    assert pieces.metadata["width"] == 60_000
    assert [(trouble.code, trouble.partial) for trouble in pieces.troubles] == [(Code.LIMIT_REACHED, False)]


def test_a_cut_off_png_and_a_file_of_noise_are_invalid(tmp_path: Path) -> None:
    assert isinstance(read(image, _saved("PNG")[:-20], tmp_path).error, InvalidFile)
    assert isinstance(read(image, b"\xff\xd8\xff\xe0" + bytes(200), tmp_path).error, InvalidFile)


def test_damaged_exif_costs_only_the_exif(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010F] = "Acme"
    data = (
        _saved("JPEG", exif=exif)
        .replace(b"Exif\0\0MM\0*", b"Exif\0\0XX\0*")
        .replace(b"Exif\0\0II*\0", b"Exif\0\0XX*\0")
    )
    pieces = read(image, data, tmp_path)
    assert (pieces.error, pieces.metadata["width"]) == (None, 40)
    assert "make" not in pieces.metadata


def test_the_words_of_a_drawing_are_text(tmp_path: Path) -> None:
    svg = b'<?xml version="1.0"?><svg xmlns="s"><title>Plan</title><text>Room <tspan>12</tspan></text><path/></svg>'
    assert read(image, svg, tmp_path).text == "Plan\nRoom 12\n"


def test_a_metafile_has_a_size(tmp_path: Path) -> None:
    placeable = (
        struct.pack("<IHhhhhHIH", 0x9AC6CDD7, 0, 0, 0, 1440, 720, 1440, 0, 0) + b"\x01\0\x09\0\0\x03" + bytes(12)
    )
    values = read(image, placeable, tmp_path).metadata
    assert (values["width"], values["height"]) == (72, 36)


def test_comments_inside_pictures_are_kept(tmp_path: Path) -> None:
    assert read(image, _saved("GIF", comment=b"by Ann"), tmp_path).metadata["comments"] == "by Ann"


def test_a_photograph_that_is_cut_off_is_noticed(tmp_path: Path) -> None:
    noise = Image.effect_noise((200, 200), 90)
    out = io.BytesIO()
    thumbnail = io.BytesIO()
    Image.new("RGB", (8, 8)).save(thumbnail, "JPEG")
    noise.save(out, "JPEG", comment=thumbnail.getvalue())  # it has an end marker of its own
    assert read(image, out.getvalue(), tmp_path).troubles == []
    (trouble,) = read(image, out.getvalue()[: len(out.getvalue()) // 2], tmp_path).troubles
    assert (trouble.code, trouble.partial) == (Code.FILE_MISSING_OR_INCOMPLETE, True)


def test_a_photograph_without_its_pixels_is_invalid_and_keeps_what_the_camera_wrote(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010F] = "Acme"
    whole = _saved("JPEG", exif=exif)
    pieces = read(image, whole[: whole.index(b"\xff\xdb")], tmp_path)
    assert isinstance(pieces.error, InvalidFile)
    assert pieces.metadata["make"] == "Acme"


@pytest.mark.parametrize("kind", ["BMP", "PSD"])
def test_a_whole_picture_of_a_kind_that_pillow_refuses_stands_with_its_size(kind: str, tmp_path: Path) -> None:
    bitmap = bytearray(_saved("BMP"))
    struct.pack_into("<H", bitmap, 28, 2)  # two bits a pixel
    photoshop = b"8BPS" + struct.pack(">H6xHIIHH", 1, 3, 30, 40, 8, 11) + bytes(12) + b"\0\0" + bytes(9)
    data = bytes(bitmap) if kind == "BMP" else photoshop
    pieces = read(image, data, tmp_path)
    assert (pieces.error, pieces.metadata["width"], pieces.metadata["height"]) == (None, 40, 30)
    assert (pieces.troubles[0].code, pieces.troubles[0].partial) == (Code.HANDLER_ERROR, False)
    assert isinstance(read(image, data[:30], tmp_path).error, InvalidFile)
