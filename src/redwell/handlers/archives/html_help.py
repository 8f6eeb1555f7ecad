"""Compiled HTML help (CHM): its pages and pictures are files of an archive. Runs in a child."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from redwell.core.handler import Contents, HandlerSpec, Options, Piece, Source
from redwell.handlers.archives.chm_reader import Help, HelpFile
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import decoded, readable_path
from redwell.handlers.unpacking.size_limits import Room

SPEC = HandlerSpec(name="html-help", media_types=frozenset({"application/vnd.ms-htmlhelp"}), score=60, kind="archive")
_INDEX = (b"/#", b"/$", b"#", b"$")  # what the compiler made for searching and for its table of contents
_IN_MEMORY = 1 << 20


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with closing(Help(source.path())) as help_file:
        files = help_file.files()
        yield Contents(declared=len(files))
        yield from unpack(_members(help_file, files, scratch, Room(source.size, options)), options)


def _members(help_file: Help, files: list[HelpFile], scratch: Path, room: Room) -> Iterator[Member]:
    for index, file in enumerate(files):
        yield Member(
            name=readable_path(decoded(file.name), index),
            no_document="a part of the index" if file.name.startswith(_INDEX) else "",
            take_out=partial(_taken_out, help_file, file, scratch / f"member-{index}", room),
        )


def _taken_out(help_file: Help, file: HelpFile, target: Path, room: Room) -> bytes | Path:
    room.check(file.length)
    help_file.extract(file, target)
    room.take(file.length)
    if file.length > _IN_MEMORY:
        return target
    data = target.read_bytes()
    target.unlink()
    return data
