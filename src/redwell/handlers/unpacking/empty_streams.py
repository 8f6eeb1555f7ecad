"""Compressed files with nothing in them, which libarchive takes for damaged. For the compressed handler, in a child."""

import re
from collections.abc import Callable

LARGEST = 1024  # bytes of such a file

_HAS_DICTIONARY, _HAS_FRAME_SUM, _HAS_SIZE = 0x01, 0x04, 0x08
_LZ4_FRAME, _LZ4_LEGACY_FRAME = b"\x04\x22\x4d\x18", b"\x02\x21\x4c\x18"
_SKIPPED_FRAME = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_LZIP_TRAILER = 20  # sum, size of the data, size of the member
_COMPRESS_HEADER = 3


def holds_nothing(data: bytes, media_type: str) -> bool:
    """Whether this is a whole file of that kind, into which nothing was packed."""
    check = _CHECKS.get(media_type)
    return check is not None and check(data)


def _lz4(data: bytes) -> bool:
    """Frames that end where their data would begin, one behind the other."""
    at = 0
    while at < len(data):
        length = _lz4_frame(data[at:])
        if not length:
            return False
        at += length
    return at == len(data)


def _lz4_frame(data: bytes) -> int:
    """How long the frame without data is that begins here; 0 for any other."""
    if data[:4] == _LZ4_LEGACY_FRAME:
        return 4 if data[4:8] in (b"", _LZ4_LEGACY_FRAME) else 0
    if _SKIPPED_FRAME.match(data):
        return 8 + int.from_bytes(data[4:8], "little")
    if data[:4] != _LZ4_FRAME or len(data) < 7:
        return 0
    flags = data[4]
    end_mark = 7 + 8 * bool(flags & _HAS_SIZE) + 4 * bool(flags & _HAS_DICTIONARY)
    if data[end_mark : end_mark + 4] != bytes(4):
        return 0
    return end_mark + 4 + 4 * bool(flags & _HAS_FRAME_SUM)


def _lzip(data: bytes) -> bool:
    size, length = data[-_LZIP_TRAILER + 4 : -8], data[-8:]
    return size == bytes(8) and int.from_bytes(length, "little") == len(data)


def _compress(data: bytes) -> bool:
    return len(data) == _COMPRESS_HEADER


_CHECKS: dict[str, Callable[[bytes], bool]] = {
    "application/x-lz4": _lz4,
    "application/x-lzip": _lzip,
    "application/x-compress": _compress,
}
