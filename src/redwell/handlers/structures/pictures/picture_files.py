"""Pictures that documents hold without the head that would make them files. Called by their readers in a child."""

import struct

from redwell.core.errors import InvalidFile
from redwell.core.handler import HashKind

_PICT_HEAD = 512
_BITMAP_CORE = 12


def hash_kind(extension: str) -> HashKind:
    """Of what `as_file` makes: with a head of ours the bytes are not those of any file."""
    return "synthetic" if extension in ("bmp", "pict") else "bytes"


def as_file(extension: str, data: bytes) -> bytes:
    """A bare bitmap and a bare Macintosh picture get their heads; `InvalidFile` where one is cut off."""
    if extension == "bmp":
        return _bitmap(data)
    return bytes(_PICT_HEAD) + data if extension == "pict" else data


def _bitmap(data: bytes) -> bytes:
    try:
        (header,) = struct.unpack_from("<I", data)
        bits, colours, entry = _palette(data, header)
        masks = 12 if header == 40 and struct.unpack_from("<I", data, 16)[0] == 3 else 0
    except struct.error:
        raise InvalidFile("the bitmap is cut off") from None
    table = (colours or (1 << bits if bits <= 8 else 0)) * entry
    return struct.pack("<2sIHHI", b"BM", 14 + len(data), 0, 0, 14 + header + masks + table) + data


def _palette(data: bytes, header: int) -> tuple[int, int, int]:
    """Bits a pixel, colours that the header counts, bytes of a colour."""
    if header == _BITMAP_CORE:
        return struct.unpack_from("<H", data, 10)[0], 0, 3
    return struct.unpack_from("<H", data, 14)[0], struct.unpack_from("<I", data, 32)[0], 4
