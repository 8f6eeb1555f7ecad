"""Reads OneNote sections in the packaging that Office 365 hands out (MS-ONESTORE 2.8). Called by the OneNote handler.

The file is a flat run of stream objects (MS-FSSHTTPB): groups declare objects, then give their data in the same order.
"""

import struct
from collections.abc import Iterator

from redwell.core.errors import InvalidFile
from redwell.handlers.documents.onenote_properties import Properties, property_set
from redwell.handlers.documents.onestore import ObjectId, Section

FORMAT = bytes.fromhex("2fe98d63d4a6c14b9a36b3fc2511a5b7")
_FIRST_OBJECT = 68  # behind the header's four GUIDs and a reserved field
_DECLARATION, _DATA = 0x18, 0x16
_OBJECT_DATA = 1  # the partition that holds an object's properties
_LONG = 0x7FFF


def read(data: bytes) -> Section:
    """Every object of the section; raises `InvalidFile` where the stream cannot be followed."""
    section = Section()
    declared: list[tuple[ObjectId, int]] = []
    given = 0
    try:
        for kind, body in _stream_objects(data):
            if kind == _DECLARATION:
                declared.append(_declaration(body))
            elif kind == _DATA and given < len(declared):
                identity, partition = declared[given]
                given += 1
                if partition == _OBJECT_DATA:
                    section.objects[identity] = _object(body)
    except (struct.error, IndexError) as error:
        if not section.objects:
            raise InvalidFile("the section is cut off") from None
        section.damages.append(str(error))
    return section


def _stream_objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = _FIRST_OBJECT
    while at < len(data):
        mark = data[at] & 3
        if mark in (1, 3):  # the end of a compound object, in one byte or two
            at += 1 if mark == 1 else 2
            continue
        if mark == 0:
            (head,) = struct.unpack_from("<H", data, at)
            kind, length, at = head >> 3 & 0x3F, head >> 9, at + 2
        else:
            (head,) = struct.unpack_from("<I", data, at)
            kind, length, at = head >> 3 & 0x3FFF, head >> 17, at + 4
            if length == _LONG:
                length, at = _number(data, at)
        yield kind, data[at : at + length]
        at += length


def _declaration(body: bytes) -> tuple[ObjectId, int]:
    identity, at = _identity(body, 0)
    partition, _ = _number(body, at)
    return identity, partition


def _object(body: bytes) -> Properties:
    children, at = _identities(body, 0, 1)
    _, at = _identities(body, at, 2)  # a cell is named by two
    length, at = _number(body, at)
    found = property_set(body[at : at + length])
    found.children = children
    return found


def _identities(body: bytes, at: int, each: int) -> tuple[list[ObjectId], int]:
    count, at = _number(body, at)
    found = []
    for _ in range(min(count * each, len(body))):
        identity, at = _identity(body, at)
        found.append(identity)
    return found, at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number in one to nine bytes: the zeros below its lowest set bit say in how many."""
    first = data[at]
    if first == 0:
        return 0, at + 1
    if first == 0x80:
        return int.from_bytes(data[at + 1 : at + 9], "little"), at + 9
    width = (first & -first).bit_length()
    return int.from_bytes(data[at : at + width], "little") >> width, at + width


def _identity(data: bytes, at: int) -> tuple[ObjectId, int]:
    """A number and a GUID; the number's width is told by its lowest bits."""
    first = data[at]
    if first == 0:
        return (b"", 0), at + 1
    if first & 7 == 4:
        number, at = first >> 3, at + 1
    elif first & 0x3F == 0x20:
        number, at = int.from_bytes(data[at : at + 2], "little") >> 6, at + 2
    elif first & 0x7F == 0x40:
        number, at = int.from_bytes(data[at : at + 3], "little") >> 7, at + 3
    else:
        number, at = int.from_bytes(data[at + 1 : at + 5], "little"), at + 5
    return (data[at : at + 16], number), at + 16
