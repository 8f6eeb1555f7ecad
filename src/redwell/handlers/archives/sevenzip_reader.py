"""7z archives that libarchive does not read, member by member with py7zr. Used by the sevenzip handler in a child.

py7zr unpacks whole archives into a folder; here its decoders are asked for the bytes of one member after the other.
"""

import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected, TooLarge, Unsupported
from redwell.handlers.unpacking.size_limits import Room

_BLOCK = 1 << 18
_ENCRYPTED = b"\x06\xf1\x07\x01"
_NOT_BY_LIBARCHIVE = {b"\x04\x01\x09", b"\x04\xf7\x11\x01", b"\x04\xf7\x11\x02"}  # Deflate64, Zstandard, Brotli
_MOST_BY_LIBARCHIVE = 4  # methods behind each other


class SevenZip:
    """One archive with one password, which may be wrong: then members, or the archive itself, do not come out."""

    def __init__(self, file: BinaryIO, password: str | None) -> None:
        import py7zr
        from py7zr.exceptions import PasswordRequired, UnsupportedCompressionMethodError

        self._file = file
        file.seek(0)
        try:
            self._archive = py7zr.SevenZipFile(file, password=password)
        except PasswordRequired:
            raise PasswordProtected("a password is needed") from None
        except UnsupportedCompressionMethodError:
            raise Unsupported("its headers are packed by a method that is not read") from None
        except Exception as error:  # of whatever kind a damaged header, or one decrypted wrongly, provokes
            raise InvalidFile(f"its headers cannot be read: {type(error).__name__}") from None
        self.needs_password = self._archive.needs_password()
        self.files = list(self._archive.files)
        self._streams = {id(folder): _Stream(file, folder, *place) for folder, place in self._folders()}

    def _folders(self) -> Iterator[tuple[Any, tuple[int, int]]]:
        streams = getattr(self._archive.header, "main_streams", None)
        if streams is not None:
            start = self._archive.afterheader
            places = ((start + begin, end - begin) for begin, end in pairwise(streams.packinfo.packpositions))
            yield from zip(streams.unpackinfo.folders, places, strict=False)

    @property
    def is_beyond_libarchive(self) -> bool:
        folders = [folder for folder, _ in self._folders()]
        return any(_methods(each) & _NOT_BY_LIBARCHIVE or len(each.coders) > _MOST_BY_LIBARCHIVE for each in folders)

    def chunks(self, index: int) -> Iterator[bytes]:
        """The bytes of one member; members of a folder must be asked for in order, and may be left out."""
        file = self.files[index]
        if file.emptystream or file.folder is None:
            return
        crc = 0
        for chunk in self._streams[id(file.folder)].read(file):
            crc = zlib.crc32(chunk, crc)
            yield chunk
        if file.crc32 is not None and crc != file.crc32:
            raise InvalidFile("the checksum does not fit the member's bytes")

    def opens(self, room: Room) -> bool:
        """Whether the password fits, as far as the first encrypted member can tell."""
        first = next((index for index, file in enumerate(self.files) if _is_encrypted(file)), None)
        if first is None:
            return True
        try:
            for _ in room.counted(self.chunks(first)):
                pass
        except InvalidFile:
            return False
        except TooLarge:
            pass  # the member is named when it is its turn
        return True


def _methods(folder: Any) -> set[bytes]:
    return {coder["method"] for coder in folder.coders}


def _is_encrypted(file: Any) -> bool:
    return not file.emptystream and file.folder is not None and _ENCRYPTED in _methods(file.folder)


class _Stream:
    """The unpacked bytes of one folder: its members, one behind the other."""

    def __init__(self, file: BinaryIO, folder: Any, start: int, length: int) -> None:
        self._file, self._folder = file, folder
        self._at, self._length = start, length
        self._next = 0  # of the folder's members

    def read(self, wanted: Any) -> Iterator[bytes]:
        members = list(self._folder.files)
        place = next(n for n, member in enumerate(members) if member.id == wanted.id)
        for left_out in members[self._next : place]:
            for _ in self._decoded(left_out.uncompressed):
                pass
        self._next = place + 1
        yield from self._decoded(wanted.uncompressed)

    def _decoded(self, left: int) -> Iterator[bytes]:
        from py7zr.exceptions import PasswordRequired, UnsupportedCompressionMethodError

        try:
            decoder = self._folder.get_decompressor(self._length)
            while left > 0:
                self._file.seek(self._at)
                chunk = bytes(decoder.decompress(self._file, min(left, _BLOCK)))
                if not chunk and self._file.tell() == self._at:
                    raise InvalidFile("the member is cut off")
                self._at, left = self._file.tell(), left - len(chunk)
                yield chunk
        except PasswordRequired:
            raise PasswordProtected("a password is needed") from None
        except UnsupportedCompressionMethodError:
            raise Unsupported("packed by a method that is not read") from None
        except (InvalidFile, MemoryError, GeneratorExit):
            raise
        except Exception as error:  # the decoders of damaged or wrongly decrypted bytes raise what they like
            raise InvalidFile(f"the member's bytes are damaged: {type(error).__name__}") from None
