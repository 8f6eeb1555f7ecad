"""Sets of volumes as packers write them, made by the tests."""

import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tests.support.rar_files import Member, rar3, rar5


def pieces(data: bytes, size: int) -> list[bytes]:
    """Cut to one size, but for the last."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def split_zip(members: Mapping[str, bytes], size: int) -> list[bytes]:
    """As Info-ZIP's `zip -s` does: no header is cut, offsets count from the start of their own volume."""
    volumes, directory = [bytearray(b"PK\x07\x08")], b""
    for name, data in members.items():
        packer = zlib.compressobj(wbits=-15)
        packed, told = packer.compress(data) + packer.flush(), name.encode()
        sizes = (zlib.crc32(data), len(packed), len(data), len(told))
        header = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, *sizes, 0)
        if len(volumes[-1]) + len(header) + len(told) > size:
            volumes.append(bytearray())
        disk, offset = len(volumes) - 1, len(volumes[-1])
        place = (0, 0, disk, 0, 0, offset)
        directory += struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, *sizes, *place) + told
        rest = header + told + packed
        while rest:
            room = max(0, size - len(volumes[-1]))
            volumes[-1] += rest[:room]
            rest = rest[room:]
            if rest:
                volumes.append(bytearray())
    last, offset = len(volumes) - 1, len(volumes[-1])
    count = len(members)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", last, last, count, count, len(directory), offset, 0)
    return [*map(bytes, volumes[:-1]), bytes(volumes[-1]) + directory + end]


def named_zip(stem: str, volumes: Sequence[bytes]) -> dict[str, bytes]:
    names = [*(f"{stem}.z{number:02}" for number in range(1, len(volumes))), f"{stem}.zip"]
    return dict(zip(names, volumes, strict=True))


def split_rar(member: Member, cuts: int, *, before: Sequence[Member] = (), old: bool = False) -> list[bytes]:
    """One member in as many volumes, behind others that are whole. Only its last part knows its checksum."""
    data = member.content if member.packed is None else member.packed
    parts, make = pieces(data, -(-len(data) // cuts)), rar3 if old else rar5
    came, goes = (1, 2) if old else (8, 16)
    volumes = []
    for place, part in enumerate(parts):
        first, last = place == 0, place == len(parts) - 1
        flags = (0 if first else came) | (0 if last else goes)
        piece = replace(member, split=flags, part=part, part_crc=None if last else zlib.crc32(part))
        volumes.append(make([*(before if first else ()), piece], volume=True, goes_on=not last))
    return volumes
