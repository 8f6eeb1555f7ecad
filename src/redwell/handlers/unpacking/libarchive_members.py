"""What libarchive lists, as members to be taken out. Used by the handlers of archives and of discs in a child."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from redwell.handlers.structures.made_source import written
from redwell.handlers.unpacking.libarchive_reader import Archive, ArchiveEntry
from redwell.handlers.unpacking.members import Member
from redwell.handlers.unpacking.names import readable_path
from redwell.handlers.unpacking.size_limits import Room


def members(archive: Archive, scratch: Path, room: Room) -> Iterator[Member]:
    for index, entry in enumerate(archive):
        yield Member(
            name=readable_path(entry.name, index),
            no_document=entry.no_document,
            metadata=entry.metadata,
            take_out=partial(_taken_out, entry, scratch / f"member-{index}", room),
        )


def _taken_out(entry: ArchiveEntry, target: Path, room: Room) -> bytes | Path:
    return written(room.counted(entry.chunks()), target)
