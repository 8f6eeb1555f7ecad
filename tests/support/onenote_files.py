"""Small OneNote sections made from scratch, for the handler tests."""

import struct
from uuid import UUID

SECTION = bytes.fromhex("e4525c7b8cd8a74daeb15378d02996d3")
STORE = bytes.fromhex("3fdd9a101b91f549a5d01791edc8aed8")
_GUID = UUID("11111111-2222-3333-4444-555555555555").bytes_le
FILE_GUID = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
_MAGIC, _END = 0xA4567AB1F5F7F4C4, 0x8BC215C38233BA4B


def properties(values: dict[int, bytes], children: tuple[int, ...] = ()) -> bytes:
    """A property set: numbers with counted data, and references to objects of the same section."""
    out = struct.pack("<I", len(children) | 1 << 31) + b"".join(struct.pack("<I", 1 << 8 | child) for child in children)
    out += struct.pack("<H", len(values)) + b"".join(struct.pack("<I", number | 7 << 26) for number in values)
    return out + b"".join(struct.pack("<I", len(value)) + value for value in values.values())


def _node(kind: int, base: int, body: bytes, at: int = 0, length: int = 0) -> bytes:
    reference = struct.pack("<II", at, length) if base else b""
    size = 4 + len(reference) + len(body)
    return struct.pack("<I", kind | size << 10 | 1 << 23 | base << 27) + reference + body


def _fragment(nodes: list[bytes]) -> bytes:
    return struct.pack("<QII", _MAGIC, 16, 0) + b"".join(nodes) + struct.pack("<QIQ", 0, 0, _END)


class Store:
    """Objects are added, then `bytes` gives the file."""

    def __init__(self) -> None:
        self._data = bytearray(1024)
        self._nodes = [_node(0x22, 0, b""), _node(0x24, 0, struct.pack("<I", 1) + _GUID)]

    def add(self, number: int, values: dict[int, bytes], children: tuple[int, ...] = (), damage: int = 0) -> None:
        packed = properties(values, children)
        body = struct.pack("<IIBB", 1 << 8 | number, 0, 0, 1)
        self._nodes.append(_node(0xA4, 1, body, len(self._data), len(packed) - damage))
        self._data += packed

    def add_node(self, kind: int) -> None:
        self._nodes.append(_node(kind, 0, b""))

    def add_file(self, number: int, content: bytes) -> None:
        told = f"<ifndf>{{{FILE_GUID}}}"
        body = struct.pack("<IIB", 1 << 8 | number, 0, 1) + struct.pack("<I", len(told)) + told.encode("utf-16-le")
        self._nodes.append(_node(0x72, 0, body + struct.pack("<I", 4) + ".txt".encode("utf-16-le")))
        reference = _node(0x94, 1, UUID(FILE_GUID).bytes_le, len(self._data), 36 + len(content))
        self._data += bytes(16) + struct.pack("<Q", len(content)) + bytes(12) + content
        self._nodes.append(reference)

    def bytes(self) -> bytes:
        objects = _fragment(self._nodes)
        root = _fragment([_node(0x08, 2, b"", len(self._data), len(objects))])
        out = self._data + objects + root
        out[:64] = SECTION + bytes(32) + STORE
        struct.pack_into("<QI", out, 172, len(self._data) + len(objects), len(root))
        return bytes(out)
