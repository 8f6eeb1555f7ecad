"""Takes one member out of a ZIP, decrypted, unpacked and checked, in bounded memory. Called by the zip handler."""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import tell_opened
from redwell.handlers.detect.zip_directory import ENCRYPTED, Entry, data_offset
from redwell.handlers.structures.made_source import written
from redwell.handlers.unpacking.size_limits import Room
from redwell.handlers.zip.zip_crypto import decrypted, has_checksum, packing_method
from redwell.handlers.zip.zip_methods import unpacked

_CHUNK = 1 << 18


class Unpacker:
    """Takes members out of one archive, one after the other."""

    def __init__(self, file: BinaryIO, room: Room, scratch: Path, passwords: tuple[str, ...]) -> None:
        self._file, self._room, self._scratch = file, room, scratch
        self._given = passwords
        self._passwords = [form for password in passwords for form in _spellings(password)]

    def take_out(self, entry: Entry, number: int) -> bytes | Path:
        """The member's exact bytes, those of a large one in a file in `scratch`."""
        target = self._scratch / f"member-{number}"
        if not entry.flags & ENCRYPTED:
            return written(_checked(entry, _packed(self._file, entry), self._room), target)
        for password in self._passwords:
            try:
                clear = decrypted(entry, _packed(self._file, entry), password)
                taken_out = written(_checked(entry, clear, self._room), target)
            except PasswordProtected:
                continue
            except InvalidFile:  # the old cipher's check lets one wrong password in 256 through
                if len(self._passwords) == 1:
                    raise
            else:
                tell_opened(self._given)
                return taken_out
        raise PasswordProtected("none of the passwords fits" if self._passwords else "a password is needed")


def _spellings(password: str) -> Iterator[bytes]:
    yield password.encode()
    if not password.isascii():
        yield from {password.encode(page, "ignore") for page in ("cp1252", "cp437")}


def _checked(entry: Entry, packed: Iterator[bytes], room: Room) -> Iterator[bytes]:
    """The unpacked member under the archive's limits; fails at its end where its checksum does not fit."""
    length = crc = 0
    for chunk in unpacked(packing_method(entry), packed, entry):
        length, crc = length + len(chunk), zlib.crc32(chunk, crc)
        room.check(length)
        yield chunk
    if has_checksum(entry) and crc != entry.crc and not entry.unsized:
        raise InvalidFile("the checksum does not fit the member's bytes")
    room.take(length)


def _packed(file: BinaryIO, entry: Entry) -> Iterator[bytes]:
    """The member's bytes as they lie in the archive."""
    at = data_offset(file, entry)
    if at is None:
        raise InvalidFile("no local header stands where the directory says")
    left = entry.packed
    while left > 0:
        file.seek(at)
        chunk = file.read(min(_CHUNK, left))
        if not chunk:
            raise InvalidFile("the member is cut off")
        at, left = at + len(chunk), left - len(chunk)
        yield chunk
