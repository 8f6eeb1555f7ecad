"""Windows shortcuts, made by the tests."""

import struct

WINTER = 132_223_104_000_000_000  # the first moment of 2020 in tenths of microseconds since 1601
_CLASS = bytes.fromhex("0114020000000000c000000000000046")
_CARD = bytes.fromhex("00112233445566778899aabbccddeeffa0b1c2d3e4f5e111a0000a1b2c3d4e5f")


def shell_link(
    place: bytes = b"", *, ids: bytes = b"", wide: bool = True, more: bytes = b"", **strings: str | None
) -> bytes:
    """A shortcut; strings are `description`, `relative_path`, `folder`, `arguments`, `icon`."""
    flags, told = 0x80 if wide else 0, b""
    for number, name in enumerate(("description", "relative_path", "folder", "arguments", "icon")):
        if value := strings.get(name):
            flags |= 4 << number
            told += struct.pack("<H", len(value)) + value.encode("utf-16-le" if wide else "cp1252")
    flags |= bool(ids) | bool(place) << 1
    listed = struct.pack("<H", len(ids)) + ids if ids else b""
    header = struct.pack("<I16sIIQQQI", 76, _CLASS, flags, 32, WINTER, WINTER + 20_000_000, WINTER + 10_000_000, 1234)
    return header + bytes(20) + listed + place + told + more + bytes(4)


def on_disk(path: bytes, label: bytes = b"DATA", serial: int = 0x1234ABCD, wide_path: str = "") -> bytes:
    volume = struct.pack("<IIII", 17 + len(label), 3, serial, 16) + label + b"\0"
    start = 36 if wide_path else 28
    base = start + len(volume)
    suffix = base + len(path) + 1
    wide = wide_path.encode("utf-16-le") + b"\0\0" if wide_path else b""
    offsets = struct.pack("<II", suffix + 1, suffix + 1 + len(wide)) if wide_path else b""
    body = offsets + volume + path + b"\0" + b"\0" + wide + (b"\0\0" if wide_path else b"")
    return struct.pack("<7I", 28 + len(body), start, 1, start, base, 0, suffix) + body


def on_share(share: bytes, path: bytes) -> bytes:
    network = struct.pack("<5I", 21 + len(share), 2, 20, 0, 0x20000) + share + b"\0"
    body = network + path + b"\0"
    return struct.pack("<7I", 28 + len(body), 28, 2, 0, 0, 28, 28 + len(network)) + body


def tracker(machine: bytes) -> bytes:
    return struct.pack("<IIII16s", 96, 0xA0000003, 88, 0, machine) + _CARD + _CARD


def variables(path: str) -> bytes:
    return struct.pack("<II260s520s", 788, 0xA0000001, path.encode(), path.encode("utf-16-le"))


def item(kind: int, name: bytes, long_name: str = "", version: int = 9) -> bytes:
    """A step of the path as the desktop lists it."""
    if kind == 0x2F:
        body = bytes([kind]) + name + bytes(22 - len(name))
    else:
        body = bytes([kind, 0]) + bytes(10) + name + b"\0" * (2 - len(name) % 2)
    if long_name:
        start = {9: 46, 8: 42, 7: 38, 3: 20}[version]
        told = long_name.encode("utf-16-le") + b"\0\0"
        block = struct.pack("<HHI", start + len(told) + 2, version, 0xBEEF0004) + bytes(start - 8) + told
        body += block + struct.pack("<H", len(body) + 2)
    return struct.pack("<H", len(body) + 2) + body
