"""Reads iWork archives (.iwa, 2013 and later): packed protobuf messages. Called by the iWork handler in a child."""

from collections.abc import Iterator
from dataclasses import dataclass

from redwell.core.errors import InvalidFile

_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5
Field = int | bytes
Fields = dict[int, list[Field]]


@dataclass(frozen=True, slots=True)
class Message:
    """One object of the document: its number, Apple's number for its kind, and its fields still packed."""

    number: int
    kind: int
    payload: bytes


def messages(archive: bytes, most_bytes: int) -> Iterator[Message]:
    """The objects of one archive in order; raises `InvalidFile` behind those that could be read."""
    data = _unpacked(archive, most_bytes)
    at = 0
    try:
        while at < len(data):
            length, at = _varint(data, at)
            info = fields(data[at : at + length])
            at += length
            number = int_field(info, 1)
            for described in byte_fields(info, 2):
                about = fields(described)
                size = int_field(about, 3)
                yield Message(number, int_field(about, 1), data[at : at + size])
                at += size
    except (IndexError, ValueError):
        raise InvalidFile("an archive of the document is damaged") from None


def fields(data: bytes) -> Fields:
    """Values by field number; raises `ValueError` or `IndexError` on what is no message."""
    found: Fields = {}
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        value: Field
        if tag & 7 == _VARINT:
            value, at = _varint(data, at)
        elif tag & 7 == _BYTES:
            length, at = _varint(data, at)
            if at + length > len(data):
                raise ValueError("a field is cut off")
            value, at = data[at : at + length], at + length
        elif tag & 7 in (_EIGHT, _FOUR):
            width = 8 if tag & 7 == _EIGHT else 4
            value, at = data[at : at + width], at + width
        else:
            raise ValueError(f"a field of wire type {tag & 7}")
        found.setdefault(tag >> 3, []).append(value)
    return found


def int_field(found: Fields, number: int) -> int:
    value = found.get(number, [0])[0]
    return value if isinstance(value, int) else 0


def byte_fields(found: Fields, number: int) -> list[bytes]:
    return [value for value in found.get(number, []) if isinstance(value, bytes)]


def reference(found: Fields, number: int) -> int:
    """The number of the object that a field points to; 0 where there is none."""
    return next((int_field(fields(value), 1) for value in byte_fields(found, number)), 0)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("a number without an end")


def _unpacked(archive: bytes, most_bytes: int) -> bytes:
    """The chunks behind their headers, put together."""
    out = bytearray()
    at = 0
    while at + 4 <= len(archive):
        length = int.from_bytes(archive[at + 1 : at + 4], "little")
        try:
            out += snappy(archive[at + 4 : at + 4 + length], most_bytes - len(out))
        except (IndexError, ValueError):
            raise InvalidFile("a chunk of an archive is damaged") from None
        at += 4 + length
    return bytes(out)


def snappy(data: bytes, most_bytes: int) -> bytes:
    """Raw Snappy: literals, and copies of what came before."""
    size, at = _varint(data, 0)
    if size > most_bytes:
        raise ValueError("a chunk that is too large")
    out = bytearray()
    while at < len(data) and len(out) < size:
        tag = data[at]
        at += 1
        if tag & 3 == 0:
            length, at = _literal_length(data, at, tag >> 2)
            out += data[at : at + length]
            at += length
        else:
            length, offset, at = _copy(data, at, tag)
            _repeat(out, length, offset)
    return bytes(out)


def _literal_length(data: bytes, at: int, told: int) -> tuple[int, int]:
    width = max(0, told - 59)
    return (int.from_bytes(data[at : at + width], "little") if width else told) + 1, at + width


def _copy(data: bytes, at: int, tag: int) -> tuple[int, int, int]:
    if tag & 3 == 1:
        return (tag >> 2 & 7) + 4, (tag >> 5) << 8 | data[at], at + 1
    width = 2 if tag & 3 == 2 else 4
    return (tag >> 2) + 1, int.from_bytes(data[at : at + width], "little"), at + width


def _repeat(out: bytearray, length: int, offset: int) -> None:
    if not 0 < offset <= len(out):
        raise ValueError("a copy from outside")
    start = len(out) - offset
    while length > 0:  # a copy may overlap what it makes
        part = out[start : start + min(length, len(out) - start)]
        out += part
        length -= len(part)
