"""Heaps and the sorted maps inside them: how a node keeps its properties and tables. Runs in a child."""

import struct
from collections.abc import Iterator

from redwell.handlers.pst.tree import Damaged

_SIGNATURE = 0xEC
_MAP = 0xB5
_DEEPEST = 8
_MOST_RECORDS = 1_000_000


class Heap:
    def __init__(self, runs: list[bytes], index_bits: int) -> None:
        self._runs, self._index_bits = runs, index_bits
        if not runs or len(runs[0]) < 12 or runs[0][2] != _SIGNATURE:
            raise Damaged("a heap has no header")
        (self.root,) = struct.unpack_from("<I", runs[0], 4)

    def get(self, place: int) -> bytes:
        """The allocation that a heap id names; nothing for no id."""
        if not place:
            return b""
        slot, run = (place >> 5) & ((1 << self._index_bits) - 1), place >> (5 + self._index_bits)
        try:
            data = self._runs[run]
            (index,) = struct.unpack_from("<H", data)
            start, end = struct.unpack_from("<HH", data, index + 4 + (slot - 1) * 2)
        except (IndexError, struct.error):
            raise Damaged(f"a heap has nothing at {place:#x}") from None
        if slot < 1 or not start <= end <= len(data):
            raise Damaged(f"a heap is damaged at {place:#x}")
        return data[start:end]

    def records(self, place: int) -> Iterator[tuple[int, bytes]]:
        """Key and value of each record of a map, in order."""
        head = self.get(place)
        if len(head) < 8 or head[0] != _MAP:
            raise Damaged("a map has no header")
        _, key_bytes, value_bytes, levels, root = struct.unpack_from("<BBBBI", head)
        if not key_bytes or levels > _DEEPEST:
            raise Damaged("a map's header is damaged")
        for count, record in enumerate(self._leaves(root, key_bytes, value_bytes, levels)):
            if count >= _MOST_RECORDS:
                raise Damaged("a map refers to itself")
            yield record

    def _leaves(self, place: int, key_bytes: int, value_bytes: int, levels: int) -> Iterator[tuple[int, bytes]]:
        data, width = self.get(place), key_bytes + (4 if levels else value_bytes)
        for at in range(0, len(data) - width + 1, width):
            value = data[at + key_bytes : at + width]
            if levels:
                yield from self._leaves(int.from_bytes(value, "little"), key_bytes, value_bytes, levels - 1)
            else:
                yield int.from_bytes(data[at : at + key_bytes], "little"), value
