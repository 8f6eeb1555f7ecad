"""Blocks, pages and header of small Outlook stores. Used by pst_files, which puts folders and items into them."""

import struct
import zlib
from collections.abc import Iterable, Mapping

from redwell.handlers.pst import cipher
from redwell.handlers.pst.tree import checksum

_ENCODE = bytes(cipher.plain(bytes(range(256)), 1, 0).index(byte) for byte in range(256))
_BLOCK = 8000


class Blocks:
    """What a store is made of; `data` is the whole file."""

    def __init__(self, *, ansi: bool, large: bool, method: int) -> None:
        self.ansi, self.large, self.method = ansi, large, method
        self._page_bytes = 4096 if large else 512
        self._blocks: list[tuple[int, bytes]] = []
        self._nodes: list[tuple[int, int, int, int]] = []
        self._next_block = 0

    def data(self) -> bytes:
        out = bytearray(0x4600)
        places = {block: self._write_block(out, block, raw) for block, raw in self._blocks}
        word = "I" if self.ansi else "Q"
        leaf = "<IIHH" if self.ansi else "<QQHHH2x" if self.large else "<QQH6x"
        blocks = [(b, struct.pack(leaf, b, *places[b])) for b, _ in sorted(self._blocks)]
        form = "<IIII" if self.ansi else "<QQQI4x"
        nodes = [(node[0], struct.pack(form, *node)) for node in sorted(self._nodes)]
        roots = [self._tree(out, 0x81, nodes), self._tree(out, 0x80, blocks)]
        self._write_header(out, word, roots)
        return bytes(out)

    def _add(self, data: bytes) -> int:
        """The block of these bytes, or of a list of blocks where they are too many for one, or of a list of lists."""
        if len(data) <= _BLOCK:
            return self._block(data)
        parts = [self._block(data[at : at + _BLOCK]) for at in range(0, len(data), _BLOCK)]
        level = 1
        while True:
            chunks = [parts[at : at + 1_000] for at in range(0, len(parts), 1_000)]
            sizes = [len(data)] if len(chunks) == 1 else [min(1_000 * _BLOCK, len(data))] * len(chunks)
            parts = [self._list(level, chunk, size) for chunk, size in zip(chunks, sizes, strict=True)]
            level += 1
            if len(parts) == 1:
                return parts[0]

    def _list(self, level: int, parts: list[int], size: int) -> int:
        form = f"<BBHI{len(parts)}{'I' if self.ansi else 'Q'}"
        return self._block(struct.pack(form, 1, level, len(parts), size, *parts), internal=True)

    def _block(self, data: bytes, *, internal: bool = False) -> int:
        self._next_block += 4
        block = self._next_block | (2 if internal else 0)
        self._blocks.append((block, data if internal else self._encoded(data, block)))
        return block

    def _encoded(self, data: bytes, block: int) -> bytes:
        return data.translate(_ENCODE) if self.method == 1 else cipher.plain(data, self.method, block)

    def _subnodes(self, nodes: Mapping[int, tuple[int, int]]) -> int:
        if not nodes:
            return 0
        form = "<III" if self.ansi else "<QQQ"
        entries = b"".join(struct.pack(form, nid, *nodes[nid]) for nid in sorted(nodes))
        return self._block(struct.pack("<BBH" if self.ansi else "<BBH4x", 2, 0, len(nodes)) + entries, internal=True)

    def _put(self, nid: int, parent: int, where: tuple[int, int]) -> None:
        self._nodes.append((nid, *where, parent))

    def _write_block(self, out: bytearray, block: int, raw: bytes) -> tuple[int, ...]:
        """Where it lies and how long it is; packed in stores with large pages, where that is shorter."""
        data = min(raw, zlib.compress(raw), key=len) if self.large else raw
        at, trailer, unit = len(out), 12 if self.ansi else 24 if self.large else 16, 512 if self.large else 64
        whole = -(-(len(data) + trailer) // unit) * unit
        head = struct.pack("<HH", len(data), _signature(at, block))
        tail = struct.pack("<II", block, checksum(data)) if self.ansi else struct.pack("<IQ", checksum(data), block)
        tail += struct.pack("<HHI", 0, len(raw), 0) if self.large else b""
        out += data.ljust(whole - trailer, b"\0") + head + tail
        return (at, len(data), len(raw), 2) if self.large else (at, len(data), 2) if self.ansi else (at, len(data))

    def _tree(self, out: bytearray, kind: int, entries: Iterable[tuple[int, bytes]]) -> tuple[int, int]:
        """Leaves of 12 entries, and pages above them until there is one."""
        level, entries = 0, list(entries)
        while True:
            pages = [entries[at : at + 12] for at in range(0, len(entries), 12)] or [[]]
            placed = [(page[0][0] if page else 0, *self._page(out, kind, level, page)) for page in pages]
            if len(placed) == 1:
                return placed[0][1:]
            form = "<III" if self.ansi else "<QQQ"
            entries, level = [(row[0], struct.pack(form, *row)) for row in placed], level + 1

    def _page(self, out: bytearray, kind: int, level: int, page: list[tuple[int, bytes]]) -> tuple[int, int]:
        out += b"\0" * (-len(out) % self._page_bytes)
        at, block = len(out), len(out) // 512 << 2
        width = len(page[0][1]) if page else 32
        room = 496 if self.ansi else 4056 if self.large else 488
        counts = struct.pack("<HHBB" if self.large else "<BBBB", len(page), room // width, width, level)
        body = b"".join(raw for _, raw in page).ljust(room, b"\0") + counts
        body = body.ljust(500 if self.ansi else 4072 if self.large else 496, b"\0")
        tail = (block, checksum(body)) if self.ansi else (checksum(body), block)
        form = "<BBHII" if self.ansi else "<BBHIQ8x" if self.large else "<BBHIQ"
        out += body + struct.pack(form, kind, kind, _signature(at, block), *tail)
        return block, at

    def _write_header(self, out: bytearray, word: str, roots: list[tuple[int, int]]) -> None:
        out[:12] = struct.pack("<4sIHH", b"!BDN", 0, 0x4D53, 14 if self.ansi else 36 if self.large else 23)
        struct.pack_into("<HBB", out, 12, 19, 1, 1)
        root = 164 if self.ansi else 180
        struct.pack_into(f"<I{word}", out, root, 0, len(out))
        struct.pack_into(f"<4{word}", out, root + (20 if self.ansi else 36), *roots[0], *roots[1])
        at = 460 if self.ansi else 512
        out[at : at + 2] = bytes((0x80, self.method))
        struct.pack_into("<I", out, 4, checksum(bytes(out[8:479])))
        if not self.ansi:
            struct.pack_into("<I", out, 524, checksum(bytes(out[8:524])))


def _signature(place: int, block: int) -> int:
    mixed = (place ^ block) & 0xFFFFFFFF
    return (mixed >> 16 ^ mixed) & 0xFFFF
