"""Takes members out of a RAR archive: decrypted, unpacked, checked. Called by the rar handler in a child."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import tell_opened
from redwell.handlers.rar import unarr_reader
from redwell.handlers.rar.rar_keys import checksum_of, decrypted, is_encrypted
from redwell.handlers.rar.rar_rebuilt import rebuilt
from redwell.handlers.structures.made_source import MadeSource, written
from redwell.handlers.unpacking.libarchive_reader import Archive

_CHUNK = 1 << 18
_STORED = 0x30
_SPLIT, _SOLID = 1 | 2, 0x10
_OLDEST_READ, _OLDEST_OF_LIBARCHIVE, _OLDEST_AES, _NEW = 20, 29, 29, 50
_LAST_BLOCK = 0x40


def runs_of(infos: Sequence[Any]) -> list[list[Any]]:
    """Members that must be unpacked together: each is packed on from the one before it, or begins anew."""
    runs: list[list[Any]] = []
    for info in infos:
        if runs and info.flags & _SOLID:
            runs[-1].append(info)
        else:
            runs.append([info])
    return runs


class Run:
    """The members of one run, to be asked for in order; asked for an earlier one it begins again."""

    def __init__(self, infos: list[Any], scratch: Path, passwords: tuple[str, ...]) -> None:
        self._infos, self._scratch, self._passwords = infos, scratch, passwords
        self._password: str | None = None
        self._members: Iterator[Iterator[bytes]] = iter(())
        self._next = len(infos)
        self._by_unarr = self._needs_unarr

    def another_way(self) -> bool:
        """Whether there is a second decoder for what the first took for damaged; it is used from now on."""
        if self._by_unarr or self._infos[0].extract_version >= _NEW or not unarr_reader.is_installed():
            return False
        self._by_unarr, self._next = True, len(self._infos)
        return True

    def chunks(self, info: Any) -> Iterator[bytes]:
        if info.flags & _SPLIT:
            raise InvalidFile("a part of it lies in a volume that is missing; import the whole set in one folder")
        self._choose_password(info)
        return self._checked(info, self._password)

    def _choose_password(self, info: Any) -> None:
        """Only bytes that fit their checksum prove an old archive's password; one that was found is kept."""
        if self._password is not None or not is_encrypted(info):
            return
        if info.extract_version < _OLDEST_AES:
            raise PasswordProtected("the encryption of RAR before 3.0 cannot be undone; unpack it and import the files")
        first = self._infos[0]
        for password in self._passwords:
            try:
                for _ in self._checked(first, password):
                    pass
            except (PasswordProtected, InvalidFile):
                self._next = len(self._infos)
                continue
            self._password = password
            tell_opened(self._passwords)
            return
        raise PasswordProtected("none of the passwords fits" if self._passwords else "a password is needed")

    def _checked(self, info: Any, password: str | None) -> Iterator[bytes]:
        checksum, length = checksum_of(info, password), 0
        for chunk in self._unpacked(info, password):
            length += len(chunk)
            checksum.update(chunk)
            yield chunk
        if length != info.file_size:
            raise InvalidFile("the member is cut off")
        checksum.verify()

    def _unpacked(self, info: Any, password: str | None) -> Iterator[bytes]:
        if info.compress_type == _STORED:
            yield from _cut(self._packed(info, password), info.file_size)
            return
        if info.extract_version < _OLDEST_READ:
            raise Unsupported("packed by RAR before 2.0, which is not read; unpack it and import the files")
        if self._by_unarr:
            unarr_reader.check_installed()
        packed_ones = [one for one in self._infos if one.compress_type != _STORED]
        place = packed_ones.index(info)
        if self._next > place:
            self._members, self._next = self._decoded(packed_ones, password), 0
        while self._next <= place:
            member = next(self._members, None)
            if member is None:
                raise InvalidFile("a member that it is packed together with is damaged")
            self._next += 1
            if self._next > place:
                yield from member
            else:
                for _ in member:
                    pass

    @property
    def _needs_unarr(self) -> bool:
        """libarchive reads neither solid runs from before RAR 5 nor anything from before 2.9."""
        version = self._infos[0].extract_version
        return version < _OLDEST_OF_LIBARCHIVE or (version < _NEW and len(self._infos) > 1)

    def _decoded(self, infos: list[Any], password: str | None) -> Iterator[Iterator[bytes]]:
        packed = [(info, *self._open(info, password, place)) for place, info in enumerate(infos)]
        made = MadeSource(rebuilt(packed), self._scratch / "rebuilt.rar")
        if self._by_unarr:
            yield from unarr_reader.members(made)
            return
        with Archive(made, ("rar", "rar5")) as archive:
            for entry in archive:
                yield entry.chunks()

    def _open(self, info: Any, password: str | None, place: int) -> tuple[int, Iterator[bytes]]:
        """How many bytes the member is packed in, and these; the cipher's padding would confuse the decoder."""
        if not is_encrypted(info):
            return info.compress_size, self._packed(info, None)
        clear = written(self._packed(info, password), self._scratch / f"clear-{place}")
        with io.BytesIO(clear) if isinstance(clear, bytes) else clear.open("rb") as file:
            length = _packed_length(file) if info.extract_version >= _NEW else info.compress_size
        return length, _cut(iter((clear,)) if isinstance(clear, bytes) else _from_file(clear), length)

    def _packed(self, info: Any, password: str | None) -> Iterator[bytes]:
        chunks = _stored_bytes(info)
        if not is_encrypted(info):
            return chunks
        if password is None:
            raise PasswordProtected("a password is needed")
        return decrypted(info, chunks, password)


def _packed_length(file: BinaryIO) -> int:
    """Where the last block of a RAR 5 member ends: each says how long it is, and whether it is the last."""
    at = 0
    while True:
        file.seek(at)
        head = file.read(5)
        size_bytes = (head[0] >> 3 & 3) + 1 if len(head) == 5 else 4
        if size_bytes > 3:
            raise InvalidFile("the member's bytes are damaged")
        at += 2 + size_bytes + int.from_bytes(head[2 : 2 + size_bytes], "little")
        if head[0] & _LAST_BLOCK:
            return at


def _from_file(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
    path.unlink()


def _stored_bytes(info: Any) -> Iterator[bytes]:
    """The member as it lies in the archive, or in several volumes of it."""
    for file, offset, size in info.pieces:
        for start in range(0, size, _CHUNK):
            file.seek(offset + start)
            wanted = min(_CHUNK, size - start)
            if len(chunk := file.read(wanted)) < wanted:
                raise InvalidFile("the member is cut off")
            yield chunk


def _cut(chunks: Iterator[bytes], left: int) -> Iterator[bytes]:
    for chunk in chunks:
        yield chunk[:left]
        left -= len(chunk[:left])
