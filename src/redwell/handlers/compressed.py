"""Compressed files: GZIP, BZIP2, XZ, LZMA, ZSTD, LZ4, LZIP, compress. Runs in a child.

What a name cannot tell, a look inside does: a TAR or CPIO gives its members, anything else is the one member.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import Contents, HandlerSpec, MetaValue, Options, Piece, Source
from redwell.handlers.archive import members
from redwell.handlers.archives.libarchive_reader import Archive
from redwell.handlers.archives.members import Member, unpack
from redwell.handlers.archives.names import decoded, readable_path
from redwell.handlers.archives.room import Room
from redwell.handlers.archives.times import file_modified

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

SPEC = HandlerSpec(name="compressed", media_types=frozenset((*_FILTERS, _COMPRESS)), kind="archive")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    filters = ("compress",) if options.media_type == _COMPRESS else ()
    unpack_by = _FILTERS.get(options.media_type, 0)
    with Archive(source, ("tar", "cpio", "raw", "empty"), filters=filters, unpack_by=unpack_by) as archive:
        yield Contents(declared=None)
        yield from unpack(_members(archive, source, scratch, Room(source.size, options)), options)


def _members(archive: Archive, source: Source, scratch: Path, room: Room) -> Iterator[Member]:
    """Those of an archive; else the one file. Without a name of its own it is called as its container is."""
    listed = 0
    for member in members(archive, scratch, room):
        listed += 1
        if archive.is_raw:
            name, metadata = _gzip_header(source)
            yield Member(name=name, take_out=member.take_out, metadata=metadata)
        else:
            yield member
    if not listed:
        name, metadata = _gzip_header(source)
        yield Member(name=name, take_out=lambda: b"", metadata=metadata)


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
