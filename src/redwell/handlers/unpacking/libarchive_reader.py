"""Archives as libarchive reads them, entry by entry. Used by the archive handlers in a child.

libarchive-c asks the linker's tools where the library lies, which a sandboxed child may not start; so its name is told.
"""

import ctypes
import errno
import logging
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import MetaValue, Source
from redwell.handlers.unpacking.names import decoded
from redwell.handlers.unpacking.system_libraries import SONAMES
from redwell.handlers.unpacking.times import file_modified

_LIBRARY = {"linux": SONAMES["libarchive13"], "darwin": "libarchive.dylib"}
_IN_MEMORY = 1 << 20
_BLOCK = 1 << 18
_FAMILY = 0xFF0000
_LHA, _CAB = 0xB0000, 0xC0000
_LOCAL_TIMES = frozenset((_LHA, _CAB))  # the packer's clock, whatever its zone was
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}
_REFUSED = "Rejecting malformed"  # a length that no sound archive has is called a lack of memory too
_NOT_READ = ("unsupported", "not supported", "unavailable", "Unsupported CAB compression")


@cache
def _library() -> Any:
    """The bindings, with the functions that they leave out."""
    os.environ.setdefault("LIBARCHIVE", _LIBRARY.get(sys.platform, "libarchive"))
    logging.getLogger("libarchive").setLevel(logging.CRITICAL)  # warnings show in what is returned
    try:
        from libarchive import ffi
    except OSError as error:
        raise Unsupported(f"libarchive is not installed: {error}") from None
    ffi.ffi("format", [ctypes.c_void_p], ctypes.c_int)
    ffi.ffi("entry_is_encrypted", [ctypes.c_void_p], ctypes.c_int)
    ffi.ffi("read_append_filter", [ctypes.c_void_p, ctypes.c_int], ctypes.c_int, ffi.check_int)
    return ffi


class Archive:
    """One archive that is read from its start to its end, once. Iterating gives its entries."""

    def __init__(self, source: Source, formats: Sequence[str], *, filters: Sequence[str] = (), unpack_by: int = 0):
        """`unpack_by` is the number of the one filter that stands before the format, where it is known."""
        self._ffi = _library()
        self._handle = self._ffi.read_new()
        try:
            for name in formats:
                self._ffi.get_read_format_function(name)(self._handle)
            for name in filters:
                self._ffi.get_read_filter_function(name)(self._handle)
            if unpack_by:
                self._ffi.read_append_filter(self._handle, unpack_by)
            self._open(source)
        except BaseException:
            self.close()
            raise

    def _open(self, source: Source) -> None:
        from libarchive.exception import ArchiveError

        try:
            if source.size <= _IN_MEMORY:
                self._data = source.read()  # libarchive reads in it until it is closed
                at = ctypes.cast(ctypes.c_char_p(self._data), ctypes.c_void_p)
                self._ffi.read_open_memory(self._handle, at, len(self._data))
            else:
                self._ffi.read_open_filename_w(self._handle, str(source.path()), _BLOCK)
        except ArchiveError as error:
            raise _named(error) from None

    def close(self) -> None:
        self._ffi.read_free(self._handle)

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _family(self) -> int:
        return int(self._ffi.format(self._handle)) & _FAMILY

    def __iter__(self) -> Iterator["ArchiveEntry"]:
        """Each entry may be read until the next is asked for."""
        from libarchive.exception import ArchiveError

        entry = self._ffi.entry_new()
        try:
            while self._ffi.read_next_header2(self._handle, entry) != self._ffi.ARCHIVE_EOF:
                yield ArchiveEntry(self._ffi, self._handle, entry, self._family in _LOCAL_TIMES)
        except ArchiveError as error:
            raise _named(error) from None
        finally:
            self._ffi.entry_free(entry)


class ArchiveEntry:
    def __init__(self, ffi: Any, archive: int, entry: int, local_time: bool) -> None:
        self._ffi, self._archive, self._entry, self._local = ffi, archive, entry, local_time

    @property
    def name(self) -> str:
        wide = self._ffi.entry_pathname_w(self._entry)
        return wide if wide is not None else decoded(self._ffi.entry_pathname(self._entry) or b"")

    @property
    def no_document(self) -> str:
        """What it is, where it is no file with bytes of its own."""
        kind = stat.S_IFMT(self._ffi.entry_filetype(self._entry))
        if kind == stat.S_IFLNK:
            return f"a link to {decoded(self._ffi.entry_symlink(self._entry) or b'')}"
        target = self._ffi.entry_hardlink(self._entry)
        if target is not None and not self._ffi.entry_size(self._entry):
            return f"a further name of {decoded(target)}"
        return _KINDS.get(kind, "")

    @property
    def metadata(self) -> dict[str, MetaValue]:
        if not self._ffi.entry_mtime_is_set(self._entry):
            return {}
        return file_modified(self._ffi.entry_mtime(self._entry), local=self._local)

    def chunks(self) -> Iterator[bytes]:
        """The entry's bytes; fails where they are encrypted, damaged or packed in a way that is not read."""
        from libarchive.exception import ArchiveError

        if self._ffi.entry_is_encrypted(self._entry):
            raise PasswordProtected("a password is needed")
        buffer = ctypes.create_string_buffer(_BLOCK)
        try:
            while length := self._ffi.read_data(self._archive, buffer, _BLOCK):
                if length < 0:  # a warning: the checksum does not fit
                    raise _named(self._ffi.archive_error(self._archive, length))
                yield buffer.raw[:length]
        except ArchiveError as error:
            raise _named(error) from None


def _named(error: Any) -> Exception:
    """libarchive tells a missing feature from damage by its words alone."""
    said = str(error.msg if not isinstance(error.msg, bytes) else error.msg.decode("utf-8", "replace"))
    if error.errno == errno.ENOMEM and not said.startswith(_REFUSED):
        return MemoryError(said)
    if "ncrypt" in said or "rypto" in said:
        return PasswordProtected("a password is needed")
    return Unsupported(said) if any(word in said for word in _NOT_READ) else InvalidFile(said)
