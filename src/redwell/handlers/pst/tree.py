"""The two B-trees of a store: of nodes by id, of blocks by id. What a damaged page hid is salvaged. Runs in a child.

Pages are read when they are needed, so that a store of any size takes the same memory. Where a page cannot be
read, its range of keys is a hole: every page of the file that is whole, is of this tree and has keys in that
range is then asked instead, the newest first. A sound store is never searched so: it also holds what was deleted.
"""

import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, BinaryIO

from redwell.handlers.pst.layout import Layout

BLOCKS, NODES = 0x80, 0x81
_TOP = 1 << 64
_DEEPEST = 8
_PAGES_KEPT = 512
_SCAN = 1 << 20

Entry = tuple[Any, ...]


class Damaged(Exception):
    """This page or block is not what it should be."""


@dataclass(frozen=True, slots=True)
class _Page:
    level: int
    keys: list[int]
    entries: list[Entry]

    def found(self, key: int) -> Entry | None:
        return self.entries[self.keys.index(key)] if key in self.keys else None


class Tree:
    def __init__(self, file: BinaryIO, size: int, layout: Layout, root: int, kind: int) -> None:
        self._file, self._size, self._layout, self._root, self._kind = file, size, layout, root, kind
        self._leaf = layout.node if kind == NODES else layout.block
        self._page = lru_cache(maxsize=_PAGES_KEPT)(self._read_page)
        self._salvaged: dict[int, Entry] | None = None
        self.holes: list[tuple[int, int]] = []

    def __iter__(self) -> Iterator[Entry]:
        """Every entry by key, then those of the holes."""
        yield from self._below(self._root, 0, _TOP, _DEEPEST)
        if self.holes:
            yield from sorted(self._salvage().values())

    def find(self, key: int) -> Entry | None:
        at, low, high = self._root, 0, _TOP
        for _ in range(_DEEPEST):
            try:
                page = self._page(at)
            except Damaged:
                self._add_hole(low, high)
                return self._salvage().get(key)
            if page.level == 0:
                return page.found(key) or (self._salvage().get(key) if self.holes else None)
            slot = max(0, bisect_right(page.keys, key) - 1)
            low = max(low, page.keys[slot])
            high = min(high, page.keys[slot + 1]) if slot + 1 < len(page.keys) else high
            at = page.entries[slot][2]
        return None

    def _below(self, at: int, low: int, high: int, levels: int) -> Iterator[Entry]:
        """Each level is below the one above, so a page that refers to its ancestors is no page."""
        try:
            page = self._page(at)
            if page.level >= levels:
                raise Damaged("a page that lies above itself")
        except Damaged:
            self._add_hole(low, high)
            return
        if page.level == 0:
            yield from (entry for key, entry in zip(page.keys, page.entries, strict=True) if low <= key < high)
            return
        for slot, (key, _, below) in enumerate(page.entries):
            end = page.keys[slot + 1] if slot + 1 < len(page.keys) else high
            yield from self._below(below, key, max(key, end), page.level)

    def _add_hole(self, low: int, high: int) -> None:
        if (low, high) not in self.holes:
            self.holes.append((low, high))
            self._salvaged = None

    def _read_page(self, at: int) -> _Page:
        self._file.seek(min(at, self._size))
        return self._parsed(self._file.read(self._layout.page_bytes))

    def _parsed(self, data: bytes) -> _Page:
        """A page whose checksum is wrong is taken all the same, if its entries fit."""
        layout = self._layout
        if len(data) < layout.page_bytes or data[layout.trailer_at] != self._kind:
            raise Damaged("no page of this tree")
        count, _, width, level = layout.counts.unpack_from(data, layout.counts_at)
        form = self._leaf if level == 0 else layout.reference
        if width < form.size or count * width > layout.counts_at or level >= _DEEPEST:
            raise Damaged("a page whose entries do not fit")
        entries = [form.unpack_from(data, slot * width) for slot in range(count)]
        keys = [entry[0] & ~(self._kind == BLOCKS) for entry in entries]
        if level and (not keys or keys != sorted(keys)):
            raise Damaged("a page above others that names none, or not in order")
        return _Page(level, keys, entries)

    def _salvage(self) -> dict[int, Entry]:
        """Entries for the holes out of every whole leaf page in the file, of several the one written last."""
        if self._salvaged is None:
            found: dict[int, tuple[int, Entry]] = {}
            for data in self._leaves():
                page, (born,) = self._parsed(data), self._layout.block_id.unpack_from(data, self._born_at())
                for key, entry in zip(page.keys, page.entries, strict=True):
                    if any(low <= key < high for low, high in self.holes) and found.get(key, (-1,))[0] < born:
                        found[key] = (born, entry)
            self._salvaged = {key: entry for key, (_, entry) in found.items()}
        return self._salvaged

    def _leaves(self) -> Iterator[bytes]:
        step, layout = self._layout.page_bytes, self._layout
        for start in range(0, self._size, _SCAN):
            self._file.seek(start)
            block = self._file.read(_SCAN)
            for slot, kind in enumerate(block[layout.trailer_at :: step]):
                data = block[slot * step : (slot + 1) * step]
                if kind == self._kind and len(data) == step and self._is_whole_leaf(data):
                    yield data

    def _is_whole_leaf(self, data: bytes) -> bool:
        layout = self._layout
        if layout.counts.unpack_from(data, layout.counts_at)[3] or data[layout.trailer_at + 1] != self._kind:
            return False
        (told,) = struct.unpack_from("<I", data, layout.crc_at)
        return checksum(data[: layout.trailer_at]) == int(told)

    def _born_at(self) -> int:
        return self._layout.trailer_at + (4 if self._layout.crc_at > self._layout.trailer_at + 4 else 8)


def checksum(data: bytes) -> int:
    """The store's own: a CRC-32 that begins with nothing and is not turned round at the end."""
    return ~zlib.crc32(data, 0xFFFFFFFF) & 0xFFFFFFFF
