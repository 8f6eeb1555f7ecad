"""Reads the words of Visio drawings from before 2013 (versions 6 and 11). Called by the compound handler in a child.

A drawing is a tree of streams, most of them packed; the leaves are runs of chunks, and one kind of chunk is text.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from redwell.core.errors import InvalidFile, Unsupported

_VERSION, _TRAILER = 0x1A, 0x24
_POINTER = 18
_TRAILER_KIND, _PAGE_KIND, _TEXT = 0x14, 0x15, 0x0E
_CHUNK_HEAD = 19
_LARGEST_KIND = 0x200
_WITH_TRAILER = {0x2C, 0x65, 0x66, 0x69, 0x6A, 0x6B, 0x70, 0x71}
_WITHOUT_SEPARATOR = {0x1F, 0xC9}
_MAX_DEPTH, _MOST_STREAMS, _MOST_BYTES = 16, 100_000, 256 << 20


@dataclass(frozen=True, slots=True)
class _Pointer:
    kind: int
    offset: int
    length: int
    format: int

    @property
    def leads_on(self) -> bool:
        return self.kind == _TRAILER_KIND or self.format in (0x1D, 0x1E) or 0x50 <= self.format < 0x60


def texts(document: bytes) -> tuple[list[str], int]:
    """The text of every shape in stored order, and the number of pages; raises `InvalidFile` where none is reached."""
    try:
        version = document[_VERSION]
        if version not in (6, 11):
            raise Unsupported(f"a Visio drawing of version {version}")
        reader = _Reader(document, version)
        return list(reader.walk(_pointer(document, _TRAILER), 0)), reader.pages
    except (struct.error, IndexError):
        raise InvalidFile("the drawing's tree of streams is damaged") from None


class _Reader:
    def __init__(self, document: bytes, version: int) -> None:
        self.pages = 0
        self._document, self._version = document, version
        self._seen: set[int] = set()
        self._left = _MOST_BYTES

    def walk(self, pointer: _Pointer, depth: int) -> Iterator[str]:
        if depth > _MAX_DEPTH or pointer.offset in self._seen or len(self._seen) > _MOST_STREAMS:
            return
        self._seen.add(pointer.offset)
        self.pages += pointer.kind == _PAGE_KIND
        data = self._document[pointer.offset : pointer.offset + pointer.length]
        if pointer.format & 2:
            data = unpacked(data)
        self._left -= len(data)
        if self._left < 0:
            raise InvalidFile("the drawing unpacks to more than it can hold")
        if pointer.leads_on:
            for inner in self._below(pointer, data, depth):
                if inner.offset and inner.length:
                    yield from self.walk(inner, depth + 1)
        elif 0xD0 <= pointer.format < 0xE0:
            yield from self._chunks(data)

    @staticmethod
    def _below(pointer: _Pointer, data: bytes, depth: int) -> list[_Pointer]:
        """The list in a stream. Settings deep down are stored like lists and are none: they lead nowhere."""
        try:
            return list(_pointers(data, packed=bool(pointer.format & 2)))
        except struct.error:
            if depth == 0:
                raise
            return []

    def _chunks(self, data: bytes) -> Iterator[str]:
        """Where a chunk cannot be one the next byte is tried: how much lies behind a chunk is not always told."""
        at = 0
        while at + _CHUNK_HEAD <= len(data):
            kind, _, has_list, length, level, mark = struct.unpack_from("<IIIIHB", data, at)
            end = at + _CHUNK_HEAD + length
            if not 0 < kind < _LARGEST_KIND or end > len(data):
                at += 1
                continue
            if kind == _TEXT:
                yield self._text(data[at + _CHUNK_HEAD + 8 : end])
            at = end + self._behind(kind, has_list, level, mark)

    def _text(self, raw: bytes) -> str:
        text = raw.decode("utf-16-le" if self._version == 11 else "cp1252", "replace")
        return text.partition("\0")[0].replace("\x1e", "").replace("\r", "\n").strip("\n")

    def _behind(self, kind: int, has_list: int, level: int, mark: int) -> int:
        has_trailer = bool(has_list) or kind in _WITH_TRAILER
        separated = has_trailer or (level == 2 and mark == 0x55) or (level == 3 and mark != 0x50)
        separated = separated or (level == 2 and mark == 0x54 and kind in (0xA9, 0xAA, 0xB4, 0xB6))
        return 8 * has_trailer + 4 * (separated and self._version == 11 and kind not in _WITHOUT_SEPARATOR)


def _pointer(data: bytes, at: int) -> _Pointer:
    kind, _, offset, length, format_ = struct.unpack_from("<IIIIH", data, at)
    return _Pointer(kind, offset, length, format_)


def _pointers(data: bytes, *, packed: bool) -> Iterator[_Pointer]:
    start = 4 if packed else 0
    (place,) = struct.unpack_from("<I", data, start)
    at = place + start if packed else place
    (count,) = struct.unpack_from("<I", data, at)
    for index in range(min(count, len(data) // _POINTER)):
        yield _pointer(data, at + 8 + _POINTER * index)


def unpacked(data: bytes) -> bytes:
    """Visio's LZSS: a flag a byte or a pair that points into a ring of 4 KB."""
    ring = bytearray(4096)
    out = bytearray()
    at = place = 0
    while at < len(data):
        flags = data[at]
        at += 1
        for bit in range(8):
            if at >= len(data):
                break
            if flags >> bit & 1:
                run = data[at : at + 1]
                at += 1
            else:
                if at + 2 > len(data):
                    return bytes(out)
                low, high = data[at], data[at + 1]
                at += 2
                run = _copied(ring, place, ((high & 0xF0) << 4 | low) + 18, (high & 0x0F) + 3)
            for byte in run:
                ring[place & 4095] = byte
                place += 1
            out += run
    return bytes(out)


def _copied(ring: bytearray, place: int, start: int, length: int) -> bytes:
    """A copy may run into what it is making."""
    made = bytearray()
    for index in range(length):
        source = (start + index) & 4095
        behind = (source - place) & 4095
        made.append(made[behind] if behind < index else ring[source])
    return bytes(made)
