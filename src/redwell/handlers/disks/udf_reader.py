"""File systems of type UDF as libudfread reads them, file by file. Used by the udf handler in a child."""

import ctypes
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from redwell.core.errors import InvalidFile
from redwell.handlers.unpacking.system_libraries import loaded

_CHUNK = 1 << 18
_FOLDER, _FILE = 1, 2
_DEEPEST = 200


class _Entry(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint), ("name", ctypes.c_char_p)]


class UdfEntry(NamedTuple):
    path: bytes
    is_folder: bool


@cache
def _library() -> Any:
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    return loaded(
        "libudfread0",
        "discs with UDF",
        "udfread_",
        (
            ("init", pointer, []),
            ("open", ctypes.c_int, [pointer, text]),
            ("close", None, [pointer]),
            ("opendir", pointer, [pointer, text]),
            ("readdir", pointer, [pointer, ctypes.POINTER(_Entry)]),
            ("closedir", None, [pointer]),
            ("file_open", pointer, [pointer, text]),
            ("file_size", ctypes.c_int64, [pointer]),
            ("file_read", ctypes.c_ssize_t, [pointer, pointer, ctypes.c_size_t]),
            ("file_close", None, [pointer]),
        ),
    )


class Udf:
    """One image."""

    def __init__(self, path: Path) -> None:
        self._udf = _library()
        self._handle = self._udf.udfread_init()
        if not self._handle or self._udf.udfread_open(self._handle, str(path).encode()) < 0:
            self.close()
            raise InvalidFile("the UDF file system cannot be opened: it is damaged, or of a kind that is not read")

    def close(self) -> None:
        if self._handle:
            self._udf.udfread_close(self._handle)
            self._handle = None

    def entries(self, most: int) -> list[UdfEntry]:
        """Everything in the image, folders before what is in them; at most so many."""
        found: list[UdfEntry] = []
        folders = [b"/"]
        while folders and len(found) < most:
            folder = folders.pop(0)
            for kind, name in self._listed(folder, most - len(found)):
                path = folder + name if folder == b"/" else folder + b"/" + name
                found.append(UdfEntry(path, kind == _FOLDER))
                if kind == _FOLDER and path.count(b"/") < _DEEPEST:
                    folders.append(path)
        return found

    def _listed(self, folder: bytes, most: int) -> list[tuple[int, bytes]]:
        opened, entry = self._udf.udfread_opendir(self._handle, folder), _Entry()
        if not opened:
            return []
        names: list[tuple[int, bytes]] = []
        while len(names) < most and self._udf.udfread_readdir(opened, ctypes.byref(entry)):
            if entry.kind in (_FOLDER, _FILE) and entry.name not in (b".", b"..", b""):
                names.append((entry.kind, entry.name))
        self._udf.udfread_closedir(opened)
        return sorted(names, key=lambda each: each[1])

    def chunks(self, path: bytes) -> Iterator[bytes]:
        opened = self._udf.udfread_file_open(self._handle, path)
        if not opened:
            raise InvalidFile("the file cannot be opened in the image")
        buffer = ctypes.create_string_buffer(_CHUNK)
        try:
            left = self._udf.udfread_file_size(opened)
            while left > 0:
                got = self._udf.udfread_file_read(opened, buffer, min(_CHUNK, left))
                if got <= 0:
                    raise InvalidFile("the file is cut off")
                yield buffer.raw[:got]
                left -= got
        finally:
            self._udf.udfread_file_close(opened)
