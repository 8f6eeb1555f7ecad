"""Sets of cabinets (CAB) with files that begin in one and end in another, and those with files of Quantum. In a child.

Any other cabinet by itself is left to the handler of archives.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile, Unsupported
from redwell.core.handler import Contents, HandlerSpec, Options, Piece, Source, Trouble, Volume
from redwell.core.outcomes import Code
from redwell.handlers.archives.cabinets import Cabinet, chains, read_cabinet
from redwell.handlers.archives.cabinets_joined import joined, written_out
from redwell.handlers.structures.made_source import MadeSource
from redwell.handlers.unpacking.file_window import volumes_in
from redwell.handlers.unpacking.libarchive_members import members
from redwell.handlers.unpacking.libarchive_reader import Archive
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import decoded, readable_path
from redwell.handlers.unpacking.size_limits import Room

SPEC = HandlerSpec(
    name="cabinet-set",
    media_types=frozenset({"application/vnd.ms-cab-compressed"}),
    score=60,
    version=2,
    kind="archive",
)


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Raises `Unsupported` for a cabinet that is no head of a set and that libarchive reads by itself."""
    with source.open() as file:
        if not options.volumes and not _has_quantum(file):
            raise Unsupported("a cabinet by itself")
        cabinets = list(_cabinets(file, options.volumes))
        runs = [run for place, run in enumerate(chains(cabinets)) if place == 0 or not run[0].is_whole]
        yield Contents(declared=None)
        for name in _missing(runs):
            yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=f"the volume {name} is missing")
        yield from unpack(_members(runs, scratch, Room(source.size, options)), options)


def _has_quantum(file: BinaryIO) -> bool:
    try:
        return any(folder.is_quantum for folder in read_cabinet(file).folders)
    except InvalidFile:
        return False  # libarchive names the damage


def _cabinets(file: BinaryIO, volumes: Sequence[Volume]) -> Iterator[Cabinet]:
    """Of the volumes those that are cabinets; the others are documents of their own."""
    for place, volume in enumerate(volumes_in(file, volumes)):
        try:
            yield read_cabinet(volume)
        except InvalidFile:
            if place == 0:
                raise


def _missing(runs: Sequence[Sequence[Cabinet]]) -> list[str]:
    """The cabinets that others name and that are not there."""
    return list(dict.fromkeys(name for run in runs for name in (run[0].before, run[-1].behind) if name))


def _members(runs: Sequence[Sequence[Cabinet]], scratch: Path, room: Room) -> Iterator[Member]:
    told: set[object] = set()  # both sides of a gap list what crosses it
    for run in runs:
        found = joined(run)
        if found.cabinet.entries:
            target = scratch / "cabinet"
            with Archive(MadeSource(written_out(found.cabinet), target), ("cab",)) as archive:
                for index, member in enumerate(members(archive, scratch, room)):
                    yield replace(member, take_out=_damaged) if index in found.damaged else member
            target.unlink(missing_ok=True)
        for index, entry in enumerate(found.unread):
            yield Member(name=readable_path(decoded(entry.name), index), take_out=_unread)
        for entry in found.absent:
            if (run[0].set_id, entry[:2], entry.name) not in told:
                told.add((run[0].set_id, entry[:2], entry.name))
                yield Member(name=readable_path(decoded(entry.name), len(told)), take_out=_absent)


def _damaged() -> bytes:
    raise InvalidFile("the packed bytes are damaged")


def _unread() -> bytes:
    raise Unsupported("packed by the method Quantum; unpack it with cabextract and import the files")


def _absent() -> bytes:
    raise InvalidFile("a part of it lies in a volume that is missing or cut off")
