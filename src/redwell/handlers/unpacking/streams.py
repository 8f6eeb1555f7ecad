"""Files that were compressed by themselves, as streams of their bytes. Used by the compressed handler in a child.

libarchive takes a damaged stream for an empty archive and a file of zeros for an empty TAR; so the common ones are
unpacked here, and it is asked only for those that Python does not know.
"""

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, BinaryIO, Protocol

from redwell.core.errors import InvalidFile
from redwell.core.handler import Source
from redwell.handlers.unpacking.empty_streams import LARGEST, holds_nothing
from redwell.handlers.unpacking.libarchive_reader import Archive

_CHUNK = 1 << 18
_MOST_MEMORY = 1 << 29
_GZIP_WINDOW, _ANY_WINDOW = 31, 47
_LARGEST_WINDOW_LOG = 29
_MAGIC = {  # further streams may follow the first
    "application/gzip": re.compile(rb"\x1f\x8b\x08"),
    "application/x-bzip2": re.compile(rb"BZh"),
    "application/x-xz": re.compile(rb"\xfd7zXZ\0"),
    "application/zstd": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),  # the second means nothing here
}


class _Engine(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


def unpacked(source: Source, media_type: str, filter_number: int) -> Iterator[bytes]:
    """The bytes of the file, all of its joined streams; fails where they are damaged or end early."""
    if media_type not in _ENGINES:
        if source.size <= LARGEST and holds_nothing(source.read(), media_type):
            return
        yield from _by_libarchive(source, filter_number)
        return
    with source.open() as file:
        yield from inflated(file, media_type)


def inflated(file: BinaryIO, media_type: str) -> Iterator[bytes]:
    """The same for a file that Python itself can unpack."""
    try:
        yield from _joined(file, _ENGINES[media_type], _MAGIC.get(media_type))
    except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError) as error:
        raise InvalidFile(f"the compressed bytes are damaged: {error}") from None


def _joined(file: BinaryIO, new_engine: Callable[[], _Engine], magic: re.Pattern[bytes] | None) -> Iterator[bytes]:
    engine, data = new_engine(), b""
    while True:
        while not engine.eof:
            if not data and engine.needs_input:
                data = file.read(_CHUNK)
                if not data:
                    raise InvalidFile("the compressed bytes end early")
            yield engine.decompress(data, _CHUNK)
            data = b""
        data = engine.unused_data.lstrip(b"\0")
        while len(data) < _CHUNK and (more := file.read(_CHUNK)):
            data = (data + more).lstrip(b"\0")
        if magic is None or not magic.match(data):
            return  # padding, or something that was appended
        engine = new_engine()


def _by_libarchive(source: Source, filter_number: int) -> Iterator[bytes]:
    filters = () if filter_number else ("compress",)
    with Archive(source, ("raw",), filters=filters, unpack_by=filter_number) as archive:
        for entry in archive:
            yield from entry.chunks()


class Inflater:
    """zlib with the manners of the other decompressors."""

    def __init__(self, window: int = _GZIP_WINDOW) -> None:
        self._engine = zlib.decompressobj(window)
        self._may_hold_more = False  # a few bits are enough for kilobytes, and they are no tail

    @property
    def eof(self) -> bool:
        return self._engine.eof

    @property
    def needs_input(self) -> bool:
        return not self._engine.unconsumed_tail and not self._may_hold_more

    @property
    def unused_data(self) -> bytes:
        return self._engine.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        got = self._engine.decompress(self._engine.unconsumed_tail + data, max(0, max_length))
        self._may_hold_more = len(got) == max_length
        return got


class Zstd:
    """Zstandard with the errors of the other decompressors, in bounded memory."""

    def __init__(self) -> None:
        zstd: Any
        try:
            from backports import zstd
        except ImportError:
            zstd = import_module("compression.zstd")  # Python 3.14 has it itself
        self._error = zstd.ZstdError
        limit = {zstd.DecompressionParameter.window_log_max: _LARGEST_WINDOW_LOG}
        self._engine: _Engine = zstd.ZstdDecompressor(options=limit)

    @property
    def eof(self) -> bool:
        return self._engine.eof

    @property
    def needs_input(self) -> bool:
        return self._engine.needs_input

    @property
    def unused_data(self) -> bytes:
        return self._engine.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        try:
            return self._engine.decompress(data, max_length)
        except self._error as error:
            raise ValueError(str(error)) from None


_ENGINES: dict[str, Callable[[], _Engine]] = {
    "application/zlib": lambda: Inflater(_ANY_WINDOW),
    "application/gzip": Inflater,
    "application/x-bzip2": bz2.BZ2Decompressor,
    "application/x-xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY),
    "application/x-lzma": lambda: lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=_MOST_MEMORY),
    "application/zstd": Zstd,
}
