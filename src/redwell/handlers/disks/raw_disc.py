"""Images of CDs with whole sectors (BIN/CUE, NRG, MDF, IMG): the files of their ISO 9660 side. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import Unsupported
from redwell.core.handler import Contents, HandlerSpec, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.detect.raw_discs import USED, Layout, layout_of, sectors_of_file_system
from redwell.handlers.structures.made_source import MadeSource
from redwell.handlers.unpacking.libarchive_members import members
from redwell.handlers.unpacking.libarchive_reader import Archive
from redwell.handlers.unpacking.members import unpack
from redwell.handlers.unpacking.size_limits import Room

_SECTORS_AT_ONCE = 512
_OTHER_LENGTH = 0x20  # in a submode: 2324 bytes of video or sound
_RUN_OUT = 600  # sectors that may follow a file system without meaning anything

SPEC = HandlerSpec(name="raw-disc", media_types=frozenset({"application/x-raw-cd-image"}), kind="archive")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with source.open() as file:
        layout = layout_of(file)
        used = sectors_of_file_system(file, layout) if layout else 0
    if layout is None:
        raise Unsupported("a raw image of a CD without an ISO 9660 side; mount it or convert it, and import the files")
    sectors = _Sectors(source, layout)
    disc = MadeSource(sectors.data(), scratch / "file-system")
    with Archive(disc, ("iso9660",)) as archive:
        yield Contents(declared=None)
        yield from unpack(members(archive, scratch, Room(source.size, options)), options)
    behind = disc.size // USED - used
    if behind > _RUN_OUT:
        detail = f"{behind} sectors behind the file system are not read: tracks of music, or what was added later"
        yield Trouble(code=Code.MEMBER_FAILED, detail=detail)
    if sectors.of_other_length:
        detail = f"{sectors.of_other_length} sectors of video or sound are not read in full; copy their files"
        yield Trouble(code=Code.MEMBER_FAILED, detail=detail)


class _Sectors:
    """The image without what stands around the data of each sector."""

    def __init__(self, source: Source, layout: Layout) -> None:
        self.of_other_length = 0  # among those that were read
        self._source, self._layout = source, layout

    def data(self) -> Iterator[bytes]:
        start, stride, data_at = self._layout
        submode_at = self._layout.submode_at
        with self._source.open() as file:
            file.seek(start)
            while len(run := file.read(_SECTORS_AT_ONCE * stride)) >= stride:
                places = range(0, len(run) - stride + 1, stride)
                if submode_at is not None:
                    self.of_other_length += sum(bool(run[at + submode_at] & _OTHER_LENGTH) for at in places)
                yield b"".join(run[at + data_at : at + data_at + USED] for at in places)
