"""The node database of a store: what lies at a node, block by block, and the nodes below it. Runs in a child."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from redwell.handlers.pst.cipher import plain
from redwell.handlers.pst.layout import HEADER_BYTES, read_header
from redwell.handlers.pst.tree import BLOCKS, NODES, Damaged, Tree, checksum

_INTERNAL = 2
_DATA_LIST, _SUBNODE_LIST = 1, 2
_BLOCK_UNIT = 64
_MOST_SUBNODES = 100_000
_PACKED_AT_MOST = 50  # what a packed store may grow to, and more than one does


@dataclass(frozen=True, slots=True)
class Node:
    nid: int
    data: int
    subnodes: int
    parent: int = 0

    @property
    def kind(self) -> int:
        return self.nid & 0x1F


class Database:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file, self._size = file, size
        file.seek(0)
        self.header = read_header(file.read(HEADER_BYTES))
        self.layout = self.header.layout
        self._nodes = Tree(file, size, self.layout, self.header.nodes_at, NODES)
        self._blocks = Tree(file, size, self.layout, self.header.blocks_at, BLOCKS)
        self.unsound = 0  # blocks so far whose bytes are not those that their checksum was made of
        self.most_bytes = size * (_PACKED_AT_MOST if self.layout.page_bytes > 512 else 1)

    def __iter__(self) -> Iterator[Node]:
        return (Node(*entry) for entry in self._nodes)

    @property
    def holes(self) -> int:
        """How many pages of the trees could not be read so far."""
        return len(self._nodes.holes) + len(self._blocks.holes)

    def was_hidden(self, nid: int) -> bool:
        """Whether a damaged page hid this node."""
        return any(low <= nid < high for low, high in self._nodes.holes)

    def node(self, nid: int) -> Node:
        entry = self._nodes.find(nid)
        if entry is None:
            raise Damaged(f"node {nid:#x} is missing")
        return Node(*entry)

    def data(self, block: int) -> Iterator[bytes]:
        """The bytes of a node, in the runs that they are stored in."""
        total = 0
        for each in self._leaves(block, 2):
            run = plain(self._raw(each), self.header.cipher, each & 0xFFFFFFFF)
            total += len(run)
            if total > self.most_bytes:
                raise Damaged("a node that is larger than the store")
            yield run

    def subnodes(self, block: int) -> dict[int, Node]:
        found: dict[int, Node] = {}
        if block:
            self._add_subnodes(block, found, 1)
        return found

    def _leaves(self, block: int, levels: int) -> Iterator[int]:
        if not block:
            return
        if not block & _INTERNAL:
            yield block
            return
        data = self._raw(block)
        if data[:1] != bytes((_DATA_LIST,)) or not 1 <= data[1] <= levels:
            raise Damaged("a list of blocks is damaged")
        for below in self._listed(data):
            yield from self._leaves(below, data[1] - 1)

    def _listed(self, data: bytes) -> Iterator[int]:
        count, width = int.from_bytes(data[2:4], "little"), self.layout.block_id.size
        if len(data) < 8 + count * width:
            raise Damaged("a list of blocks is cut off")
        return (self.layout.block_id.unpack_from(data, 8 + slot * width)[0] for slot in range(count))

    def _add_subnodes(self, block: int, found: dict[int, Node], levels: int) -> None:
        data = self._raw(block)
        if data[:1] != bytes((_SUBNODE_LIST,)) or data[1] > levels:
            raise Damaged("a list of subnodes is damaged")
        form = self.layout.subnode_page if data[1] else self.layout.subnode
        count, start = int.from_bytes(data[2:4], "little"), self.layout.list_at
        for slot in range(min(count, (len(data) - start) // form.size)):
            entry = form.unpack_from(data, start + slot * form.size)
            if data[1]:
                self._add_subnodes(entry[1], found, 0)
            elif len(found) < _MOST_SUBNODES:
                found[entry[0]] = Node(*entry)

    def _check(self, place: int, data: bytes) -> None:
        """Not of stores with large pages: nobody has written down what their checksums cover."""
        trailer = self.layout.block_trailer
        if trailer is None:
            return
        whole = -(-(len(data) + trailer.size) // _BLOCK_UNIT) * _BLOCK_UNIT
        self._file.seek(place + whole - trailer.size)
        told = self._file.read(trailer.size)
        if len(told) < trailer.size or trailer.unpack(told)[0] != checksum(data):
            self.unsound += 1

    def _raw(self, block: int) -> bytes:
        entry = self._blocks.find(block & ~1)
        if entry is None:
            raise Damaged(f"block {block:#x} is missing")
        _, place, length, *unpacked = entry
        self._file.seek(min(place, self._size))
        data = self._file.read(length)
        if len(data) < length:
            raise Damaged(f"block {block:#x} lies behind the end of the store")
        self._check(place, data)
        if not unpacked or unpacked[0] in (0, length):
            return data
        try:
            return zlib.decompressobj().decompress(data, unpacked[0])
        except zlib.error:
            raise Damaged(f"block {block:#x} does not unpack") from None
