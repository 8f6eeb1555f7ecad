"""Cabinets (CAB) with stored files, made by the tests; nothing free writes them."""

import struct
from collections.abc import Mapping

_DATE, _TIME = (2020 - 1980) << 9 | 7 << 5 | 26, 22 << 11 | 11 << 5 | 21


def cabinet(files: Mapping[str, bytes]) -> bytes:
    """One folder, one block."""
    data, listed, at = b"".join(files.values()), b"", 0
    for name, content in files.items():
        listed += struct.pack("<IIHHHH", len(content), at, 0, _DATE, _TIME, 0x20) + name.encode() + b"\0"
        at += len(content)
    files_at = 36 + 8
    data_at = files_at + len(listed)
    block = struct.pack("<IHH", 0, len(data), len(data)) + data
    length = data_at + len(block)
    header = struct.pack("<4sIIIIIBBHHHHH", b"MSCF", 0, length, 0, files_at, 0, 3, 1, 1, len(files), 0, 1, 0)
    return header + struct.pack("<IHH", data_at, 1, 0) + listed + block
