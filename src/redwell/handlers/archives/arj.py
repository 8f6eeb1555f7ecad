"""ARJ archives. Runs in a child."""

import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile
from redwell.core.handler import Contents, HandlerSpec, Metadata, Options, Piece, Source, Volume
from redwell.handlers.archives.arj_data import Header, Unpacker
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import decoded, readable_comment, readable_path
from redwell.handlers.unpacking.size_limits import Room
from redwell.handlers.unpacking.times import dos_modified, file_modified

SPEC = HandlerSpec(name="arj", media_types=frozenset({"application/x-arj"}), version=2, kind="archive")

_MARK = b"\x60\xea"
_FIXED = struct.Struct("<BBBBBBBBIIIIHHH")
_LONGEST_HEADER = 2600
_FOLDER, _LABEL = 3, 4
_UNIX_HOSTS = (2, 8)


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with source.open() as file:
        main = _header(file, 0)
        if main is None:
            raise InvalidFile("the archive has no header")
        yield Contents(declared=None)
        if main.comment:
            yield Metadata(values={"comments": readable_comment(main.comment)})
        unpacker = Unpacker(file, Room(source.size, options), scratch, options.passwords)
        yield from unpack(_members(file, options.volumes, unpacker), options)


def _members(file: BinaryIO, volumes: Sequence[Volume], unpacker: Unpacker) -> Iterator[Member]:
    for index, parts in enumerate(_merged(_headers(file, volumes))):
        header = parts[0]
        yield Member(
            name=readable_path(header.name, index),
            no_document={_FOLDER: "a folder", _LABEL: "a volume's label"}.get(header.kind, ""),
            metadata=header.modified,
            take_out=partial(unpacker.take_out, parts),
        )


def _headers(file: BinaryIO, volumes: Sequence[Volume]) -> Iterator[Header]:
    """Of every member, or part of a member, in all volumes: each of them is an archive by itself."""
    starts = accumulate((volume.size for volume in volumes[:-1]), initial=0)
    for start in starts:
        if (main := _header(file, start)) is None:
            raise InvalidFile("the archive has no header")
        at = main.at
        while (header := _header(file, at)) is not None:
            at = header.at + header.packed
            yield header


def _merged(headers: Iterator[Header]) -> Iterator[list[Header]]:
    """The parts of each member; what there is of one is given even if the next header is damaged."""
    parts: list[Header] = []
    try:
        for header in headers:
            if not (parts and header.goes_on_from(parts[-1])):
                yield from (parts,) if parts else ()
                parts = []
            parts.append(header)
    except InvalidFile:
        yield from (parts,) if parts else ()
        raise
    yield from (parts,) if parts else ()


def _header(file: BinaryIO, at: int) -> Header | None:
    """The header at this place, the file behind it; None where the archive ends."""
    file.seek(at)
    if file.read(2) != _MARK:
        raise InvalidFile("a member's header is missing: the archive is cut off or damaged")
    length = int.from_bytes(file.read(2), "little")
    if length == 0:
        return None
    data, checksum = file.read(length), int.from_bytes(file.read(4), "little")
    if not _FIXED.size <= length <= _LONGEST_HEADER or len(data) < length or zlib.crc32(data) != checksum:
        raise InvalidFile("a member's header is damaged")
    while more := int.from_bytes(file.read(2), "little"):
        file.seek(more + 4, 1)
    _, _, _, host, flags, method, kind, modifier, time, packed, size, crc, _, _, _ = _FIXED.unpack_from(data)
    name, _, comment = data[data[0] :].partition(b"\0")
    return Header(
        name=decoded(name),
        comment=comment.rstrip(b"\0"),
        modified=file_modified(time) if host in _UNIX_HOSTS else dos_modified(time),
        flags=flags,
        method=method,
        kind=kind,
        modifier=modifier,
        packed=packed,
        size=size,
        crc=crc,
        at=file.tell(),
        position=int.from_bytes(data[_FIXED.size : data[0]][:4], "little"),
    )
