"""The compression methods of ZIP members, in bounded memory. Called by zip_data in a child."""

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Protocol

from redwell.core.errors import InvalidFile, Unsupported
from redwell.handlers.detect.zip_directory import Entry
from redwell.handlers.unpacking.streams import Inflater, Zstd
from redwell.handlers.zip.imploded import exploded
from redwell.handlers.zip.shrunk import unshrunk

_CHUNK = 1 << 18
_SIP = 1 << 12  # a decoder that cannot be bounded gets so little that what it gives is small
_LARGEST_DICTIONARY = 1 << 28
_STORED = 0


class _Engine(Protocol):
    """What the decompressors of the standard library have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


def unpacked(method: int, packed: Iterator[bytes], entry: Entry) -> Iterator[bytes]:
    """The member in the clear; fails where its bytes are damaged or nobody here knows the method."""
    if method == _STORED:
        yield from packed
        return
    unpack = _METHODS.get(method)
    if unpack is None:
        raise Unsupported(f"compression method {method} is not read")
    try:
        yield from unpack(packed, entry)
    except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError) as error:
        raise InvalidFile(f"the member's bytes are damaged: {error}") from None


def _inflated(packed: Iterator[bytes], _: Entry) -> Iterator[bytes]:
    yield from _decompressed(Inflater(-zlib.MAX_WBITS), packed)


def _inflated64(packed: Iterator[bytes], _: Entry) -> Iterator[bytes]:
    import inflate64

    engine = inflate64.Inflater()
    for chunk in packed:
        for at in range(0, len(chunk), _SIP):
            if not engine.eof:
                yield engine.inflate(chunk[at : at + _SIP])
    if not engine.eof:
        raise InvalidFile("the member is cut off")


def _bzip2(packed: Iterator[bytes], _: Entry) -> Iterator[bytes]:
    yield from _decompressed(bz2.BZ2Decompressor(), packed)


def _xz(packed: Iterator[bytes], _: Entry) -> Iterator[bytes]:
    yield from _decompressed(lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LARGEST_DICTIONARY * 2), packed)


def _zstd(packed: Iterator[bytes], _: Entry) -> Iterator[bytes]:
    yield from _decompressed(Zstd(), packed)


def _lzma(packed: Iterator[bytes], _: Entry) -> Iterator[bytes]:
    first = next(packed, b"")
    if len(first) < 9:
        raise InvalidFile("the member is cut off")
    properties, dictionary = first[4], int.from_bytes(first[5:9], "little")
    if dictionary > _LARGEST_DICTIONARY:
        raise Unsupported(f"an LZMA dictionary of {dictionary} bytes is too large")
    lc, rest = properties % 9, properties // 9
    settings = [{"id": lzma.FILTER_LZMA1, "dict_size": dictionary, "lc": lc, "lp": rest % 5, "pb": rest // 5}]
    engine = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=settings)
    yield from _decompressed(engine, chain((first[9:],), packed), may_end=True)


def _decompressed(engine: _Engine, packed: Iterator[bytes], *, may_end: bool = False) -> Iterator[bytes]:
    """`may_end`: its end need not be marked; the checksum tells."""
    for chunk in packed:
        while not engine.eof and (chunk or not engine.needs_input):
            yield engine.decompress(chunk, _CHUNK)
            chunk = b""
    if not engine.eof and not may_end:
        raise InvalidFile("the member is cut off")


def _ppmd(packed: Iterator[bytes], entry: Entry) -> Iterator[bytes]:
    import pyppmd

    first = next(packed, b"")
    if len(first) < 2:
        raise InvalidFile("the member is cut off")
    settings, left = int.from_bytes(first[:2], "little"), entry.size
    order, memory_mb, restore = (settings & 15) + 1, (settings >> 4 & 255) + 1, settings >> 12
    engine = pyppmd.Ppmd8Decoder(order, memory_mb << 20, restore)
    for chunk in chain((first[2:],), packed):
        while left > 0 and not engine.eof and (chunk or not engine.needs_input):
            data = engine.decode(chunk, min(left, _CHUNK))
            left, chunk = left - len(data), b""
            yield data
    if left > 0:
        raise InvalidFile("the member is cut off")


_METHODS: dict[int, Callable[[Iterator[bytes], Entry], Iterator[bytes]]] = {
    1: unshrunk,
    6: exploded,
    8: _inflated,
    9: _inflated64,
    12: _bzip2,
    14: _lzma,
    20: _zstd,
    93: _zstd,
    95: _xz,
    98: _ppmd,
}
