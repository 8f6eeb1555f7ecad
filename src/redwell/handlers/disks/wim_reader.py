"""Windows images (WIM, ESD) as wimlib reads them, file by file. Used by the wim handler in a child.

wimlib sets modes and times of what it writes, which the sandbox refuses; but it also writes one file to the standard
output, and that is turned into a pipe as long as it does.
"""

import ctypes
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from redwell.core.errors import InvalidFile, Unsupported
from redwell.handlers.unpacking.system_libraries import loaded

_CHUNK = 1 << 18
_STDOUT = 1
_RECURSIVE, _TO_STDOUT = 1, 0x400
_FOLDER, _REPARSE_POINT = 0x10, 0x400


class _Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_int64), ("nanoseconds", ctypes.c_int32)]


class _Entry(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("dos_name", ctypes.c_char_p),
        ("path", ctypes.c_char_p),
        ("depth", ctypes.c_size_t),
        ("security", ctypes.c_void_p),
        ("security_size", ctypes.c_size_t),
        ("attributes", ctypes.c_uint32),
        ("reparse_tag", ctypes.c_uint32),
        ("links", ctypes.c_uint32),
        ("named_streams", ctypes.c_uint32),
        ("hard_link_group", ctypes.c_uint64),
        ("created", _Time),
        ("modified", _Time),
    ]


class _Info(ctypes.Structure):
    _fields_ = [("guid", ctypes.c_uint8 * 16), ("images", ctypes.c_uint32), ("rest", ctypes.c_uint8 * 256)]


_Listing = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Entry), ctypes.c_void_p)


class WimEntry(NamedTuple):
    image: int
    path: bytes
    modified: int
    is_folder: bool
    is_link: bool
    further_streams: int


@cache
def _library() -> Any:
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    library = loaded(
        "libwim15",
        "Windows images",
        "wimlib_",
        (
            ("open_wim", number, [text, number, ctypes.POINTER(pointer)]),
            ("get_wim_info", number, [pointer, ctypes.POINTER(_Info)]),
            ("iterate_dir_tree", number, [pointer, number, text, number, _Listing, pointer]),
            ("extract_paths", number, [pointer, number, text, ctypes.POINTER(text), ctypes.c_size_t, number]),
            ("get_error_string", text, [number]),
            ("set_print_errors", number, [ctypes.c_bool]),
            ("free", None, [pointer]),
        ),
    )
    library.wimlib_set_print_errors(False)
    return library


class Wim:
    """One file with one or more images."""

    def __init__(self, path: Path) -> None:
        self._wim, self._handle = _library(), ctypes.c_void_p()
        self._check(self._wim.wimlib_open_wim(str(path).encode(), 0, ctypes.byref(self._handle)))
        info = _Info()
        self._check(self._wim.wimlib_get_wim_info(self._handle, ctypes.byref(info)))
        self.images = info.images

    def close(self) -> None:
        if self._handle:
            self._wim.wimlib_free(self._handle)
            self._handle = ctypes.c_void_p()

    def _check(self, result: int) -> None:
        if result:
            said = self._wim.wimlib_get_error_string(result).decode("utf-8", "replace")
            self.close()
            raise Unsupported(said) if "nsupported" in said else InvalidFile(said)

    def entries(self, most: int) -> list[WimEntry]:
        """Everything in all images, folders before what is in them; at most so many."""
        found: list[WimEntry] = []

        def listed(entry: Any, _: object) -> int:
            told = entry.contents
            kinds = bool(told.attributes & _FOLDER), bool(told.attributes & _REPARSE_POINT)
            if told.path != b"/":
                found.append(WimEntry(image, told.path, told.modified.seconds, *kinds, told.named_streams))
            return int(len(found) >= most)

        callback = _Listing(listed)
        for image in range(1, self.images + 1):
            result = self._wim.wimlib_iterate_dir_tree(self._handle, image, b"/", _RECURSIVE, callback, None)
            if len(found) >= most:
                break
            self._check(result)
        return found

    def chunks(self, entry: WimEntry) -> Iterator[bytes]:
        """The bytes of a file, while wimlib writes them."""
        receiving, sending = os.pipe()
        kept = os.dup(_STDOUT)
        os.dup2(sending, _STDOUT)
        os.close(sending)
        results: list[int] = []
        writer = Thread(target=self._write, args=(entry, kept, results), daemon=True)
        writer.start()
        try:
            while chunk := os.read(receiving, _CHUNK):
                yield chunk
        finally:
            os.close(receiving)  # whoever still writes gets an error
            writer.join()
            os.close(kept)
        if results != [0]:
            raise InvalidFile("the file's bytes are damaged or missing")

    def _write(self, entry: WimEntry, kept: int, results: list[int]) -> None:
        paths = (ctypes.c_char_p * 1)(entry.path)
        try:
            results.append(self._wim.wimlib_extract_paths(self._handle, entry.image, b"/", paths, 1, _TO_STDOUT))
        finally:
            os.dup2(kept, _STDOUT)  # tells the reader that this was all; the number is never free for another file
