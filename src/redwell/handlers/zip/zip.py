"""ZIP archives: every member with its exact bytes, under limits that hold whatever the archive declares.

Runs in a child. Members are announced one by one; one that is damaged, protected or packed in a way nobody
here unpacks costs that member alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, islice
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Contents, HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Trouble, Volume
from redwell.core.outcomes import Code
from redwell.core.work.volumes import LAST, Scheme, suffix_of
from redwell.handlers.detect import zip_directory
from redwell.handlers.detect.zip_directory import ENCRYPTED, End, Entry, extra_field, find_end
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import readable_comment
from redwell.handlers.unpacking.size_limits import Room
from redwell.handlers.unpacking.times import dos_modified, file_modified
from redwell.handlers.zip.zip_data import Unpacker
from redwell.handlers.zip.zip_names import member_name, names_encoding

SPEC = HandlerSpec(
    name="zip",
    media_types=frozenset(
        (
            *("application/zip", "application/java-archive", "application/vnd.android.package-archive"),
            *("application/vnd.google-earth.kmz", "application/x-olm"),
        )
    ),
    version=4,
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
        if said := zip_directory.comment(file, source.size):
            yield Metadata(values={"comments": readable_comment(said)})
        disks = _Disks(end, options.volumes)
        if disks.missing:
            yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=disks.missing)
        unpacker = Unpacker(file, Room(source.size, options), scratch, options.passwords)
        yield from unpack(_members(entries, disks, unpacker), options)
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


def _members(entries: list[Entry], disks: "_Disks", unpacker: Unpacker) -> Iterator[Member]:
    encoding = names_encoding(entries)
    for index, entry in enumerate(entries):
        yield Member(
            name=member_name(entry, encoding, index),
            no_document="a folder" if entry.is_folder else "",
            metadata=_metadata(entry),
            take_out=partial(_taken_out, entry, index, disks, unpacker),
        )


def _taken_out(entry: Entry, index: int, disks: "_Disks", unpacker: Unpacker) -> bytes | Path:
    return unpacker.take_out(replace(entry, offset=disks.start(entry.disk) + entry.offset), index)


class _Disks:
    """Where the volumes of a set begin: offsets count from the start of the one that the directory names."""

    def __init__(self, end: End | None, volumes: Sequence[Volume]) -> None:
        self._last = end.disk if end else 0
        ends = accumulate(volume.size for volume in volumes)
        self._starts = {volume.number: stop - volume.size for volume, stop in zip(volumes, ends, strict=True)}

    @property
    def missing(self) -> str:
        """Those that only the archive itself knows of: no later one of them is there, but for the last."""
        first = max((number for number in self._starts if number != LAST), default=0) + 1
        if first > self._last:
            return ""
        names = suffix_of(Scheme.ZIP, first), suffix_of(Scheme.ZIP, self._last)
        return (
            f"the volumes {names[0]} to {names[1]} are missing"
            if first < self._last
            else f"the volume {names[0]} is missing"
        )

    def start(self, disk: int) -> int:
        if self._last == 0:
            return 0
        number = LAST if disk == self._last else disk + 1
        start = self._starts.get(number) if self._starts or disk != self._last else 0
        if start is None:
            volume = suffix_of(Scheme.ZIP, number)
            raise InvalidFile(f"it begins in the volume {volume}, which is missing; import the whole set in one folder")
        return start


def _metadata(entry: Entry) -> dict[str, MetaValue]:
    """When the member was last changed: in UTC where the archive tells, else as the packer's clock showed it."""
    stamp = extra_field(entry.extra, _TIMESTAMP)
    if len(stamp) >= 5 and stamp[0] & 1:
        return file_modified(int.from_bytes(stamp[1:5], "little", signed=True))
    return dos_modified(entry.dos_time)
