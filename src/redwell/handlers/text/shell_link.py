"""Reads Windows shortcuts ([MS-SHLLINK]): where they lead, and what Windows knew of it then. Used in a child."""

import struct
import uuid
from dataclasses import dataclass, field

from redwell.core.errors import InvalidFile
from redwell.handlers.structures.charset import decode
from redwell.handlers.structures.dates import from_filetime

_HEADER = struct.Struct("<I16sIIQQQI")
_HEADER_SIZE = 76
_HAS_IDS, _HAS_INFO, _IS_WIDE = 1, 2, 0x80
_STRINGS = {0x04: "description", 0x08: "relative_path", 0x10: "folder", 0x20: "arguments", 0x40: "icon"}
_LOCAL, _NETWORK = 1, 2
_WIDE_INFO = 0x24  # headers from this size on tell the paths in Unicode, too
_LABEL_IS_WIDE = 0x14
_KIND_OF_ITEM, _VOLUME, _FILE, _HAS_WIDE_NAME = 0x70, 0x20, 0x30, 4
_LONG_NAMES = b"\x04\0\xef\xbe"
_LONG_NAME_AT = {9: 46, 8: 42, 7: 38, 3: 20}  # by the version of Windows' block
_VARIABLES, _TRACKER = 0xA0000001, 0xA0000003
_MOST_BLOCKS = 64
_DRIVES = {2: "removable disk", 3: "fixed disk", 4: "network drive", 5: "CD or DVD", 6: "RAM disk"}


@dataclass(slots=True)
class ShellLink:
    """Dates are those of the target when the shortcut was written, in UTC."""

    target: str = ""
    created: str = ""
    modified: str = ""
    accessed: str = ""
    size: int = 0
    volume: str = ""  # kind, label and serial number of the disk that it lay on
    machine: str = ""  # the computer, as Windows keeps it to find targets that were moved
    network_card: str = ""
    strings: dict[str, str] = field(default_factory=dict)


def read(data: bytes) -> ShellLink:
    """What a shortcut tells; raises `InvalidFile` where it is cut off before its end."""
    try:
        return _read(data)
    except (struct.error, IndexError):
        raise InvalidFile("the shortcut is cut off or damaged") from None


def _read(data: bytes) -> ShellLink:
    _, _, flags, _, created, accessed, modified, size = _HEADER.unpack_from(data)
    created, accessed, modified = (from_filetime(ticks) or "" for ticks in (created, accessed, modified))
    found = ShellLink(created=created, modified=modified, accessed=accessed, size=size)
    at = _HEADER_SIZE
    steps = ""
    if flags & _HAS_IDS:
        length = _number(data, at, 2)
        steps = _steps(data[at + 2 : at + 2 + length])
        at += 2 + length
    if flags & _HAS_INFO:
        length = _number(data, at, 4)
        _read_place(data[at : at + length], found)
        at += length
    for flag, name in _STRINGS.items():
        if flags & flag:
            length = _number(data, at, 2) * (2 if flags & _IS_WIDE else 1)
            raw = data[at + 2 : at + 2 + length]
            found.strings[name] = raw.decode("utf-16-le", "replace") if flags & _IS_WIDE else decode(raw)[0]
            at += 2 + length
    _read_more(data[at:], found)
    found.target = found.target or steps or found.strings.get("relative_path", "")
    return found


def _steps(ids: bytes) -> str:
    """The path by the names of its steps, as the desktop lists them: all that some shortcuts have."""
    path: list[str] = []
    while len(ids) > 2 and (length := _number(ids, 0, 2)) > 2:
        item, ids = ids[:length], ids[length:]
        if item[2] & _KIND_OF_ITEM == _VOLUME:
            path.append(_text(item, 3).rstrip("\\"))
        elif item[2] & _KIND_OF_ITEM == _FILE:
            path.append(_long_name(item) or (_wide if item[2] & _HAS_WIDE_NAME else _text)(item, 14))
    return "\\".join(path)


def _long_name(item: bytes) -> str:
    block = item.find(_LONG_NAMES) - 4
    if block < 0:
        return ""
    version = _number(item, block + 2, 2)
    return _wide(item, block + next((at for least, at in _LONG_NAME_AT.items() if version >= least), len(item)))


def _read_place(info: bytes, found: ShellLink) -> None:
    """The path of the target: on a disk, or behind the name of a share."""
    _, header, flags, volume, base, network, suffix = struct.unpack_from("<7I", info)
    behind = _text(info, suffix)
    start = _text(info, base) if flags & _LOCAL else ""
    if header >= _WIDE_INFO:
        wide_base, wide_suffix = struct.unpack_from("<II", info, 28)
        start, behind = _wide(info, wide_base) or start, _wide(info, wide_suffix) or behind
    if flags & _LOCAL:
        found.volume = _volume(info[volume:])
    if flags & _NETWORK and not start:
        share = _text(info, network + _number(info, network + 8, 4))
        start = f"{share}\\" if share and behind else share
    found.target = start + behind


def _volume(info: bytes) -> str:
    kind, serial, label = struct.unpack_from("<III", info, 4)
    named = _wide(info, _number(info, 16, 4)) if label == _LABEL_IS_WIDE else _text(info, label)
    number = f"{serial >> 16:04X}-{serial & 0xFFFF:04X}" if serial else ""  # as `dir` shows it
    return ", ".join(filter(None, (_DRIVES.get(kind, ""), named, number)))


def _read_more(data: bytes, found: ShellLink) -> None:
    """Blocks behind the strings: a target with variables in its path, and the computer."""
    for _ in range(_MOST_BLOCKS):
        if len(data) < 8 or (length := _number(data, 0, 4)) < 8:
            break
        kind = _number(data, 4, 4)
        if kind == _VARIABLES and not found.target:
            found.target = _wide(data[:length], 268) or _text(data[:length], 8)
        elif kind == _TRACKER and min(length, len(data)) >= 64:
            found.machine = _text(data[:32], 16)
            node = uuid.UUID(bytes_le=data[48:64])  # the file's number, made from the time and the network card
            if node.version == 1:
                found.network_card = ":".join(f"{byte:02x}" for byte in node.node.to_bytes(6, "big"))
        data = data[length:]


def _number(data: bytes, at: int, width: int) -> int:
    if at + width > len(data):
        raise IndexError(at)
    return int.from_bytes(data[at : at + width], "little")


def _text(data: bytes, at: int) -> str:
    return decode(data[at:].partition(b"\0")[0])[0] if at else ""


def _wide(data: bytes, at: int) -> str:
    return data[at : at + (len(data) - at) // 2 * 2].decode("utf-16-le", "replace").partition("\0")[0] if at else ""
