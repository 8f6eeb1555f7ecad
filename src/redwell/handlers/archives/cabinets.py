"""What cabinets (CAB) list, and which of them go on in which. Used by the handler of their sets in a child."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

from redwell.core.errors import InvalidFile

MARK = b"MSCF\0\0\0\0"
HEADER = struct.Struct("<8sIIIIBBHHHHH")
FOLDER, FILE, BLOCK = struct.Struct("<IHH"), struct.Struct("<IIHHHH"), struct.Struct("<IHH")
_HAS_PREVIOUS, _HAS_NEXT, _HAS_ROOM = 1, 2, 4
_LONGEST_NAME = 257
_METHODS, _QUANTUM = 0xF, 2
_SIZES = 4  # bytes of a block's header behind its checksum


class Part(NamedTuple):
    """Packed bytes as they lie in one cabinet."""

    file: BinaryIO
    at: int
    size: int
    checksum: int  # 0 where there is none
    told: bytes  # behind the checksum and counted in it, with what its maker put there

    def read(self) -> bytes:
        self.file.seek(self.at)
        return self.file.read(self.size)


class Block(NamedTuple):
    """What is unpacked at once. One that is cut by a border has a part in each cabinet; all but the last say 0."""

    parts: tuple[Part, ...]
    unpacked: int


class Folder(NamedTuple):
    method: int
    blocks: list[Block]
    is_cut: bool  # blocks are missing behind these: what follows in the next cabinet has no place

    @property
    def is_quantum(self) -> bool:
        return self.method & _METHODS == _QUANTUM


class Entry(NamedTuple):
    size: int
    at: int
    folder: int
    rest: tuple[int, int, int]  # date, time, attributes
    name: bytes


@dataclass(slots=True)
class Cabinet:
    number: int
    set_id: int
    before: str = ""  # the name of the cabinet that this one goes on from
    behind: str = ""
    folders: list[Folder] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        return not self.before and not self.behind

    def is_followed_by(self, other: "Cabinet") -> bool:
        return bool(self.behind and other.before) and (other.set_id, other.number) == (self.set_id, self.number + 1)


def read_cabinet(file: BinaryIO) -> Cabinet:
    """What a cabinet lists; raises `InvalidFile` for anything else."""
    try:
        return _read(file)
    except struct.error:
        raise InvalidFile("the cabinet is cut off") from None


def _read(file: BinaryIO) -> Cabinet:
    file.seek(0)
    mark, _, _, files_at, _, _, _, folders, entries, flags, set_id, number = HEADER.unpack(file.read(HEADER.size))
    if mark != MARK:
        raise InvalidFile("this is no cabinet")
    room = struct.unpack("<HBB", file.read(4)) if flags & _HAS_ROOM else (0, 0, 0)
    file.seek(room[0], 1)
    found = Cabinet(number, set_id)
    if flags & _HAS_PREVIOUS:
        found.before = _string(file) or "before"
        _string(file)  # the label of the disk
    if flags & _HAS_NEXT:
        found.behind = _string(file) or "behind"
        _string(file)
    listed = [FOLDER.unpack(file.read(FOLDER.size + room[1])[: FOLDER.size]) for _ in range(folders)]
    file.seek(files_at)
    found.entries = [_entry(file) for _ in range(entries)]
    for at, count, method in listed:
        blocks = list(_blocks(file, at, count, room[2]))
        found.folders.append(Folder(method, blocks, len(blocks) < count))
    return found


def _string(file: BinaryIO) -> str:
    return _bytes(file).decode("utf-8", "replace")


def _bytes(file: BinaryIO) -> bytes:
    at = file.tell()
    value, end, _ = file.read(_LONGEST_NAME).partition(b"\0")
    if not end:
        raise InvalidFile("a name in the cabinet has no end")
    file.seek(at + len(value) + 1)
    return value


def _entry(file: BinaryIO) -> Entry:
    size, at, folder, *rest = FILE.unpack(file.read(FILE.size))
    return Entry(size, at, folder, (rest[0], rest[1], rest[2]), _bytes(file))


def _blocks(file: BinaryIO, at: int, count: int, room: int) -> Iterator[Block]:
    """As many as there are: of a cabinet that is cut off, those before the cut."""
    end = file.seek(0, 2)
    for _ in range(count):
        file.seek(at)
        head = file.read(BLOCK.size + room)
        start = at + BLOCK.size + room
        if start > end:
            return
        checksum, packed, unpacked = BLOCK.unpack_from(head)
        if start + packed > end:
            return
        yield Block((Part(file, start, packed, checksum, head[-_SIZES - room :]),), unpacked)
        at = start + packed


def chains(cabinets: Sequence[Cabinet]) -> Iterator[list[Cabinet]]:
    """Runs of cabinets each of which goes on in the next."""
    run: list[Cabinet] = []
    for cabinet in cabinets:
        if run and not run[-1].is_followed_by(cabinet):
            yield run
            run = []
        run.append(cabinet)
    if run:
        yield run
