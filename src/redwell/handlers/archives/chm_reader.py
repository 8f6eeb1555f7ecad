"""Compiled HTML help (CHM) as libmspack reads it, file by file. Used by the HTML help handler in a child."""

import ctypes
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from redwell.core.errors import InvalidFile
from redwell.handlers.unpacking.system_libraries import loaded

_POINTER, _TEXT, _NUMBER = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int


class _File(ctypes.Structure):
    pass


_File._fields_ = [
    ("next", ctypes.POINTER(_File)),
    ("section", _POINTER),
    ("offset", ctypes.c_int64),
    ("length", ctypes.c_int64),
    ("name", _TEXT),
]


class _Help(ctypes.Structure):
    """The beginning of what libmspack tells of a file; the rest is its own."""

    _fields_ = [
        ("version", ctypes.c_uint),
        ("timestamp", ctypes.c_uint),
        ("language", ctypes.c_uint),
        ("path", _TEXT),
        ("size", ctypes.c_int64),
        ("files", ctypes.POINTER(_File)),
    ]


class _Decompressor(ctypes.Structure):
    _fields_ = [
        ("open", ctypes.CFUNCTYPE(ctypes.POINTER(_Help), _POINTER, _TEXT)),
        ("close", ctypes.CFUNCTYPE(None, _POINTER, ctypes.POINTER(_Help))),
        ("extract", ctypes.CFUNCTYPE(_NUMBER, _POINTER, ctypes.POINTER(_File), _TEXT)),
    ]


class HelpFile(NamedTuple):
    name: bytes
    length: int
    place: Any


@cache
def _library() -> Any:
    functions = (
        ("create_chm_decompressor", ctypes.POINTER(_Decompressor), [_POINTER]),
        ("destroy_chm_decompressor", None, [ctypes.POINTER(_Decompressor)]),
    )
    return loaded("libmspack0", "Compiled HTML help files", "mspack_", functions)


class Help:
    """One help file; the order of its files is that of their bytes, so that each packed block is read once."""

    def __init__(self, path: Path) -> None:
        self._decompressor = _library().mspack_create_chm_decompressor(None)
        if not self._decompressor:
            raise MemoryError("libmspack has no memory")
        self._path = str(path).encode()  # libmspack goes on using these bytes
        self._help = self._decompressor.contents.open(self._decompressor, self._path)
        if not self._help:
            self.close()
            raise InvalidFile("the help file's directory is damaged")

    def close(self) -> None:
        if self._decompressor:
            if self._help:
                self._decompressor.contents.close(self._decompressor, self._help)
            _library().mspack_destroy_chm_decompressor(self._decompressor)
            self._decompressor = None

    def files(self) -> list[HelpFile]:
        return sorted(self._listed(), key=lambda file: (file.place.contents.section, file.place.contents.offset))

    def _listed(self) -> Iterator[HelpFile]:
        place = self._help.contents.files
        while place:
            yield HelpFile(place.contents.name or b"", place.contents.length, place)
            place = place.contents.next

    def extract(self, file: HelpFile, target: Path) -> None:
        """Writes as many bytes as the directory says, or fewer where the file is damaged; then it raises."""
        if self._decompressor.contents.extract(self._decompressor, file.place, str(target).encode()):
            target.unlink(missing_ok=True)
            raise InvalidFile("the file's bytes are damaged or missing")
