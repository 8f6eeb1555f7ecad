"""Cabinets (CAB) with stored files, made by the tests; nothing free writes them."""

import struct
import zlib
from collections.abc import Mapping

_DATE, _TIME = (2020 - 1980) << 9 | 7 << 5 | 26, 22 << 11 | 11 << 5 | 21


def cabinet(files: Mapping[str, bytes]) -> bytes:
    """One folder, one block."""
    return cabinet_of_folders((0, files))


def cabinet_of_folders(*folders: tuple[int, Mapping[str, bytes]]) -> bytes:
    """Folders by the number of their method, each with one block of bytes that are not packed at all."""
    listed, data, starts = b"", b"", []
    for number, (_, files) in enumerate(folders):
        content = b"".join(files.values())
        starts.append(len(data))
        data += struct.pack("<IHH", 0, len(content), len(content)) + content
        at = 0
        for name, each in files.items():
            listed += struct.pack("<IIHHHH", len(each), at, number, _DATE, _TIME, 0x20) + name.encode() + b"\0"
            at += len(each)
    files_at = 36 + 8 * len(folders)
    data_at, count = files_at + len(listed), sum(len(files) for _, files in folders)
    header = struct.pack(
        "<4sIIIIIBBHHHHH", b"MSCF", 0, data_at + len(data), 0, files_at, 0, 3, 1, len(folders), count, 0, 1, 0
    )
    told = (struct.pack("<IHH", data_at + start, 1, method) for start, (method, _) in zip(starts, folders, strict=True))
    return header + b"".join(told) + listed + data


def cabinet_set(files: Mapping[str, bytes], size: int, *, packed: bool = False, reserve: int = 0) -> list[bytes]:
    """Cabinets with so many bytes of data each, all in one folder; a block that crosses a border is cut in two."""
    data = b"".join(files.values())
    blocks = [
        _packed(data[at : at + _BLOCK]) if packed else data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)
    ]
    parts: list[list[bytes]] = [[]]
    first_in, last_in = [], []
    room = size
    for number, block in enumerate(blocks):
        unpacked = len(data[number * _BLOCK : (number + 1) * _BLOCK])
        first_in.append(len(parts) - 1)
        while len(block) > room:
            parts[-1] += [_block(block[:room], 0, reserve)] if room else []
            parts.append([])
            block, room = block[room:], size
        parts[-1].append(_block(block, unpacked, reserve))
        room -= len(block)
        last_in.append(len(parts) - 1)
    spans, at = {}, 0
    for name, content in files.items():
        end = max(at, at + len(content) - 1)
        spans[name] = at, len(content), first_in[at // _BLOCK], last_in[end // _BLOCK]
        at += len(content)
    return [_of_set(number, parts, spans, packed, reserve) for number in range(len(parts))]


_BLOCK = 32768
_Spans = Mapping[str, tuple[int, int, int, int]]


def _packed(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return b"CK" + packer.compress(data) + packer.flush()


def _block(data: bytes, unpacked: int, reserve: int) -> bytes:
    told = struct.pack("<HH", len(data), unpacked) + b"room for a maker"[:reserve]
    return struct.pack("<I", checksum_of(data) ^ checksum_of(told)) + told + data


def checksum_of(data: bytes) -> int:
    whole, rest = divmod(len(data), 4)
    result = int.from_bytes(data[len(data) - rest :], "big")
    for word in struct.unpack(f"<{whole}I", data[: 4 * whole]):
        result ^= word
    return result


def _of_set(number: int, parts: list[list[bytes]], spans: _Spans, packed: bool, reserve: int) -> bytes:
    last = len(parts) - 1
    listed, count = b"", 0
    for name, (at, length, first, end) in spans.items():
        if first <= number <= end:
            folder = {(False, False): 0, (True, False): 0xFFFD, (False, True): 0xFFFE, (True, True): 0xFFFF}
            crossing = folder[first < number, end > number]
            listed += struct.pack("<IIHHHH", length, at, crossing, _DATE, _TIME, 0x20) + name.encode() + b"\0"
            count += 1
    flags = (number > 0) + 2 * (number < last) + 4 * bool(reserve)
    more = struct.pack("<HBB", 0, 0, reserve) if reserve else b""
    more += f"disk{number}.cab\0Disk {number}\0".encode() if number else b""
    more += f"disk{number + 2}.cab\0Disk {number + 2}\0".encode() if number < last else b""
    files_at = 36 + len(more) + 8
    data_at, data = files_at + len(listed), b"".join(parts[number])
    header = struct.pack(
        "<4sIIIIIBBHHHHH", b"MSCF", 0, data_at + len(data), 0, files_at, 0, 3, 1, 1, count, flags, 77, number
    )
    return header + more + struct.pack("<IHH", data_at, len(parts[number]), int(packed)) + listed + data
