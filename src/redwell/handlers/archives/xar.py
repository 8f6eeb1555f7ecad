"""XAR archives, as macOS installers are. Runs in a child.

libarchive 3.6 hands out wrong bytes of the second member on, so they are read here; checksums are compared.
"""

import hashlib
import struct
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile, TooLarge, Unsupported
from redwell.core.handler import Contents, HandlerSpec, MetaValue, Options, Piece, Source
from redwell.handlers.archives.xar_contents import XarFile, contents
from redwell.handlers.structures.made_source import written
from redwell.handlers.unpacking.file_window import window
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import readable_path
from redwell.handlers.unpacking.size_limits import Room
from redwell.handlers.unpacking.streams import inflated

SPEC = HandlerSpec(name="xar", media_types=frozenset({"application/x-xar"}), kind="archive")

_HEADER = struct.Struct(">4sHHQQL")
_CHUNK = 1 << 18
_LARGEST_CONTENTS = 64 << 20
_PACKINGS = {"application/x-gzip": "application/zlib", "application/x-bzip2": "application/x-bzip2"}
_PACKINGS |= {"application/x-xz": "application/x-xz", "application/x-lzma": "application/x-lzma"}
_DIGESTS = ("md5", "sha1", "sha256", "sha512")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with source.open() as file:
        start = file.read(_HEADER.size)
        if len(start) < _HEADER.size:
            raise InvalidFile("the archive has no header")
        _, header, _, packed, _, _ = _HEADER.unpack(start)
        table = inflated(window(file, header, packed), "application/zlib")
        files = contents(_limited(table), options.max_members)
        yield Contents(declared=len(files))
        yield from unpack(_members(files, file, header + packed, scratch, Room(source.size, options)), options)


def _limited(chunks: Iterator[bytes]) -> Iterator[bytes]:
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > _LARGEST_CONTENTS:
            raise TooLarge("the table of contents is larger than 64 MB")
        yield chunk


def _members(files: list[XarFile], file: BinaryIO, heap: int, scratch: Path, room: Room) -> Iterator[Member]:
    for index, entry in enumerate(files):
        yield Member(
            name=readable_path(entry.path, index),
            no_document={"file": "", "directory": "a folder"}.get(entry.kind, f"a {entry.kind or 'thing'}"),
            metadata=_modified(entry),
            take_out=partial(_taken_out, entry, file, heap, scratch / f"member-{index}", room),
        )


def _taken_out(entry: XarFile, file: BinaryIO, heap: int, target: Path, room: Room) -> bytes | Path:
    packed = window(file, heap + entry.offset, entry.length)
    if entry.packing in _PACKINGS:
        chunks = inflated(packed, _PACKINGS[entry.packing])
    elif entry.packing == "application/octet-stream":
        chunks = iter(partial(packed.read, _CHUNK), b"")
    else:
        raise Unsupported(f"packed as {entry.packing[:100]}, which is not read")
    return written(room.counted(_checked(chunks if entry.length else iter(()), entry)), target)


def _checked(chunks: Iterator[bytes], entry: XarFile) -> Iterator[bytes]:
    style, told = entry.checksum
    digest, length = hashlib.new(style, usedforsecurity=False) if style in _DIGESTS else None, 0
    for chunk in chunks:
        length += len(chunk)
        if digest:
            digest.update(chunk)
        yield chunk
    if length != entry.size:
        raise InvalidFile("the member is cut off")
    if digest and digest.hexdigest() != told:
        raise InvalidFile("the checksum does not fit the member's bytes")


def _modified(entry: XarFile) -> dict[str, MetaValue]:
    try:
        when = datetime.fromisoformat(entry.modified)
    except ValueError:
        return {}
    return {"file_modified": when.strftime("%Y-%m-%dT%H:%M:%S") + ("Z" if when.tzinfo else "")}
