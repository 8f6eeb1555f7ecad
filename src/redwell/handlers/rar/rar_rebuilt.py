"""A small open RAR archive around the packed bytes of some members. Used by rar_data in a child.

Decoders know how to unpack and not how to decrypt, or they stumble over comments and records that matter to nobody;
so they are given what they need and no more.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

_OLD_MARK, _NEW_MARK = b"Rar!\x1a\x07\x00", b"Rar!\x1a\x07\x01\x00"
_OLD_MAIN, _OLD_FILE, _OLD_END = 0x73, 0x74, 0x7B
_OLD_SOLID, _OLD_LARGE, _OLD_HAS_DATA = 8, 0x100, 0x8000
_OLD_KEPT_FLAGS = 0x10 | 0xE0  # packed on from the member before it, and the size of the window
_NEW_MAIN, _NEW_FILE, _NEW_END = 1, 2, 5
_NEW_HAS_DATA, _NEW_SOLID = 2, 4
_UNIX = 1

Packed = tuple[Any, int, Iterator[bytes]]  # a member, how many bytes it is packed in, and these


def rebuilt(members: Sequence[Packed]) -> Iterator[bytes]:
    """The archive as chunks; its members are named by their place in it."""
    old = members[0][0].extract_version < 50
    solid = len(members) > 1
    yield _old_start(solid) if old else _new_start(solid)
    for place, (info, length, chunks) in enumerate(members):
        yield (_old_member if old else _new_member)(info, length, str(place).encode())
        yield from chunks
    yield _old_block(_OLD_END, 0x4000, b"") if old else _new_block(_NEW_END, 0, _number(0))


def _old_start(solid: bool) -> bytes:
    return _OLD_MARK + _old_block(_OLD_MAIN, _OLD_SOLID if solid else 0, bytes(6))


def _old_member(info: Any, length: int, name: bytes) -> bytes:
    method, version, limit = info.compress_type, info.extract_version, 1 << 32
    large = length >= limit or info.file_size >= limit
    fields = struct.pack(
        "<IIBIIBBHI", length % limit, info.file_size % limit, 3, info.CRC, 0, version, method, len(name), 0o100644
    )
    if large:
        fields += struct.pack("<II", length // limit, info.file_size // limit)
    flags = info.flags & _OLD_KEPT_FLAGS | _OLD_HAS_DATA | (_OLD_LARGE if large else 0)
    return _old_block(_OLD_FILE, flags, fields + name)


def _old_block(kind: int, flags: int, fields: bytes) -> bytes:
    block = struct.pack("<BHH", kind, flags, len(fields) + 7) + fields
    return struct.pack("<H", zlib.crc32(block) & 0xFFFF) + block


def _new_start(solid: bool) -> bytes:
    return _NEW_MARK + _new_block(_NEW_MAIN, 0, _number(_NEW_SOLID if solid else 0))


def _new_member(info: Any, length: int, name: bytes) -> bytes:
    """Without a checksum: that of an encrypted member is sealed, and all are checked outside."""
    numbers = (length, 0, info.file_size, 0o100644, info.file_compress_flags, _UNIX, len(name))
    return _new_block(_NEW_FILE, _NEW_HAS_DATA, b"".join(map(_number, numbers)) + name)


def _new_block(kind: int, flags: int, fields: bytes) -> bytes:
    body = _number(kind) + _number(flags) + fields
    block = _number(len(body)) + body
    return struct.pack("<I", zlib.crc32(block)) + block


def _number(value: int) -> bytes:
    """As RAR 5 writes numbers: seven bits a byte, the lowest first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*out, value))
