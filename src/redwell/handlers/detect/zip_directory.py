"""Reads what a ZIP says it holds, record by record. Called by detect and handlers.zip.zip.

The standard library's reader refuses a whole archive for one odd record and holds all of its directory
at once; evidence is odd, and a directory may have millions of records.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import BinaryIO

_END = struct.Struct("<4s4H2LH")
_LOCATOR64 = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_LONGEST_COMMENT = 65_535
_BUFFER = 1 << 16
_ENOUGH = 1_000
_FULL16, _FULL32 = 0xFFFF, 0xFFFFFFFF

ENCRYPTED = 0x1
SIZES_FOLLOW = 0x8  # the local header has none; they come behind the data
UTF8 = 0x800


@dataclass(frozen=True, slots=True)
class End:
    """The record that ends a ZIP: where its directory lies and how many members it declares."""

    declared: int
    disk: int
    directory: int  # offset of the first record in this file
    stop: int  # offset behind the last one
    base: int  # what to add to offsets: bytes in front of the archive, as in a self-extractor


@dataclass(frozen=True, slots=True)
class Entry:
    """One member as the directory (or, salvaged, its local header) describes it."""

    name: bytes
    flags: int
    method: int
    dos_time: int
    crc: int
    packed: int
    size: int
    offset: int  # of the local header
    extra: bytes
    disk: int = 0
    unsized: bool = False  # salvaged, and its sizes and checksum are not known
    base: int = 0  # that of the end record, which is in `offset`

    @property
    def is_folder(self) -> bool:
        return self.name.endswith((b"/", b"\\")) and self.size == 0


def find_end(file: BinaryIO, size: int) -> End | None:
    """The end record, looked for from the back; None where the archive has been cut off."""
    stop, record = _last_record(file, size)
    if len(record) < _END.size:
        return None
    _, disk, _, _, count, length, offset, _ = _END.unpack_from(record)
    if _FULL16 in (count, disk) or _FULL32 in (length, offset):
        wide = _find_end64(file, stop)
        if wide:
            return wide
    base = stop - length - offset
    if disk > 0 or base < 0 or _stands_at(file, offset, b"PK\x01\x02"):  # in a set, offsets count from their own volume
        base = 0
    directory = offset if base == 0 and not _stands_at(file, stop - length, b"PK\x01\x02") else stop - length
    return End(count, disk, directory, stop, base)


def is_whole(file: BinaryIO, size: int) -> bool:
    """It has a directory, of no set, and that leads to members in this file."""
    end = find_end(file, size)
    found = list(islice(entries(file, end), _ENOUGH)) if end and end.disk == 0 else []
    return bool(found) and all(data_offset(file, entry) is not None for entry in found)


def comment(file: BinaryIO, size: int) -> bytes:
    """What the packer wrote about the archive."""
    _, record = _last_record(file, size)
    return record[_END.size :][: int.from_bytes(record[_END.size - 2 : _END.size], "little")]


def _last_record(file: BinaryIO, size: int) -> tuple[int, bytes]:
    """Where the end record begins, and all bytes from there on; none where there is no such record."""
    start = max(0, size - _LONGEST_COMMENT - _END.size)
    file.seek(start)
    tail = file.read(size - start)
    at = tail.rfind(b"PK\x05\x06")
    return start + at, tail[at:] if at >= 0 else b""


def _stands_at(file: BinaryIO, offset: int, sign: bytes) -> bool:
    if offset < 0:
        return False
    file.seek(offset)
    return file.read(len(sign)) == sign


def _find_end64(file: BinaryIO, stop: int) -> End | None:
    if stop < _LOCATOR64.size:
        return None
    file.seek(stop - _LOCATOR64.size)
    sign, _, told, _ = _LOCATOR64.unpack(file.read(_LOCATOR64.size))
    if sign != b"PK\x06\x07":
        return None
    for at in (told, stop - _LOCATOR64.size - _END64.size):  # the second where bytes lie in front
        file.seek(min(at, stop))
        record = file.read(_END64.size)
        if len(record) == _END64.size and record.startswith(b"PK\x06\x06"):
            _, _, _, _, disk, _, _, count, length, offset = _END64.unpack(record)
            base = 0 if disk else max(0, at - length - offset)  # in a set, offsets count from their own volume
            return End(count, disk, at - length, at, base) if length <= at else None
    return None


def entries(file: BinaryIO, end: End) -> Iterator[Entry]:
    """The directory's records in order; stops at the first that is none. Memory is flat."""
    buffer, at, position = b"", 0, end.directory
    while position + at + _CENTRAL.size <= end.stop:
        if len(buffer) - at < _CENTRAL.size + 3 * _FULL16 and position + len(buffer) < end.stop:
            position, at = position + at, 0
            file.seek(position)
            buffer = file.read(min(_BUFFER + 3 * _FULL16, end.stop - position))
        if buffer[at : at + 4] != b"PK\x01\x02" or len(buffer) - at < _CENTRAL.size:
            return
        entry, at = _central(buffer, at, end.base)
        yield entry


