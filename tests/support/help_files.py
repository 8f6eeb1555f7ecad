"""Compiled HTML help made from scratch: a directory, files as they are, and files in one packed block."""

import struct

FILES = {"/pages/lease.htm": b"<html><body>The lease</body></html>", "/rent.css": b"body { color: black }"}
PACKED = {"/pages/rent.htm": b"<html><title>Rent</title><body>is due</body></html>", "/note.txt": b"deep"}
_BLOCK = 0x8000
_COMPRESSED = b"::DataSpace/Storage/MSCompressed/"
_TABLE = _COMPRESSED + b"Transform/{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}/InstanceData/ResetTable"
_FIRST_ID = bytes.fromhex("10fd017caa7bd0119e0c00a0c922e6ec")
_SECOND_ID = bytes.fromhex("11fd017caa7bd0119e0c00a0c922e6ec")


def chm(files: dict[str, bytes] | None = None, packed: dict[str, bytes] | None = None) -> bytes:
    plain = {name.encode(): data for name, data in (FILES if files is None else files).items()}
    hidden = {name.encode(): data for name, data in (PACKED if packed is None else packed).items()}
    plain |= {b"/#SYSTEM": b"\3\0\0\0", **_block(b"".join(hidden.values()))}
    entries = sorted([*_places(0, plain), *_places(1, hidden)])
    chunk = b"".join(entry for _, entry in entries)
    free = 0x1000 - 20 - len(chunk)
    listing = (
        b"PMGL" + struct.pack("<IIii", free, 0, -1, -1) + chunk + bytes(free - 2) + struct.pack("<H", len(entries))
    )
    root = struct.pack("<4s10I", b"ITSP", 1, 0x54, 10, 0x1000, 2, 1, 0xFFFFFFFF, 0, 0, 0xFFFFFFFF)
    directory = (root + struct.pack("<II", 1, 0x409) + _FIRST_ID + struct.pack("<I3i", 0x54, -1, -1, -1)) + listing
    start = 0x60 + 0x18 + len(directory)
    content = b"".join(plain.values())
    head = struct.pack("<4s5I", b"ITSF", 3, 0x60, 1, 0, 0x409) + _FIRST_ID + _SECOND_ID
    head += struct.pack("<5Q", 0x60, 0x18, 0x78, len(directory), start)
    return head + struct.pack("<IIQII", 0x1FE, 0, start + len(content), 0, 0) + directory + content


def _block(data: bytes) -> dict[bytes, bytes]:
    """The parts of a packed section: one block of the kind that holds its bytes as they are."""
    bits = 3 << 28 | _BLOCK << 4
    packed = struct.pack("<HH3I", bits >> 16, bits & 0xFFFF, 1, 1, 1) + data.ljust(_BLOCK, b"\0")
    control = struct.pack("<I4s5I", 6, b"LZXC", 2, 1, 2, 0, 0)
    table = struct.pack("<4I4Q", 2, 1, 8, 0x28, _BLOCK, len(packed), _BLOCK, 0)
    return {_COMPRESSED + b"Content": packed, _COMPRESSED + b"ControlData": control, _TABLE: table}


def _places(section: int, files: dict[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    found, at = [], 0
    for name, data in files.items():
        found.append((name, _count(len(name)) + name + _count(section) + _count(at) + _count(len(data))))
        at += len(data)
    return found


def _count(value: int) -> bytes:
    parts = [value & 0x7F]
    while value := value >> 7:
        parts.append(value & 0x7F | 0x80)
    return bytes(reversed(parts))
