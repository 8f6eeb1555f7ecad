"""Reads PowerPoint's binary presentations (97-2003): slides, notes, comments, masters. Runs in a child.

A presentation is a log of records; the current ones are found through the persist directory that the
newest edit points to, so that words deleted in earlier edits are not read as if they stood there.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from redwell.core.errors import InvalidFile
from redwell.handlers.office.word_art import PROPERTIES, shape_words
from redwell.handlers.structures.embedded import Embedded, unwrap
from redwell.handlers.structures.ole import Compound

_DOCUMENT, _MASTER, _LIST, _USER_EDIT, _DIRECTORY = 0x03E8, 0x03F8, 0x0FF0, 0x0FF5, 0x1772
_PERSIST, _CHARS, _BYTES, _STRING = 0x03F3, 0x0FA0, 0x0FA8, 0x0FBA
_HEADERS, _COMMENT, _TAG_DATA = 0x0FD9, 0x2EE0, 0x138B
_SHAPE, _PLACEHOLDER, _OLE_ATOM, _OLE_STORAGE = 0xF004, 0x0BC3, 0x0FC3, 0x1011
_SLIDE_INFO, _HIDDEN = 0x03F9, 0x04
_NAMED_PARENTS = {_HEADERS, _COMMENT, _MASTER}  # elsewhere a string names a font, a tag or a file
_PROMPTS = {1, 2, 3, 4, 5, 6, 8}  # placeholders of a master that only say "click to edit"
_ENCRYPTED_TOKEN = 0xF3D1C4DF
_MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class _Record:
    instance: int
    kind: int
    start: int
    end: int
    is_container: bool


@dataclass(frozen=True, slots=True)
class Presentation:
    """What a presentation says, and the files it embeds."""

    slides: int
    text: str
    has_notes: bool
    has_comments: bool
    hidden_slides: int
    embedded: list[Embedded]


def is_encrypted(compound: Compound) -> bool:
    if "EncryptedSummary" in compound:
        return True
    user = compound.stream("Current User") if "Current User" in compound else b""
    return len(user) >= 16 and struct.unpack_from("<I", user, 12)[0] == _ENCRYPTED_TOKEN


def read(compound: Compound) -> Presentation:
    """The current state of the presentation; raises `InvalidFile` where its directory is damaged."""
    data = compound.stream("PowerPoint Document")
    try:
        directory, document_id = _directory(data, compound.stream("Current User"))
        document = _record(data, directory[document_id])
        return _presentation(data, document, directory)
    except (struct.error, KeyError, IndexError):
        raise InvalidFile("the presentation's directory is damaged") from None


def _presentation(data: bytes, document: _Record, directory: dict[int, int]) -> Presentation:
    lists: dict[int, list[str]] = {0: [], 1: [], 2: []}
    counts = {0: 0, 1: 0, 2: 0}
    rest: list[str] = []
    for record in _records(data, document.start, document.end):
        if record.kind == _LIST and record.instance in lists:
            counts[record.instance] = _read_list(data, record, directory, lists[record.instance])
        elif record.kind == _HEADERS:
            rest += _texts(data, record)
    lines = [*lists[0], *lists[2], *rest, *lists[1]]
    text = "\n".join(lines).replace("\r", "\n").replace("\x0b", "\n")
    hidden, comments = _slide_facts(data, document, directory)
    embedded = list(_embedded(data, document, directory))
    return Presentation(counts[0], text, bool(counts[2]), comments, hidden, embedded)


def _slide_facts(data: bytes, document: _Record, directory: dict[int, int]) -> tuple[int, bool]:
    """How many slides are hidden, and whether any has comments."""
    hidden, comments = 0, False
    for listing in _records(data, document.start, document.end):
        if listing.kind != _LIST or listing.instance != 0:
            continue
        for record in _records(data, listing.start, listing.end):
            offset = directory.get(struct.unpack_from("<I", data, record.start)[0]) if record.kind == _PERSIST else None
            if offset is not None:
                slide = _record(data, offset)
                hidden += any(_hides(data, each) for each in _records(data, slide.start, slide.end))
                comments = comments or _holds_comment(data, slide, 0)
    return hidden, comments


def _hides(data: bytes, record: _Record) -> bool:
    return record.kind == _SLIDE_INFO and record.end - record.start >= 12 and bool(data[record.start + 10] & _HIDDEN)


def _holds_comment(data: bytes, parent: _Record, depth: int) -> bool:
    for record in _records(data, parent.start, parent.end):
        if record.kind == _COMMENT:
            return True
        inside = (record.is_container or record.kind == _TAG_DATA) and depth < _MAX_DEPTH
        if inside and _holds_comment(data, record, depth + 1):
            return True
    return False


def _read_list(data: bytes, listing: _Record, directory: dict[int, int], out: list[str]) -> int:
    """A slide's outline stands in the list, its other text boxes in its own record."""
    count = 0
    for record in _records(data, listing.start, listing.end):
        if record.kind == _PERSIST:
            offset = directory.get(struct.unpack_from("<I", data, record.start)[0])
            count += offset is not None
            if offset is not None:
                out += _texts(data, _record(data, offset))
        else:
            out += _atom(data, record, _LIST)
    return count


