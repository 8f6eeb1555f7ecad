"""Takes members out of a RAR archive: decrypted, unpacked, checked. Called by the rar handler in a child."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.handlers.archives import unar
from redwell.handlers.archives.libarchive_reader import Archive
from redwell.handlers.archives.rar_keys import checksum_of, decrypted, is_encrypted
from redwell.handlers.archives.rar_rebuilt import rebuilt
from redwell.handlers.archives.room import written

_CHUNK = 1 << 18
_STORED = 0x30
_SPLIT, _SOLID = 1 | 2, 0x10
_NEW = 50
_BLOCK = 16


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

    def __init__(self, infos: list[Any], file: BinaryIO, scratch: Path, passwords: tuple[str, ...]) -> None:
        self._infos, self._file, self._scratch, self._passwords = infos, file, scratch, passwords
        self._password: str | None = None
        self._members: Iterator[Iterator[bytes]] = iter(())
        self._next = len(infos)

    def chunks(self, info: Any) -> Iterator[bytes]:
        if info.flags & _SPLIT:
            raise InvalidFile("a part of it lies in another volume of the set; join the volumes and import the result")
        self._choose_password(info)
        return self._checked(info, self._password)

    def _choose_password(self, info: Any) -> None:
        """Only bytes that fit their checksum prove an old archive's password; one that was found is kept."""
        if self._password is not None or not is_encrypted(info):
            return
        first = self._infos[0]
        for password in self._passwords:
            try:
                for _ in self._checked(first, password):
                    pass
            except (PasswordProtected, InvalidFile):
                self._next = len(self._infos)
                continue
            self._password = password
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
        packed_ones = [one for one in self._infos if one.compress_type != _STORED]
        place = packed_ones.index(info)
        if self._next > place:
            self._members, self._next = self._decoded(packed_ones, password), 0
        while self._next < place:
            for _ in next(self._members):
                pass
            self._next += 1
        self._next += 1
        yield from next(self._members)

    def _decoded(self, infos: list[Any], password: str | None) -> Iterator[Iterator[bytes]]:
        """By libarchive where it can, which is in this process; else by a program."""
        packed = [(info, _length(info), self._packed(info, password)) for info in infos]
        made = _Made(written(rebuilt(packed), self._scratch / "rebuilt.rar"), self._scratch / "rebuilt.rar")
        if len(infos) == 1:
            unpacked = _by_libarchive_at_once(made, infos[0].file_size)
            if unpacked is not None:
                yield unpacked
                return
        elif infos[0].extract_version >= _NEW and password is None:  # it stumbles over the padding of the cipher
            with Archive(made, ("rar5",)) as archive:
                for entry in archive:
                    yield entry.chunks()
            return
        yield from unar.unpacked(made.path(), [info.file_size for info in infos])

    def _packed(self, info: Any, password: str | None) -> Iterator[bytes]:
        chunks = _stored_bytes(self._file, info)
        if not is_encrypted(info):
            return chunks
        if password is None:
            raise PasswordProtected("a password is needed")
        return decrypted(info, chunks, password)


def _by_libarchive_at_once(made: "_Made", size: int) -> Iterator[bytes] | None:
    """The one member, unpacked to its end before any of it is given; None where another decoder has to try."""
    try:
        with Archive(made, ("rar", "rar5")) as archive:
            for entry in archive:
                data = written(_cut(entry.chunks(), size), made.path().with_suffix(".member"))
                return iter((data,)) if isinstance(data, bytes) else _from_file(data)
    except (InvalidFile, Unsupported):
        pass
    return None


def _from_file(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
    path.unlink()


def _length(info: Any) -> int:
    """Decrypted bytes come in whole blocks."""
    length: int = info.compress_size
    return length // _BLOCK * _BLOCK if is_encrypted(info) else length


def _stored_bytes(file: BinaryIO, info: Any) -> Iterator[bytes]:
    for start in range(0, info.compress_size, _CHUNK):
        file.seek(info.data_offset + start)
        wanted = min(_CHUNK, info.compress_size - start)
        if len(chunk := file.read(wanted)) < wanted:
            raise InvalidFile("the member is cut off")
        yield chunk


def _cut(chunks: Iterator[bytes], left: int) -> Iterator[bytes]:
    for chunk in chunks:
        yield chunk[:left]
        left -= len(chunk[:left])


class _Made:
    """The rebuilt archive as a `core.handler.Source`."""

    def __init__(self, data: bytes | Path, place: Path) -> None:
        self._data, self._place = data, place
        self.size = len(data) if isinstance(data, bytes) else data.stat().st_size

    def read(self) -> bytes:
        return self._data if isinstance(self._data, bytes) else self._data.read_bytes()

    def open(self) -> BinaryIO:
        raise NotImplementedError("it is read by its path")

    def path(self) -> Path:
        if isinstance(self._data, bytes):
            self._place.write_bytes(self._data)
        return self._place
