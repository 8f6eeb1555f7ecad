"""Writes a compound file (MS-CFB, version 3), so that a storage inside a document becomes a file of its own.

Called by the OLE reader in a child. The same storage always gives the same bytes.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

SECTOR = 512
MINI = 64
CUTOFF = 4096
FREE, END, FAT_SECTOR, DIFAT_SECTOR, NOTHING = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFC, 0xFFFFFFFF
_PER_FAT = SECTOR // 4


@dataclass
class Storage:
    """A folder of streams and further storages."""

    clsid: bytes = bytes(16)
    streams: dict[str, bytes] = field(default_factory=dict)
    storages: dict[str, "Storage"] = field(default_factory=dict)


@dataclass
class _Entry:
    name: str
    kind: int  # 1 storage, 2 stream, 5 root
    clsid: bytes = bytes(16)
    data: bytes = b""
    left: int = NOTHING
    right: int = NOTHING
    child: int = NOTHING
    start: int = END
    size: int = 0


def write(root: Storage) -> bytes:
    """The compound file that holds `root` as its root storage."""
    entries = [_Entry("Root Entry", 5, root.clsid)]
    _list(root, 0, entries)
    sectors: list[bytes] = []
    fat: list[int] = []
    mini_stream, mini_fat = _place_streams(entries, sectors, fat)
    entries[0].start, entries[0].size = _chain(mini_stream, sectors, fat), len(mini_stream)
    mini_start = _chain(_words(mini_fat), sectors, fat)
    directory_start = _chain(_directory(entries), sectors, fat)
    return _assemble(sectors, fat, directory_start, mini_start)


def _list(storage: Storage, index: int, entries: list[_Entry]) -> None:
    """Appends a storage's members and hangs them under it as the sorted tree that the format asks for."""
    members: Mapping[str, Storage | bytes] = {**storage.streams, **storage.storages}
    names = sorted(members, key=lambda name: (len(name.encode("utf-16-le")), name.upper()))
    first = len(entries)
    for name in names:
        member = members[name]
        entries.append(_Entry(name, 1, member.clsid) if isinstance(member, Storage) else _Entry(name, 2, data=member))
    entries[index].child = _balance(entries, first, first + len(names))
    for position, name in enumerate(names, first):
        member = members[name]
        if isinstance(member, Storage):
            _list(member, position, entries)


def _balance(entries: list[_Entry], low: int, high: int) -> int:
    if low >= high:
        return NOTHING
    middle = (low + high) // 2
    entries[middle].left = _balance(entries, low, middle)
    entries[middle].right = _balance(entries, middle + 1, high)
    return middle


def _place_streams(entries: list[_Entry], sectors: list[bytes], fat: list[int]) -> tuple[bytes, list[int]]:
    mini_stream, mini_fat = bytearray(), list[int]()
    for entry in entries:
        if entry.kind != 2:
            continue
        entry.size = len(entry.data)
        if entry.size >= CUTOFF:
            entry.start = _chain(entry.data, sectors, fat)
        elif entry.size:
            entry.start = len(mini_fat)
            count = -(-entry.size // MINI)
            mini_fat += [*range(entry.start + 1, entry.start + count), END]
            mini_stream += entry.data.ljust(count * MINI, b"\0")
    return bytes(mini_stream), mini_fat


def _chain(data: bytes, sectors: list[bytes], fat: list[int]) -> int:
    if not data:
        return END
    start = len(sectors)
    for offset in range(0, len(data), SECTOR):
        sectors.append(data[offset : offset + SECTOR].ljust(SECTOR, b"\0"))
        fat.append(len(sectors))
    fat[-1] = END
    return start


def _words(values: list[int]) -> bytes:
    padded = values + [FREE] * (-len(values) % _PER_FAT)
    return struct.pack(f"<{len(padded)}I", *padded)


def _directory(entries: list[_Entry]) -> bytes:
    out = bytearray()
    for entry in entries:
        name = entry.name.encode("utf-16-le")[:62] + b"\0\0"
        out += name.ljust(64, b"\0") + struct.pack("<HBB", len(name), entry.kind, 1)
        out += struct.pack("<III", entry.left, entry.right, entry.child) + entry.clsid
        out += bytes(20) + struct.pack("<IQ", entry.start, entry.size)
    unused = bytes(64) + struct.pack("<HBBIII", 0, 0, 0, NOTHING, NOTHING, NOTHING) + bytes(48)
    return bytes(out) + unused * (-len(entries) % 4)


def _assemble(sectors: list[bytes], fat: list[int], directory_start: int, mini_start: int) -> bytes:
    mini_count = 0
    while mini_start != END and fat[mini_start + mini_count] != END:
        mini_count += 1
    mini_count += mini_start != END
    fat_count, difat_count = _table_sizes(len(sectors))
    fat_sectors = list(range(len(sectors), len(sectors) + fat_count))
    difat_start = len(sectors) + fat_count
    fat = fat + [FAT_SECTOR] * fat_count + [DIFAT_SECTOR] * difat_count
    difat = b"".join(_difat_sectors(fat_sectors[109:], difat_start))
    head = struct.pack("<8s16sHHHHH6s", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", bytes(16), 0x3E, 3, 0xFFFE, 9, 6, bytes(6))
    head += struct.pack("<IIIIIIIII", 0, fat_count, directory_start, 0, CUTOFF, mini_start, mini_count,
                        difat_start if difat_count else END, difat_count)  # fmt: skip
    first = fat_sectors[:109] + [FREE] * (109 - len(fat_sectors[:109]))
    return head + struct.pack("<109I", *first) + b"".join(sectors) + _words(fat) + difat


def _table_sizes(count: int) -> tuple[int, int]:
    """How many FAT and DIFAT sectors cover `count` sectors and themselves."""
    fat = difat = 0
    while True:
        needed = -(-(count + fat + difat) // _PER_FAT)
        needed_difat = -(-max(0, needed - 109) // (_PER_FAT - 1))
        if (needed, needed_difat) == (fat, difat):
            return fat, difat
        fat, difat = needed, needed_difat


def _difat_sectors(fat_sectors: list[int], start: int) -> list[bytes]:
    out = []
    step = _PER_FAT - 1
    for number, offset in enumerate(range(0, len(fat_sectors), step), 1):
        part = fat_sectors[offset : offset + step]
        last = offset + step >= len(fat_sectors)
        part += [FREE] * (step - len(part)) + [END if last else start + number]
        out.append(struct.pack(f"<{_PER_FAT}I", *part))
    return out