def _directory(data: bytes, user: bytes) -> tuple[dict[int, int], int]:
    """Where each object's newest version lies, and which object is the document."""
    (edit,) = struct.unpack_from("<I", user, 16)
    found: dict[int, int] = {}
    document_id = 0
    seen: set[int] = set()
    while edit and edit not in seen:
        seen.add(edit)
        if _record(data, edit).kind != _USER_EDIT:
            raise KeyError(edit)
        previous, listing, document = struct.unpack_from("<III", data, edit + 16)
        document_id = document_id or document
        for key, offset in _persist_entries(data, listing):
            found.setdefault(key, offset)
        edit = previous
    return found, document_id


def _persist_entries(data: bytes, offset: int) -> Iterator[tuple[int, int]]:
    record = _record(data, offset)
    if record.kind != _DIRECTORY:
        raise KeyError(offset)
    position = record.start
    while position < record.end:
        (word,) = struct.unpack_from("<I", data, position)
        first, count = word & 0xFFFFF, word >> 20
        for index in range(count):
            yield first + index, struct.unpack_from("<I", data, position + 4 + 4 * index)[0]
        position += 4 + 4 * count


def _record(data: bytes, offset: int) -> _Record:
    head, kind, length = struct.unpack_from("<HHI", data, offset)
    start = offset + 8
    return _Record(head >> 4, kind, start, min(start + length, len(data)), head & 0xF == 0xF)


def _records(data: bytes, start: int, end: int) -> Iterator[_Record]:
    while start + 8 <= end:
        record = _record(data, start)
        yield record
        start = record.end


def _texts(data: bytes, parent: _Record, depth: int = 0) -> Iterator[str]:
    for record in _records(data, parent.start, parent.end):
        if (record.is_container or record.kind == _TAG_DATA) and depth < _MAX_DEPTH:
            if not (record.kind == _SHAPE and _is_prompt(data, record)):
                yield from _texts(data, record, depth + 1)
        else:
            yield from _atom(data, record, parent.kind)


def _atom(data: bytes, record: _Record, parent_kind: int) -> list[str]:
    raw = data[record.start : record.end]
    if record.kind == _BYTES:
        return [raw.decode("latin-1")]
    if record.kind == _CHARS or (record.kind == _STRING and parent_kind in _NAMED_PARENTS):
        return [raw.decode("utf-16-le", "replace")]
    words = shape_words(record.instance, raw) if record.kind == PROPERTIES else ""
    return [words] if words else []


def _is_prompt(data: bytes, shape: _Record) -> bool:
    for record in _records(data, shape.start, shape.end):
        if record.is_container:
            for inner in _records(data, record.start, record.end):
                if inner.kind == _PLACEHOLDER and inner.end - inner.start >= 5:
                    return data[inner.start + 4] in _PROMPTS
    return False


def _embedded(data: bytes, document: _Record, directory: dict[int, int]) -> Iterator[Embedded]:
    stack = [document]
    while stack:
        parent = stack.pop()
        for record in _records(data, parent.start, parent.end):
            if record.is_container:
                stack.append(record)
            elif record.kind == _OLE_ATOM and record.end - record.start >= 20:
                _, kind, _, _, key = struct.unpack_from("<5I", data, record.start)
                if kind == 0 and key in directory:
                    name = f"embedded {key}"
                    yield Embedded(f"ole:{key}", name, partial(_stored, data, directory[key], name))


def _stored(data: bytes, offset: int, name: str) -> tuple[str, bytes]:
    try:
        record = _record(data, offset)
        if record.kind != _OLE_STORAGE:
            raise InvalidFile("the embedded object's record is missing")
        raw = data[record.start : record.end]
        return unwrap(name, _inflated(raw) if record.instance == 1 else raw)
    except (zlib.error, struct.error) as error:
        raise InvalidFile(f"the embedded object is damaged: {error}") from None


def _inflated(raw: bytes) -> bytes:
    """The declared number of bytes, read as bare deflate: a wrong checksum behind them does no harm."""
    (size,) = struct.unpack_from("<I", raw)
    data = zlib.decompressobj(-15).decompress(raw[6:], size) if size else b""
    if len(data) < size:
        raise InvalidFile("the embedded object is cut off")
    return data
