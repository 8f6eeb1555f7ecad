"""Reads the objects of a OneNote section's revision store (MS-ONESTORE). Called by the OneNote handler in a child.

A section is a log: each revision declares objects anew, and a later declaration of an object stands for it.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.handlers.documents.onenote_properties import Properties, property_set

_ROOT_LIST = 172  # where the header names the first list of file nodes
_FRAGMENT_MAGIC = 0xA4567AB1F5F7F4C4
_MOST_NODES = 2_000_000
_MAX_DEPTH = 16
_GLOBAL_START, _GLOBAL_ENTRY, _GLOBAL_COPY, _GLOBAL_COPIES = {0x21, 0x22}, 0x24, 0x25, 0x26
_ENCRYPTION_KEY = 0x7C
_DECLARATIONS = {0x2D, 0x2E, 0x41, 0x42, 0xA4, 0xA5, 0xC4, 0xC5}
_FILE_DECLARATIONS = {0x72: 9, 0x73: 12}  # and how long the fields before the file's reference are
_FILE_REFERENCE = 0x94
_FILE_HEADER = 36  # a marker, the length and two reserved fields

ObjectId = tuple[bytes, int]


@dataclass
class Section:
    """All objects by identity, in the order of their first declaration, and the files they refer to."""

    objects: dict[ObjectId, Properties] = field(default_factory=dict)
    file_of: dict[ObjectId, tuple[str, str]] = field(default_factory=dict)  # object: (file's id, extension)
    files: dict[str, tuple[int, int]] = field(default_factory=dict)  # file's id: offset and length
    damages: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Node:
    kind: int
    at: int  # of the data or the list that it refers to, or of its own fields
    length: int
    leads_on: bool
    body: bytes


def read(data: bytes) -> Section:
    """Every object that the log leads to; raises `InvalidFile` where it leads to none because it is damaged."""
    reader = _Reader(data)
    try:
        offset, length = struct.unpack_from("<QI", data, _ROOT_LIST)
        reader.follow(offset, length, 0)
    except (struct.error, InvalidFile) as error:
        if not reader.section.objects:
            raise InvalidFile(f"the section cannot be followed: {error}") from None
        reader.section.damages.append(str(error))
    return reader.section


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.section = Section()
        self._data = data
        self._left = _MOST_NODES
        self._seen: set[int] = set()
        self._globals: dict[int, bytes] = {}
        self._earlier: dict[int, bytes] = {}

    def follow(self, offset: int, length: int, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise InvalidFile("lists of the section contain each other")
        for node in self._nodes(offset, length):
            if node.leads_on:
                self.follow(node.at, node.length, depth + 1)
            else:
                self._take(node)

    def _take(self, node: _Node) -> None:
        body = node.body
        if node.kind in _GLOBAL_START:
            self._earlier, self._globals = self._globals, {}
        elif node.kind == _GLOBAL_ENTRY:
            self._globals[struct.unpack_from("<I", body)[0]] = body[4:20]
        elif node.kind == _GLOBAL_COPY:
            source, target = struct.unpack_from("<II", body)
            self._globals[target] = self._earlier.get(source, b"")
        elif node.kind == _GLOBAL_COPIES:
            self._copy_globals(*struct.unpack_from("<III", body))
        elif node.kind == _ENCRYPTION_KEY:
            raise PasswordProtected("the section is encrypted")
        elif node.kind in _DECLARATIONS:
            self._declare(node)
        elif node.kind in _FILE_DECLARATIONS:
            self._declare_file(body, _FILE_DECLARATIONS[node.kind])
        elif node.kind == _FILE_REFERENCE and len(body) >= 16:
            (length,) = struct.unpack_from("<Q", self._data, node.at + 16)
            start = node.at + _FILE_HEADER
            self.section.files[_guid(body[:16])] = (start, min(length, max(0, len(self._data) - start)))

    def _copy_globals(self, source: int, count: int, target: int) -> None:
        for index in range(min(count, len(self._earlier))):
            self._globals[target + index] = self._earlier.get(source + index, b"")

    def _identity(self, compact: int) -> ObjectId:
        return self._globals.get(compact >> 8, b""), compact & 0xFF

    def _declare(self, node: _Node) -> None:
        identity = self._identity(struct.unpack_from("<I", node.body)[0])
        try:
            found = property_set(self._data[node.at : node.at + node.length])
        except struct.error as error:
            self.section.damages.append(f"an object: {error}")
            return
        found.children = [self._identity(compact) for compact in found.compact_children]
        self.section.objects[identity] = found

    def _declare_file(self, body: bytes, skipped: int) -> None:
        identity = self._identity(struct.unpack_from("<I", body)[0])
        reference, end = _counted_text(body, skipped)
        extension, _ = _counted_text(body, end)
        self.section.file_of[identity] = (reference.rpartition("{")[2].rstrip("}").lower(), extension)

    def _nodes(self, offset: int, length: int) -> Iterator[_Node]:
        """The nodes of a list, fragment by fragment."""
        while length and offset not in self._seen and offset + length <= len(self._data):
            self._seen.add(offset)
            if struct.unpack_from("<Q", self._data, offset)[0] != _FRAGMENT_MAGIC:
                raise InvalidFile("a list of the section is damaged")
            end = offset + length - 20
            yield from self._fragment(offset + 16, end)
            offset, length = struct.unpack_from("<QI", self._data, end)

    def _fragment(self, at: int, end: int) -> Iterator[_Node]:
        while at + 4 <= end and self._left:
            self._left -= 1
            (head,) = struct.unpack_from("<I", self._data, at)
            kind, size = head & 0x3FF, head >> 10 & 0x1FFF
            if kind in (0, 0xFF) or size < 4:
                return
            yield _node(self._data, at, size, head)
            at += size


def _node(data: bytes, at: int, size: int, head: int) -> _Node:
    fields = data[at + 4 : at + size]
    base = head >> 27 & 0xF
    if base == 0:
        return _Node(head & 0x3FF, at + 4, size - 4, False, fields)
    offset_width, offset_unit = ((8, 1), (4, 1), (2, 8), (4, 8))[head >> 23 & 3]
    length_width, length_unit = ((4, 1), (8, 1), (1, 8), (2, 8))[head >> 25 & 3]
    offset = int.from_bytes(fields[:offset_width], "little") * offset_unit
    length = int.from_bytes(fields[offset_width : offset_width + length_width], "little") * length_unit
    is_nil = fields[:offset_width] == b"\xff" * offset_width
    rest = fields[offset_width + length_width :]
    return _Node(head & 0x3FF, 0 if is_nil else offset, 0 if is_nil else length, base == 2, rest)


def _counted_text(body: bytes, at: int) -> tuple[str, int]:
    (count,) = struct.unpack_from("<I", body, at)
    end = at + 4 + 2 * count
    return body[at + 4 : end].decode("utf-16-le", "replace"), end


def _guid(raw: bytes) -> str:
    return str(UUID(bytes_le=raw))
