"""LHA archives with every kind of header, made by the tests."""

import struct
from collections.abc import Mapping

DOS_TIME = ((2020 - 1980 << 9 | 7 << 5 | 26) << 16) | 22 << 11 | 11 << 5 | 21
UNIX_TIME = 1_600_000_000


def member(
    name: bytes,
    content: bytes = b"",
    *,
    level: int = 0,
    method: bytes = b"-lh0-",
    packed: bytes | None = None,
    records: Mapping[int, bytes] | None = None,
    system: bytes = b"M",
) -> bytes:
    """`records` stand behind the fixed part of the header, by their kind; new headers have names there alone."""
    data, records = content if packed is None else packed, dict(records or {})
    if level >= 2 and name:
        records = {0x01: name, **records}
    extensions = _extensions(records, 4 if level == 3 else 2)
    sizes = len(data) + (len(extensions) - 2 if level == 1 else 0), len(content)
    fixed = method + struct.pack("<IIIBB", *sizes, DOS_TIME if level < 2 else UNIX_TIME, 0x20, level)
    crc = struct.pack("<H", crc16(content))
    if level < 2:
        fixed += bytes((len(name),)) + name + crc + (system + extensions[:2] if level else b"")
        return bytes((len(fixed), sum(fixed) & 0xFF)) + fixed + (extensions[2:] if level else b"") + data
    if level == 2:
        length = 2 + len(fixed) + 3 + len(extensions)
        return struct.pack("<H", length) + fixed + crc + system + extensions + data
    length = 2 + len(fixed) + 3 + 4 + len(extensions)
    return struct.pack("<H", 4) + fixed + crc + system + struct.pack("<I", length) + extensions + data


def _extensions(records: Mapping[int, bytes], width: int) -> bytes:
    lengths = [1 + len(record) + width for record in records.values()]
    out = b""
    for (kind, record), length in zip(records.items(), lengths, strict=True):
        out += length.to_bytes(width, "little") + bytes((kind,)) + record
    return out + bytes(width)


def crc16(data: bytes) -> int:
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)
    return value
