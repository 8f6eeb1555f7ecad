"""Reads the words of Hangul documents (HWP 5). Called by the compound handler in a child."""

import struct
import zlib
from collections.abc import Iterator

from redwell.core.errors import InvalidFile, PasswordProtected, TooLarge
from redwell.handlers.documents.hangul_distribution import unveiled
from redwell.handlers.structures.ole import Compound

_PACKED, _LOCKED, _HANDED_OUT = 1, 2, 4
_PARAGRAPH = 67
_SINGLE = frozenset((0, 10, 13, *range(24, 32)))  # other control characters stand for eight
_MOST_BYTES = 256 << 20


def paragraphs(compound: Compound) -> Iterator[str]:
    """The text of every section; raises `PasswordProtected` where the document is encrypted."""
    head = compound.stream("FileHeader")
    if len(head) < 40:
        raise InvalidFile("the header is cut off")
    (properties,) = struct.unpack_from("<I", head, 36)
    if properties & _LOCKED:
        raise PasswordProtected("the document is encrypted")
    handed_out = bool(properties & _HANDED_OUT)
    sections = compound.below("ViewText" if handed_out else "BodyText")
    for name in sorted(sections, key=lambda name: (len(name), name)):
        data = compound.stream(sections[name])
        data = unveiled(data) if handed_out else data
        yield from _texts(_inflated(data) if properties & _PACKED else data)


def _inflated(data: bytes) -> bytes:
    unpacker = zlib.decompressobj(-15)
    try:
        text = unpacker.decompress(data, _MOST_BYTES)
    except zlib.error as error:
        raise InvalidFile(f"a section is damaged: {error}") from None
    if unpacker.unconsumed_tail:
        raise TooLarge("a section unpacks to more than a document can hold")
    return text


def _texts(data: bytes) -> Iterator[str]:
    at = 0
    while at + 4 <= len(data):
        (head,) = struct.unpack_from("<I", data, at)
        at += 4
        size = head >> 20
        if size == 0xFFF and at + 4 <= len(data):
            (size,) = struct.unpack_from("<I", data, at)
            at += 4
        if head & 0x3FF == _PARAGRAPH:
            yield _plain(data[at : at + size])
        at += size


def _plain(raw: bytes) -> str:
    units = struct.unpack(f"<{len(raw) // 2}H", raw[: len(raw) & ~1])
    kept: list[int] = []
    at = 0
    while at < len(units):
        unit = units[at]
        if unit >= 32 or unit in (9, 10):
            kept.append(unit)
        at += 1 if unit >= 32 or unit in _SINGLE else 8
    return struct.pack(f"<{len(kept)}H", *kept).decode("utf-16-le", "replace")
