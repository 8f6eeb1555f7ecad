"""Cabinets (CAB) that go on in others, put together into one that libarchive reads. Used by their handler in a child.

A set lists a file that crosses a border in each of its cabinets, and cuts the block of packed bytes at the border in
two; neither half can be unpacked alone.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from redwell.core.errors import Unsupported
from redwell.handlers.archives.cabinets import BLOCK, FILE, FOLDER, HEADER, MARK, Block, Cabinet, Entry, Folder, Part

_TO_NEXT, _CONTINUED = 0xFFFE, (0xFFFD, 0xFFFF)  # in place of the number of a folder: files that cross a border
_MOST_COUNTED, _MOST_BYTES = 0xFFFF, 0xFFFFFFFF
_STORED = 0


class Joined(NamedTuple):
    """`cabinet` lists the files whose bytes are there and readable, those at the places `damaged` too."""

    cabinet: Cabinet
    damaged: set[int]
    absent: list[Entry]
    unread: list[Entry]  # packed by Quantum, at whose first file libarchive would give up the others as well


def joined(chain: Sequence[Cabinet]) -> Joined:
    """One cabinet of several that go on in one another; a file is listed where it begins."""
    whole = _joined(chain)
    has_no_start = bool(chain[0].before) and any(entry.folder in _CONTINUED for entry in chain[0].entries)
    spans = [_spans(folder, has_no_start and number == 0) for number, folder in enumerate(whole.folders)]
    listed, whole.entries = whole.entries, []
    found = Joined(whole, set(), [], [])
    for entry in listed:
        if entry.folder < len(spans) and whole.folders[entry.folder].is_quantum:
            found.unread.append(entry)
            continue
        of_folder = spans[entry.folder] if entry.folder < len(spans) else _NOTHING
        if entry.at + entry.size > of_folder.length:
            found.absent.append(entry)
            continue
        if of_folder.has_damage(entry.at, entry.at + entry.size):
            found.damaged.add(len(whole.entries))
        whole.entries.append(entry)
    return found


class _Spans(NamedTuple):
    length: int  # of what is there; less than nothing where its files would be sought in a wrong place
    damaged: list[tuple[int, int]]

    def has_damage(self, at: int, end: int) -> bool:
        return any(start < end and at < stop for start, stop in self.damaged)


_NOTHING = _Spans(-1, [])


def _spans(folder: Folder, has_no_start: bool) -> _Spans:
    """libarchive tells damage only at the end of a block, which a file need not reach; so blocks are checked here."""
    if has_no_start or not any(block.unpacked for block in folder.blocks):
        return _NOTHING
    at, damaged = 0, []
    for block in folder.blocks:
        if not all(part.checksum in (0, _sum(part)) for part in block.parts):
            # what is packed builds on what was before
            damaged.append((at, at + block.unpacked if folder.method == _STORED else _MOST_BYTES))
        at += block.unpacked
    return _Spans(at, damaged)


def _joined(chain: Sequence[Cabinet]) -> Cabinet:
    whole = Cabinet(0, chain[0].set_id)
    for cabinet in chain:
        goes_on = bool(whole.folders) and any(entry.folder in _CONTINUED for entry in cabinet.entries)
        first = len(whole.folders) - goes_on
        folders = list(cabinet.folders)
        if goes_on and folders:
            whole.folders.append(_continued(whole.folders.pop(), folders.pop(0)))
        whole.folders += folders
        last = len(whole.folders) - 1
        for entry in cabinet.entries:
            if not (goes_on and entry.folder in _CONTINUED):
                whole.entries.append(entry._replace(folder=_number(entry.folder, first, last)))
    return whole


def _number(folder: int, first: int, last: int) -> int:
    """Of a folder in the whole, where the cabinet's own begin at `first`."""
    if folder == _TO_NEXT:
        return last
    return first if folder in _CONTINUED else first + folder


def _continued(folder: Folder, more: Folder) -> Folder:
    if folder.is_cut:
        return folder
    blocks = list(folder.blocks)
    for block in more.blocks:
        half = blocks.pop().parts if blocks and not blocks[-1].unpacked else ()
        blocks.append(Block(half + block.parts, block.unpacked))
    return Folder(folder.method, blocks, more.is_cut)


def written_out(cabinet: Cabinet) -> Iterator[bytes]:
    """The cabinet's bytes; raises `Unsupported` where one cabinet cannot hold so much."""
    folders = [f._replace(blocks=[block for block in f.blocks if block.unpacked]) for f in cabinet.folders]
    files = b"".join(FILE.pack(e.size, e.at, e.folder, *e.rest) + e.name + b"\0" for e in cabinet.entries)
    files_at = HEADER.size + FOLDER.size * len(folders)
    starts = [files_at + len(files)]
    for folder in folders:
        starts.append(starts[-1] + sum(BLOCK.size + _size(block) for block in folder.blocks))
    counts = len(folders), len(cabinet.entries), *(len(folder.blocks) for folder in folders)
    if starts[-1] > _MOST_BYTES or max(counts) > _MOST_COUNTED:
        raise Unsupported("the set is larger than a cabinet may be; unpack it with cabextract and import the files")
    yield HEADER.pack(MARK, starts[-1], 0, files_at, 0, 3, 1, counts[0], counts[1], 0, cabinet.set_id, 0)
    for start, folder in zip(starts, folders, strict=False):
        yield FOLDER.pack(start, len(folder.blocks), folder.method)
    yield files
    for folder in folders:
        for block in folder.blocks:
            yield _packed(block)


def _size(block: Block) -> int:
    return sum(part.size for part in block.parts)


def _packed(block: Block) -> bytes:
    """Without a checksum: it has been checked, and would be another one."""
    return BLOCK.pack(0, _size(block), block.unpacked) + b"".join(part.read() for part in block.parts)


def _sum(part: Part) -> int:
    return _laid_over(part.read()) ^ _laid_over(part.told)


def _laid_over(data: bytes) -> int:
    """The exclusive or of its words, and of what is left of one at the end; in halves, which is fast."""
    words = len(data) // 4
    rest = int.from_bytes(data[4 * words :], "big")
    value = int.from_bytes(data[: 4 * words], "little")
    while words > 1:
        words = (words + 1) // 2
        value = (value >> 32 * words) ^ (value & ((1 << 32 * words) - 1))
    return value ^ rest
