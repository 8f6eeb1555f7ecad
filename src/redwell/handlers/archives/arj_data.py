"""Takes one member out of an ARJ archive, decrypted, unpacked and checked. Called by the arj handler in a child.

ARJ packs as the method -lh7- of LHA does, so libarchive unpacks each member when it is given as an LHA archive of one.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import MetaValue, tell_opened
from redwell.handlers.structures.made_source import MadeSource, written
from redwell.handlers.unpacking.libarchive_reader import Archive
from redwell.handlers.unpacking.size_limits import Room

_GARBLED, _GOES_ON, _FROM_BEFORE = 1, 4, 8
_STORED, _LZH = 0, (1, 2, 3)
_CHUNK = 1 << 18


@dataclass(frozen=True, slots=True)
class Header:
    """One member: where its bytes lie and how they are packed."""

    name: str
    comment: bytes
    modified: dict[str, MetaValue]
    flags: int
    method: int
    kind: int
    modifier: int
    packed: int
    size: int
    crc: int
    at: int
    position: int  # in the file, of a part

    def goes_on_from(self, before: "Header") -> bool:
        marked = before.flags & _GOES_ON and self.flags & _FROM_BEFORE
        return bool(marked) and (self.name, self.position) == (before.name, before.position + before.size)


class Unpacker:
    def __init__(self, file: BinaryIO, room: Room, scratch: Path, passwords: tuple[str, ...]) -> None:
        self._file, self._room, self._scratch = file, room, scratch
        self._passwords = passwords

    def take_out(self, parts: Sequence[Header]) -> bytes | Path:
        """The member, whose parts were packed one by one for the volumes of a set."""
        if parts[0].flags & _FROM_BEFORE or parts[-1].flags & _GOES_ON:
            raise InvalidFile("a part of it lies in a volume that is missing; import the whole set in one folder")
        if not parts[0].flags & _GARBLED:
            return self._taken_out(parts, b"")
        for password in self._passwords:
            try:
                taken_out = self._taken_out(parts, password.encode("cp437", "replace"))
            except InvalidFile:  # only the checksum tells a wrong password from a damaged member
                continue
            tell_opened(self._passwords)
            return taken_out
        raise PasswordProtected("none of the passwords fits" if self._passwords else "a password is needed")

    def _taken_out(self, parts: Sequence[Header], password: bytes) -> bytes | Path:
        chunks = (chunk for header in parts for chunk in _with_checksum(self._unpacked(header, password), header))
        return written(self._room.counted(chunks), self._scratch / "member")

    def _unpacked(self, header: Header, password: bytes) -> Iterator[bytes]:
        packed = _degarbled(_packed(self._file, header), password, header.modifier)
        if header.method == _STORED:
            yield from packed
            return
        if header.method not in _LZH:
            raise Unsupported(f"compression method {header.method} is not read")
        with Archive(MadeSource(_wrapped(packed, header), self._scratch / "wrapped"), ("lha",)) as archive:
            for entry in archive:
                yield from entry.chunks()
                return
        raise InvalidFile("the member's bytes are damaged")


def _packed(file: BinaryIO, header: Header) -> Iterator[bytes]:
    for start in range(0, header.packed, _CHUNK):
        file.seek(header.at + start)
        wanted = min(_CHUNK, header.packed - start)
        if len(chunk := file.read(wanted)) < wanted:
            raise InvalidFile("the member is cut off")
        yield chunk


def _degarbled(chunks: Iterator[bytes], password: bytes, modifier: int) -> Iterator[bytes]:
    """ARJ's own cipher adds the password to every byte, without carry."""
    if not password:
        yield from chunks
        return
    key, at = bytes((byte + modifier) & 0xFF for byte in password), 0
    for chunk in chunks:
        yield bytes(byte ^ key[(at + n) % len(key)] for n, byte in enumerate(chunk))
        at += len(chunk)


def _with_checksum(chunks: Iterator[bytes], header: Header) -> Iterator[bytes]:
    crc = 0
    for chunk in chunks:
        crc = zlib.crc32(chunk, crc)
        yield chunk
    if crc != header.crc:
        raise InvalidFile("the checksum does not fit the member's bytes")


def _wrapped(packed: Iterator[bytes], header: Header) -> Iterator[bytes]:
    """The member as an LHA archive, whose header leaves the checksum out."""
    fields = struct.pack("<5sIIIBBB1s", b"-lh7-", header.packed, header.size, 0, 0x20, 0, 1, b"m")
    yield bytes((len(fields), sum(fields) & 0xFF)) + fields
    yield from packed
    yield b"\0"  # the end of the archive
