"""ZIP archives: every member with its exact bytes, under limits that hold whatever the archive declares.

Runs in a child. Members are announced one by one; one that is damaged, protected or packed in a way nobody
here unpacks costs that member alone.
"""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from redwell.core import zip_directory
from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Contents, HandlerSpec, MetaValue, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.zip_directory import ENCRYPTED, End, Entry, extra_field, find_end
from redwell.handlers.archives.members import Member, unpack
from redwell.handlers.archives.room import Room
from redwell.handlers.archives.times import dos_modified, file_modified
from redwell.handlers.archives.zip_data import Unpacker
from redwell.handlers.archives.zip_names import member_name, names_encoding

SPEC = HandlerSpec(
    name="zip",
    media_types=frozenset(
        (
            *("application/zip", "application/java-archive", "application/vnd.android.package-archive"),
            *("application/vnd.google-earth.kmz", "application/x-olm"),
        )
    ),
    kind="archive",
)

_TIMESTAMP = 0x5455
_COUNT_WRAPS = 1 << 16


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with source.open() as file:
        end, entries = _listed(file, source.size, options.max_members + 1)
        if not entries and end is None:
            raise InvalidFile("no member of the archive can be found")
        yield Contents(declared=_declared(end, len(entries)))
        if end is None:
            detail = "the archive's directory is missing or damaged; members are read by their own headers"
            yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail)
        unpacker = Unpacker(file, Room(source.size, options), scratch, options.passwords)
        yield from unpack(_members(entries, end, unpacker), options)
    if not options.passwords and any(entry.flags & ENCRYPTED for entry in entries):
        raise PasswordProtected("members of the archive need a password")  # also where a first reading said so


def _listed(file: BinaryIO, size: int, most: int) -> tuple[End | None, list[Entry]]:
    """By the directory; where it is missing or ends early, by the members' own headers if these are more."""
    end = find_end(file, size)
    entries = list(islice(zip_directory.entries(file, end), most)) if end else []
    if end and len(entries) >= min(end.declared, most):
        return end, entries
    salvaged = list(islice(zip_directory.salvaged(file, size), most))
    return (None, salvaged) if len(salvaged) > len(entries) else (end, entries)


def _declared(end: End | None, listed: int) -> int | None:
    """What the archive declares. Writers without ZIP64 count modulo 65,536."""
    if end is None:
        return None
    return listed if listed > end.declared and (listed - end.declared) % _COUNT_WRAPS == 0 else end.declared


def _members(entries: list[Entry], end: End | None, unpacker: Unpacker) -> Iterator[Member]:
    encoding = names_encoding(entries)
    for index, entry in enumerate(entries):
        yield Member(
            name=member_name(entry, encoding, index),
            no_document="a folder" if entry.is_folder else "",
            metadata=_metadata(entry),
            take_out=partial(_taken_out, entry, index, end, unpacker),
        )


def _taken_out(entry: Entry, index: int, end: End | None, unpacker: Unpacker) -> bytes | Path:
    if end and entry.disk != end.disk:
        raise InvalidFile("its bytes lie in another volume of the set; join the volumes and import the result")
    return unpacker.take_out(entry, index)


def _metadata(entry: Entry) -> dict[str, MetaValue]:
    """When the member was last changed: in UTC where the archive tells, else as the packer's clock showed it."""
    stamp = extra_field(entry.extra, _TIMESTAMP)
    if len(stamp) >= 5 and stamp[0] & 1:
        return file_modified(int.from_bytes(stamp[1:5], "little", signed=True))
    return dos_modified(entry.dos_time)
