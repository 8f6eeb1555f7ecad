"""Images with a UDF file system. Runs in a child.

An ISO image may have both: where its UDF side holds more files, as on discs of Windows, that one is read.
"""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from redwell.core.errors import BadInput, InvalidFile, Unsupported
from redwell.core.handler import Contents, HandlerSpec, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.detect.media_disk import has_udf
from redwell.handlers.disks.udf_reader import Udf, UdfEntry
from redwell.handlers.structures.made_source import written
from redwell.handlers.unpacking.libarchive_reader import Archive
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import decoded, readable_path
from redwell.handlers.unpacking.size_limits import Room

_ISO = "application/x-iso9660-image"
SPEC = HandlerSpec(name="udf", media_types=frozenset({"application/x-udf-image", _ISO}), score=60, kind="archive")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Raises `Unsupported` where the next handler has to do."""
    is_iso = options.media_type == _ISO
    with source.open() as file:
        if not has_udf(file):
            raise Unsupported("an ISO image without UDF")
    try:
        image = Udf(source.path())
    except BadInput as error:
        if is_iso:
            yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=f"only its ISO side is read: {error}")
        raise Unsupported(str(error)) from None
    with closing(image):
        entries = image.entries(options.max_members + 1)
        if is_iso and _iso_files(source) >= sum(not entry.is_folder for entry in entries):
            raise Unsupported("an ISO image whose UDF side holds no more")
        yield Contents(declared=None)
        yield from unpack(_members(image, entries, scratch, Room(source.size, options)), options)


def _iso_files(source: Source) -> int:
    try:
        with Archive(source, ("iso9660",)) as archive:
            return sum(not entry.no_document for entry in archive)
    except InvalidFile:
        return 0


def _members(image: Udf, entries: list[UdfEntry], scratch: Path, room: Room) -> Iterator[Member]:
    for index, entry in enumerate(entries):
        yield Member(
            name=readable_path(decoded(entry.path), index),
            no_document="a folder" if entry.is_folder else "",
            take_out=partial(_taken_out, image, entry, scratch / f"member-{index}", room),
        )


def _taken_out(image: Udf, entry: UdfEntry, target: Path, room: Room) -> bytes | Path:
    return written(room.counted(image.chunks(entry.path)), target)
