"""Compressed files: GZIP, BZIP2, XZ, LZMA, ZSTD, LZ4, LZIP, compress. Runs in a child.

What a name cannot tell, a look inside does: a TAR or CPIO gives its members, anything else is the one member.
"""

import io
from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import BadInput
from redwell.core.handler import Contents, HandlerSpec, MetaValue, Options, Piece, Source
from redwell.handlers.detect.detect import detect
from redwell.handlers.structures.made_source import written
from redwell.handlers.unpacking.libarchive_members import members
from redwell.handlers.unpacking.libarchive_reader import Archive
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import decoded, readable_path
from redwell.handlers.unpacking.size_limits import Room
from redwell.handlers.unpacking.streams import unpacked
from redwell.handlers.unpacking.times import file_modified

_FILTERS = {  # as libarchive numbers them
    "application/gzip": 1,
    "application/x-bzip2": 2,
    "application/x-lzma": 5,
    "application/x-xz": 6,
    "application/x-lzip": 9,
    "application/x-lz4": 13,
    "application/zstd": 14,
}
_COMPRESS = "application/x-compress"  # libarchive crashes when told to use it, and finds it by itself
_GZIP = b"\x1f\x8b\x08"
_HAS_EXTRA, _HAS_NAME = 4, 8
_LONGEST_HEADER = 1 << 17
_HEAD = 4096
_ARCHIVES = {"application/x-tar": "tar", "application/x-cpio": "cpio"}

SPEC = HandlerSpec(name="compressed", media_types=frozenset((*_FILTERS, _COMPRESS)), version=2, kind="archive")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    kind, room = options.media_type, Room(source.size, options)
    number = _FILTERS.get(kind, 0)
    yield Contents(declared=None)
    inside = _format_inside(unpacked(source, kind, number))
    if inside is None:
        yield from unpack(_one(source, unpacked(source, kind, number), scratch, room), options)
        return
    filters = () if number else ("compress",)
    with Archive(source, (inside,), filters=filters, unpack_by=number) as archive:
        yield from unpack(members(archive, scratch, room), options)


def _format_inside(chunks: Iterator[bytes]) -> str | None:
    """The archive that the first bytes belong to, as libarchive calls it; None for any other file."""
    head = b""
    try:
        while len(head) < _HEAD and (chunk := next(chunks, b"") or next(chunks, b"")):
            head += chunk
    except BadInput:
        pass  # what can be read of it is enough to tell, and the reading will say what is wrong
    return _ARCHIVES.get(detect(lambda: io.BytesIO(head), len(head), ""))


def _one(source: Source, chunks: Iterator[bytes], scratch: Path, room: Room) -> Iterator[Member]:
    """The one file. Without a name of its own it is called as its container is."""
    name, metadata = _gzip_header(source)
    yield Member(name=name, metadata=metadata, take_out=lambda: written(room.counted(chunks), scratch / "member-0"))


def _gzip_header(source: Source) -> tuple[str, dict[str, MetaValue]]:
    """The name and time of a GZIP file, the first of several that were joined; nothing of the others."""
    with source.open() as file:
        head = file.read(_LONGEST_HEADER)
    if head[:3] != _GZIP or len(head) < 10:
        return "", {}
    at = 12 + int.from_bytes(head[10:12], "little") if head[3] & _HAS_EXTRA else 10
    name = head[at:].partition(b"\0")[0] if head[3] & _HAS_NAME else b""
    seconds = int.from_bytes(head[4:8], "little")
    return readable_path(decoded(name), 0) if name else "", file_modified(seconds) if seconds else {}
