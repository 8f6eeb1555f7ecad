"""Windows images: WIM, ESD. Runs in a child."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from redwell.core.handler import Contents, HandlerSpec, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.disks.wim_reader import Wim, WimEntry
from redwell.handlers.structures.made_source import written
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import decoded, readable_path
from redwell.handlers.unpacking.size_limits import Room
from redwell.handlers.unpacking.times import file_modified

SPEC = HandlerSpec(name="wim", media_types=frozenset({"application/x-ms-wim"}), score=60, kind="archive")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with closing(Wim(source.path())) as wim:
        entries = wim.entries(options.max_members + 1)
        yield Contents(declared=None)
        if streams := sum(entry.further_streams for entry in entries):
            detail = f"{streams} alternate data streams of files are not taken out"
            yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail, partial=False)
        yield from unpack(_members(wim, entries, scratch, Room(source.size, options)), options)


def _members(wim: Wim, entries: list[WimEntry], scratch: Path, room: Room) -> Iterator[Member]:
    for index, entry in enumerate(entries):
        name = readable_path(decoded(entry.path), index)
        yield Member(
            name=f"{entry.image}/{name}" if wim.images > 1 else name,
            no_document="a link" if entry.is_link else "a folder" if entry.is_folder else "",
            metadata=file_modified(entry.modified),
            take_out=partial(_taken_out, wim, entry, scratch / f"member-{index}", room),
        )


def _taken_out(wim: Wim, entry: WimEntry, target: Path, room: Room) -> bytes | Path:
    return written(room.counted(wim.chunks(entry)), target)
