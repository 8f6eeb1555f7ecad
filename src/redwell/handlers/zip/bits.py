"""Bits in the order of PKZIP: from the low end of each byte. Used by the decoders of old methods in a child."""

from collections.abc import Iterator

from redwell.core.errors import InvalidFile

LONGEST_CODE = 16
Table = tuple[int, list[tuple[int, int]]]  # how many bits to look at, and (symbol, bits of its code) for each value


class Bits:
    """Bits from the low end of each byte; zeros behind the last, which no whole member needs."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._bytes = (byte for chunk in chunks for byte in chunk)
        self._held = self._count = 0
        self._beyond = 0

    def _need(self, count: int) -> None:
        while self._count < count:
            byte = next(self._bytes, None)
            if byte is None:
                self._beyond += 1
                if self._beyond > LONGEST_CODE:
                    raise InvalidFile("the member is cut off")
            self._held |= (byte or 0) << self._count
            self._count += 8

    def take(self, count: int) -> int:
        self._need(count)
        value = self._held & ((1 << count) - 1)
        self._held >>= count
        self._count -= count
        return value

    def symbol(self, table: Table) -> int:
        width, entries = table
        self._need(width)
        symbol, length = entries[self._held & ((1 << width) - 1)]
        self._held >>= length
        self._count -= length
        return symbol
