"""What lies in an LHA archive, by the four kinds of headers that it may have. Called by the lha handler in a child."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from redwell.core.errors import InvalidFile
from redwell.core.handler import MetaValue
from redwell.handlers.unpacking.times import dos_modified, file_modified

_SHORTEST, _LONGEST = 21, 1 << 20
_LEVEL_AT, _NAME_AT = 20, 21
_SYSTEM_AT = 23  # in new headers
_NAME, _FOLDER, _UTF16_NAME, _UTF16_FOLDER, _UNIX_TIME = 0x01, 0x02, 0x44, 0x45, 0x54
_AMIGA, _OS9 = b"A", b"K"


@dataclass(frozen=True, slots=True)
class Header:
    """One member: how it is packed and where its bytes lie."""

    name: str
    modified: dict[str, MetaValue]
    method: bytes
    packed: int
    size: int
    crc: int
    at: int


@dataclass(slots=True)
class _Raw:
    """The bytes of a header, of its records, and where the member's data begin."""

    fixed: bytes
    records: dict[int, bytes]
    packed: int
    at: int

    @property
    def level(self) -> int:
        return self.fixed[_LEVEL_AT]

    @property
    def behind_name(self) -> int:
        return _NAME_AT + 1 + self.fixed[_NAME_AT] if self.level < 2 else _NAME_AT

    @property
    def system(self) -> bytes:
        at = self.behind_name + 2
        return self.fixed[at : at + 1]


def headers(file: BinaryIO, size: int) -> Iterator[Header]:
    """Each member's header; fails where one is damaged, as nothing behind it can be found."""
    at = 0
    while at < size:
        raw = _read(file, at)
        if raw is None:
            return
        at = raw.at + raw.packed
        yield _understood(raw)


def _read(file: BinaryIO, at: int) -> _Raw | None:
    file.seek(at)
    head = file.read(_SHORTEST + 11)
    if head[:1] in (b"\0", b"\x1a", b"") and head[2:3] != b"-":
        return None
    if len(head) < _SHORTEST + 1 or head[2:3] != b"-" or head[6:7] != b"-" or head[_LEVEL_AT] > 3:
        raise InvalidFile("a member's header is missing: the archive is cut off or damaged")
    packed = int.from_bytes(head[7:11], "little")
    match head[_LEVEL_AT]:
        case 0 | 1 as level:
            fixed = _exactly(file, at, head[0] + 2)
            if sum(fixed[2:]) & 0xFF != head[1]:
                raise InvalidFile("a member's header is damaged")
            records, length = _records(file, at + head[0], 2) if level else ({}, 0)
            return _Raw(fixed, records, packed - length, at + len(fixed) + length)
        case 2:
            length = int.from_bytes(head[:2], "little") + (2 if head[_SYSTEM_AT : _SYSTEM_AT + 1] == _OS9 else 0)
            return _Raw(_exactly(file, at, length), _records(file, at + 24, 2)[0], packed, at + length)
        case _:
            length = int.from_bytes(head[24:28], "little")
            return _Raw(_exactly(file, at, length), _records(file, at + 28, 4)[0], packed, at + length)


def _exactly(file: BinaryIO, at: int, length: int) -> bytes:
    file.seek(at)
    data = file.read(length) if _SHORTEST < length <= _LONGEST else b""
    if len(data) < length or not data:
        raise InvalidFile("a member's header is cut off")
    return data


def _records(file: BinaryIO, at: int, width: int) -> tuple[dict[int, bytes], int]:
    """Records by their kind, and how long they are together: each ends with the length of the next one."""
    found, start = dict[int, bytes](), at
    file.seek(at)
    length = int.from_bytes(file.read(width), "little")
    while width < length <= _LONGEST:
        record = file.read(length)
        if len(record) < length:
            raise InvalidFile("a member's header is cut off")
        found[record[0]] = record[1:-width]
        at, length = at + length, int.from_bytes(record[-width:], "little")
    return found, at - start


def _understood(raw: _Raw) -> Header:
    fixed = raw.fixed
    crc = int.from_bytes(fixed[raw.behind_name : raw.behind_name + 2], "little")
    size = int.from_bytes(fixed[11:15], "little")
    return Header(_name(raw), _modified(raw), fixed[2:7], raw.packed, size, crc, raw.at)


def _name(raw: _Raw) -> str:
    if name := raw.records.get(_UTF16_NAME):
        folder = raw.records.get(_UTF16_FOLDER, b"").decode("utf-16-le", "replace").replace("\uffff", "/")
        return f"{folder}/{name.decode('utf-16-le', 'replace')}"
    told = raw.records.get(_NAME) or (raw.fixed[_NAME_AT + 1 : raw.behind_name] if raw.level < 2 else b"")
    steps = (*raw.records.get(_FOLDER, b"").split(b"\xff"), *told.partition(b"\0")[0].split(b"\xff"))
    return "/".join(_decoded(step, raw.system) for step in steps)


def _decoded(name: bytes, system: bytes) -> str:
    """The format is Japanese, and on the Amiga it was everybody's."""
    for encoding in ("utf-8", "latin-1") if system == _AMIGA else ("utf-8", "cp932", "euc_jp"):
        try:
            return name.decode(encoding)
        except UnicodeDecodeError:
            pass
    return name.decode("cp932", "replace")


def _modified(raw: _Raw) -> dict[str, MetaValue]:
    """Old headers hold the time of MS-DOS, new ones and a record that of Unix."""
    told = int.from_bytes(raw.fixed[15:19], "little")
    if len(stamp := raw.records.get(_UNIX_TIME, b"")) == 4:
        return file_modified(int.from_bytes(stamp, "little"))
    return dos_modified(told) if raw.level < 2 else file_modified(told)
