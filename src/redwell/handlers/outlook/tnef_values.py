"""Lists of MAPI properties as TNEF writes them (MS-OXTNEF 2.1.3.4). Called by the TNEF reader in a child."""

import struct
import uuid
from datetime import UTC, datetime

from redwell.core.errors import InvalidFile
from redwell.handlers.outlook import mapi
from redwell.handlers.outlook.mapi import Properties

_SIZED = frozenset((mapi.STRING8, mapi.UNICODE, mapi.OBJECT, mapi.BINARY))
_FIRST_NAMED = 0x8000
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


class Values:
    """A cursor over properties one after the other; raises `InvalidFile` where they are cut off."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def number(self) -> int:
        return int.from_bytes(self._take(4), "little")

    def read_into(self, found: Properties) -> None:
        """The properties of one list; those before a damage stand."""
        for _ in range(self.number()):
            kind, number = struct.unpack("<HH", self._take(4))
            if number >= _FIRST_NAMED:
                found.name(*self._name(), number)
            found.put(number, kind & ~mapi.MANY, self._values(kind))

    def _name(self) -> tuple[str, int | str]:
        space = str(uuid.UUID(bytes_le=self._take(16)))
        if self.number() == 0:
            return space, self.number()
        return space, self._padded(self.number()).decode("utf-16-le", "replace").rstrip("\0")

    def _values(self, kind: int) -> list[bytes]:
        base = kind & ~mapi.MANY
        is_sized = base in _SIZED
        if not is_sized and base not in mapi.WIDTHS:
            raise InvalidFile(f"a property of unknown type {kind:#06x}")
        count = self.number() if is_sized or kind & mapi.MANY else 1
        if count > len(self._data):
            raise InvalidFile("a property claims more values than there are bytes")
        return [self._padded(self.number() if is_sized else mapi.WIDTHS[base]) for _ in range(count)]

    def _padded(self, size: int) -> bytes:
        """Values fill whole groups of four bytes; the last group of all may be short."""
        value = self._take(size)
        self._at = min(self._at + -size % 4, len(self._data))
        return value

    def _take(self, size: int) -> bytes:
        if self._at + size > len(self._data):
            raise InvalidFile("the properties are cut off")
        self._at += size
        return self._data[self._at - size : self._at]


def moment(data: bytes) -> bytes:
    """A date as TNEF writes it outside of the lists, as the value of a property; zero where it is no date."""
    try:
        year, month, day, hour, minute, second = struct.unpack_from("<6H", data)
        when = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except (struct.error, ValueError):
        return bytes(8)
    return struct.pack("<Q", max(0, int((when - _EPOCH).total_seconds())) * 10_000_000)
