"""Archives that libarchive reads: TAR, CPIO, CAB, ISO 9660, AR and DEB, RPM, LHA. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import Contents, HandlerSpec, Options, Piece, Source
from redwell.handlers.unpacking.libarchive_members import members
from redwell.handlers.unpacking.libarchive_reader import Archive
from redwell.handlers.unpacking.members import unpack
from redwell.handlers.unpacking.size_limits import Room

_FORMATS = {
    "application/x-tar": ("tar",),
    "application/x-cpio": ("cpio",),
    "application/vnd.ms-cab-compressed": ("cab",),
    "application/x-iso9660-image": ("iso9660",),
    "application/x-archive": ("ar",),
    "application/vnd.debian.binary-package": ("ar",),
    "application/x-rpm": ("cpio",),
    "application/x-lzh-compressed": ("lha",),
}
_RPM_FILTERS = ("rpm", "gzip", "bzip2", "lzma", "xz", "zstd")

SPEC = HandlerSpec(name="archive", media_types=frozenset(_FORMATS), version=2, kind="archive")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    filters = _RPM_FILTERS if options.media_type == "application/x-rpm" else ()
    with Archive(source, _FORMATS[options.media_type], filters=filters) as archive:
        yield Contents(declared=None)
        yield from unpack(members(archive, scratch, Room(source.size, options)), options)
