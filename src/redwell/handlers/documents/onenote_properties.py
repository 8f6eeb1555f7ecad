"""Decodes the property set of one OneNote object (MS-ONESTORE 2.6). Used by the OneNote readers in a child."""

import struct
from dataclasses import dataclass, field

_FIXED = {1: 0, 2: 0, 3: 1, 4: 2, 5: 4, 6: 8, 8: 0, 0xA: 0, 0xC: 0}  # bytes in the data; references lie apart
_COUNTED, _COUNTS, _SETS, _SET = 7, {9, 0xB, 0xD}, 0x10, 0x11
_MAX_DEPTH = 8


@dataclass
class Properties:
    """Values by property number, and the objects referred to, in order."""

    values: dict[int, bytes] = field(default_factory=dict)
    compact_children: list[int] = field(default_factory=list)
    children: list[tuple[bytes, int]] = field(default_factory=list)


def property_set(data: bytes) -> Properties:
    """The object's own properties; those of sets inside it are passed over. Raises `struct.error` where cut off."""
    found = Properties()
    found.compact_children, at, flags = _references(data, 0)
    if not flags & 2:
        _, at, flags = _references(data, at)
        if flags & 1:
            _, at, _ = _references(data, at)
    for number, value in _Cursor(data, at).take_set(0):
        found.values.setdefault(number, value)
    return found


def _references(data: bytes, at: int) -> tuple[list[int], int, int]:
    """A stream of references, its end, and two flags that say which further streams follow."""
    (head,) = struct.unpack_from("<I", data, at)
    count = min(head & 0xFFFFFF, (len(data) - at - 4) // 4)
    return list(struct.unpack_from(f"<{count}I", data, at + 4)), at + 4 + 4 * count, head >> 30


class _Cursor:
    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at

    def take_set(self, depth: int) -> list[tuple[int, bytes]]:
        (count,) = struct.unpack_from("<H", self._data, self._at)
        ids = struct.unpack_from(f"<{count}I", self._data, self._at + 2)
        self._at += 2 + 4 * count
        return [(prop & 0x3FFFFFF, self._take(prop >> 26 & 0x1F, depth)) for prop in ids]

    def _take(self, kind: int, depth: int) -> bytes:
        if kind in _FIXED:
            return self._bytes(_FIXED[kind])
        (count,) = struct.unpack_from("<I", self._data, self._at) if kind != _SET else (1,)
        if kind == _COUNTED:
            self._at += 4
            return self._bytes(count)
        if kind in _COUNTS:
            self._at += 4
            return b""
        if kind not in (_SETS, _SET) or depth >= _MAX_DEPTH:
            raise struct.error(f"a property of type {kind}")
        if kind == _SETS:
            self._at += 8 if count else 4  # a count, then the number that all of them share
        for _ in range(min(count, len(self._data))):
            self.take_set(depth + 1)
        return b""

    def _bytes(self, length: int) -> bytes:
        value = self._data[self._at : self._at + length]
        if len(value) < length:
            raise struct.error("the properties are cut off")
        self._at += length
        return value
