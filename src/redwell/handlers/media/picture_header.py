"""What the header of a picture says where Pillow gives up on the rest. Called by the image handler in a child."""

import struct
from dataclasses import dataclass

from redwell.core.handler import MetaValue

_EXIF = b"Exif\0\0"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # those that begin a JPEG's picture and give its size
_ALONE = frozenset((0x01, *range(0xD0, 0xDA)))  # JPEG marks without a body
_LONG_BITMAP_HEADER = 40


@dataclass(frozen=True, slots=True)
class Header:
    """`whole` where everything that the header promises is there: then the picture is merely of a rare kind."""

    values: dict[str, MetaValue]
    exif: bytes = b""
    whole: bool = False


def look(data: bytes) -> Header | None:
    """The header's facts; None where the format is not known here or nothing can be learned."""
    try:
        if data.startswith(b"BM"):
            return _bitmap(data)
        if data.startswith(b"8BPS"):
            return _photoshop(data)
        return _jpeg(data) if data.startswith(b"\xff\xd8") else None
    except struct.error:
        return None


def _sized(kind: str, width: int, height: int) -> dict[str, MetaValue]:
    return {"format": kind, "width": width, "height": height} if width > 0 and height > 0 else {}


def _bitmap(data: bytes) -> Header | None:
    size, _, _, start, header = struct.unpack_from("<IHHII", data, 2)
    width, height = struct.unpack_from("<ii" if header >= _LONG_BITMAP_HEADER else "<HH", data, 18)
    values = _sized("BMP", width, abs(height))
    return Header(values, whole=start < size <= len(data)) if values else None


def _photoshop(data: bytes) -> Header | None:
    version, channels = struct.unpack_from(">H6xH", data, 4)
    height, width = struct.unpack_from(">II", data, 14)
    at = 26
    for section in range(3):  # the colours of its mode, resources, layers; pixels follow
        wide = version == 2 and section == 2
        at += struct.unpack_from(">Q" if wide else ">I", data, at)[0] + (8 if wide else 4)
    values = _sized("PSD", width, height)
    return Header(values, whole=at + 2 <= len(data)) if values and version in (1, 2) and 0 < channels <= 56 else None


def _jpeg(data: bytes) -> Header | None:
    values: dict[str, MetaValue] = {}
    exif, at = b"", 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        mark = data[at + 1]
        if mark == 0xFF or mark in _ALONE:
            at += 1 if mark == 0xFF else 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        body = data[at + 4 : at + 2 + length]
        if mark in _FRAMES and len(body) >= 5:
            height, width = struct.unpack_from(">HH", body, 1)
            values |= _sized("JPEG", width, height)
        elif mark == 0xE1 and body.startswith(_EXIF):
            exif = exif or body
        at += 2 + length
    return Header(values, exif) if values or exif else None
