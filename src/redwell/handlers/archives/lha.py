"""LHA archives (LZH, LZS, PMA). Runs in a child.

Where the library that unpacks them is missing, the archive handler does what libarchive can.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from redwell.core.handler import Contents, HandlerSpec, Options, Piece, Source
from redwell.handlers.archives.lha_headers import Header, headers
from redwell.handlers.archives.lhasa_decoder import check_installed, unpacked
from redwell.handlers.structures.made_source import written
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import readable_path
from redwell.handlers.unpacking.size_limits import Room

SPEC = HandlerSpec(name="lha", media_types=frozenset({"application/x-lzh-compressed"}), score=60, kind="archive")

_FOLDER, _LINK = b"-lhd-", "|"


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    check_installed()
    with source.open() as file:
        yield Contents(declared=None)
        yield from unpack(_members(file, source.size, scratch, Room(source.size, options)), options)


def _members(file: BinaryIO, size: int, scratch: Path, room: Room) -> Iterator[Member]:
    for index, header in enumerate(headers(file, size)):
        yield Member(
            name=readable_path(header.name, index),
            no_document=_no_document(header),
            metadata=header.modified,
            take_out=partial(_taken_out, file, header, scratch / f"member-{index}", room),
        )


def _no_document(header: Header) -> str:
    if header.method != _FOLDER:
        return ""
    return f"a link to {header.name.partition(_LINK)[2]}" if _LINK in header.name else "a folder"


def _taken_out(file: BinaryIO, header: Header, target: Path, room: Room) -> bytes | Path:
    return written(room.counted(unpacked(file, header)), target)
