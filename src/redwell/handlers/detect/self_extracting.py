"""Archives that unpack themselves: where in a program the archive lies. Used by the program handler in a child.

A program may hold an archive's mark by chance, or because it reads such archives; so what follows the mark is checked.
"""

import re
import zlib
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

from redwell.handlers.detect import zip_directory

RAR, ZIP, SEVENZIP = "application/vnd.rar", "application/zip", "application/x-7z-compressed"
_CAB, _ARJ, _LHA = "application/vnd.ms-cab-compressed", "application/x-arj", "application/x-lzh-compressed"
_MARKS = re.compile(rb"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07[\x00\x01]|MSCF\0\0\0\0|\x60\xea|-l[hz][0-9a-d]-")
_LONGEST_MARK = 8
_LHA_MARK_AT = 2  # its header begins with its length and sum
_CHUNK = 1 << 20
_SEARCHED = 64 << 20
_LONGEST_HEADER = 2600  # that is checked


class AppendedArchive(NamedTuple):
    media_type: str
    start: int
    stop: int


def appended_archive(file: BinaryIO, size: int) -> AppendedArchive | None:
    """The first archive in this program that has a sound header; a ZIP is known by its end."""
    if zip_directory.is_whole(file, size):
        return AppendedArchive(ZIP, 0, size)  # its reader knows about bytes in front
    held, at = b"", 0
    while at < min(size, _SEARCHED):
        file.seek(at)
        held = file.read(_CHUNK + _LONGEST_MARK)
        for found in _MARKS.finditer(held):
            place = _checked(file, found.group(), at + found.start(), size)
            if place:
                return place
        at += _CHUNK
    return None


def _checked(file: BinaryIO, mark: bytes, at: int, size: int) -> AppendedArchive | None:
    start = at - _LHA_MARK_AT if mark.startswith(b"-l") else at
    file.seek(max(0, start))
    head = file.read(_LONGEST_HEADER)
    for sign, media_type, length in _SOUND:
        if mark.startswith(sign) and start > 0:
            stop = length(head, size - start)
            return AppendedArchive(media_type, start, start + stop) if stop else None
    return None


def _sevenzip(head: bytes, left: int) -> int:
    return left if zlib.crc32(head[12:32]) == int.from_bytes(head[8:12], "little") else 0


def _rar(head: bytes, left: int) -> int:
    """The main header's type and checksum; one that is encrypted comes behind a header that says so."""
    if head[6] == 0:
        length = int.from_bytes(head[12:14], "little")
        block = head[9 : 7 + length]
        fits = zlib.crc32(block) & 0xFFFF == int.from_bytes(head[7:9], "little")
        return left if head[9] == 0x73 and fits else 0
    block = head[12 : 13 + head[12]]  # such headers are short: one byte says how long
    return left if head[12] < 0x80 and zlib.crc32(block) == int.from_bytes(head[8:12], "little") else 0


def _cab(head: bytes, left: int) -> int:
    """It says how long it is, and where in it the list of files begins."""
    length, files_at = int.from_bytes(head[8:12], "little"), int.from_bytes(head[16:20], "little")
    return length if head[24:26] == b"\x03\x01" and 36 <= files_at < length <= left else 0


def _arj(head: bytes, left: int) -> int:
    length = int.from_bytes(head[2:4], "little")
    block, told = head[4 : 4 + length], head[4 + length : 8 + length]
    return left if 30 <= length <= len(block) and zlib.crc32(block) == int.from_bytes(told, "little") else 0


def _lha(head: bytes, left: int) -> int:
    """The old headers have a sum, which their first byte tells the end of; of new ones the length is told in two."""
    level = head[20]
    if level in (0, 1):
        return left if head[0] > 20 and sum(head[2 : 2 + head[0]]) & 0xFF == head[1] else 0
    return left if level == 2 and 24 < int.from_bytes(head[:2], "little") < _LONGEST_HEADER else 0


_SOUND: tuple[tuple[bytes, str, Callable[[bytes, int], int]], ...] = (
    (b"7z", SEVENZIP, _sevenzip),
    (b"Rar!", RAR, _rar),
    (b"MSCF", _CAB, _cab),
    (b"\x60\xea", _ARJ, _arj),
    (b"-l", _LHA, _lha),
)