def _central(buffer: bytes, at: int, base: int) -> tuple[Entry, int]:
    fields = _CENTRAL.unpack_from(buffer, at)
    _, _, _, flags, method, time, date, crc, packed, size, names, extras, notes, disk, _, _, offset = fields
    at += _CENTRAL.size
    name, extra = buffer[at : at + names], buffer[at + names : at + names + extras]
    if _FULL32 in (packed, size, offset) or disk == _FULL16:
        size, packed, offset, disk = _wide(extra, size, packed, offset, disk)
    entry = Entry(name, flags, method, date << 16 | time, crc, packed, size, offset + base, extra, disk, base=base)
    return entry, at + names + extras + notes


def _wide(extra: bytes, size: int, packed: int, offset: int, disk: int) -> tuple[int, int, int, int]:
    """The same four with what the ZIP64 field knows better; it holds only those that are full."""
    field, at = extra_field(extra, 0x0001), 0
    values = []
    for value, full, width in ((size, _FULL32, 8), (packed, _FULL32, 8), (offset, _FULL32, 8), (disk, _FULL16, 4)):
        if value == full and len(field) >= at + width:
            value = int.from_bytes(field[at : at + width], "little")
            at += width
        values.append(value)
    return values[0], values[1], values[2], values[3]


def extra_field(extra: bytes, wanted: int) -> bytes:
    """The content of one extra field; empty where it is missing."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == wanted:
            return extra[at + 4 : at + 4 + length]
        at += 4 + length
    return b""


def data_offset(file: BinaryIO, entry: Entry) -> int | None:
    """Where a member's bytes begin; None where no local header stands at its offset.

    Bytes that came between members moved only those behind them: for the others the offset is right as it is written.
    """
    for offset in dict.fromkeys((entry.offset, entry.offset - entry.base)):
        file.seek(offset)
        header = file.read(_LOCAL.size)
        if len(header) == _LOCAL.size and header.startswith(b"PK\x03\x04"):
            fields = _LOCAL.unpack(header)
            return offset + _LOCAL.size + int(fields[9]) + int(fields[10])
    return None


def salvaged(file: BinaryIO, size: int) -> Iterator[Entry]:
    """Members by their local headers alone, for an archive whose directory is gone."""
    at = _next_local(file, 0)
    while at is not None:
        file.seek(at)
        header = file.read(_LOCAL.size)
        if len(header) < _LOCAL.size:
            return
        _, _, flags, method, time, date, crc, packed, length, names, extras = _LOCAL.unpack(header)
        name, extra = file.read(names), file.read(extras)
        data = at + _LOCAL.size + names + extras
        length, packed, _, _ = _wide(extra, length, packed, 0, 0)
        entry = Entry(name, flags, method, date << 16 | time, crc, packed, length, at, extra)
        if flags & SIZES_FOLLOW and packed == 0:
            behind = _next_local(file, data)
            yield replace(entry, packed=(behind or size) - data, unsized=True)
        else:
            behind = _next_local(file, data + packed)
            yield entry
        at = behind


def _next_local(file: BinaryIO, start: int) -> int | None:
    file.seek(start)
    carried = b""
    while block := file.read(_BUFFER):
        window = carried + block
        found = window.find(b"PK\x03\x04")
        if found >= 0:
            return start - len(carried) + found
        start += len(block)
        carried = window[-3:]
    return None
