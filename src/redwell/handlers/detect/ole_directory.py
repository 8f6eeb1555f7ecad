"""Reads the directory of an OLE2 compound file: its names tell the format. Called by detect."""

import struct
from typing import BinaryIO

_END_OF_CHAIN = 0xFFFFFFFA  # this and above are marks, not sectors
_MOST_SECTORS = 64  # 2,000 names and more: enough to know a format, little to read
_ENTRY_SIZE = 128

# The first stream that is there decides; embedded objects lie in storages and may bring their own names along.
_BY_STREAM: tuple[tuple[str, str], ...] = (
    ("EncryptedPackage", "application/x-ooxml-protected"),
    ("__properties_version1.0", "application/vnd.ms-outlook"),
    ("__nameid_version1.0", "application/vnd.ms-outlook"),  # one that has lost its list of properties
    ("WordDocument", "application/msword"),
    ("Workbook", "application/vnd.ms-excel"),
    ("Book", "application/vnd.ms-excel"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"),
    ("PP40", "application/vnd.ms-powerpoint"),
    ("VisioDocument", "application/vnd.visio"),
    ("Quill", "application/x-mspublisher"),
    ("Props14", "application/vnd.ms-project"),
    ("Props12", "application/vnd.ms-project"),
    ("Props9", "application/vnd.ms-project"),
    ("Props", "application/vnd.ms-project"),
    ("BodyText", "application/x-hwp"),
    ("ViewText", "application/x-hwp"),
    ("PerfectOffice_MAIN", "application/vnd.wordperfect"),
    ("PerfectOffice_OBJECTS", "application/vnd.wordperfect"),
    ("StarWriterDocument", "application/vnd.stardivision.writer"),
    ("StarCalcDocument", "application/vnd.stardivision.calc"),
    ("StarDrawDocument", "application/vnd.stardivision.draw"),
    ("MatOST", "application/vnd.ms-works"),
    ("SPELLING", "application/vnd.ms-works"),
    ("Catalog", "application/x-thumbs-db"),
    ("WksSSWorkBook", "application/vnd.ms-works"),
)
UNKNOWN = "application/x-ole-storage"
_INSTALLER_CLASS = bytes.fromhex("84100c0000000000c000000000000046")


def media_type(file: BinaryIO, head: bytes) -> str:
    """The format of an OLE2 file by the names in its root storage; `UNKNOWN` where they say nothing."""
    directory = _directory(file, head)
    if directory[80:96] == _INSTALLER_CLASS:
        return "application/x-msi"
    names = _root_names(directory)
    return next((kind for name, kind in _BY_STREAM if name.lower() in names), UNKNOWN)


def _directory(file: BinaryIO, head: bytes) -> bytes:
    """The directory's sectors in order; as many as can be followed when the file is damaged."""
    if len(head) < 512:
        return b""
    (shift,) = struct.unpack_from("<H", head, 30)
    (sector,) = struct.unpack_from("<I", head, 48)
    if not 7 <= shift <= 16:
        return b""
    size = 1 << shift
    fat_sectors = struct.unpack_from("<109I", head, 76)
    sectors: list[bytes] = []
    while sector < _END_OF_CHAIN and len(sectors) < _MOST_SECTORS:
        sectors.append(_sector(file, sector, size))
        sector = _next(file, sector, size, fat_sectors)
    return b"".join(sectors)


def _sector(file: BinaryIO, sector: int, size: int) -> bytes:
    file.seek((sector + 1) * size)
    return file.read(size)


def _next(file: BinaryIO, sector: int, size: int, fat_sectors: tuple[int, ...]) -> int:
    index, offset = divmod(sector, size // 4)
    if index >= len(fat_sectors) or fat_sectors[index] >= _END_OF_CHAIN:
        return _END_OF_CHAIN
    file.seek((fat_sectors[index] + 1) * size + offset * 4)
    return int.from_bytes(file.read(4).ljust(4, b"\xff"), "little")


def _root_names(directory: bytes) -> set[str]:
    """Names of the root's own children, or all names where the tree of siblings is broken."""
    entries = [directory[at : at + _ENTRY_SIZE] for at in range(0, len(directory) - _ENTRY_SIZE + 1, _ENTRY_SIZE)]
    if not entries:
        return set()
    names, seen, waiting = set(), set[int](), [int.from_bytes(entries[0][76:80], "little")]
    while waiting:
        at = waiting.pop()
        if at >= len(entries) or at in seen:
            continue
        seen.add(at)
        names.add(_name(entries[at]))
        left, right = struct.unpack_from("<II", entries[at], 68)
        waiting += (left, right)
    return names or {_name(entry) for entry in entries}


def _name(entry: bytes) -> str:
    length = min(int.from_bytes(entry[64:66], "little"), 64)
    return entry[: max(0, length - 2)].decode("utf-16-le", "replace").strip().lower()  # WORKBOOK is seen, too
