"""7z archives: libarchive reads most open ones, py7zr the others and those with a password. Runs in a child."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import Contents, HandlerSpec, MetaValue, Options, Piece, Source, tell_opened
from redwell.handlers.archives.sevenzip_reader import SevenZip
from redwell.handlers.structures.made_source import written
from redwell.handlers.unpacking.libarchive_members import members
from redwell.handlers.unpacking.libarchive_reader import Archive
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import readable_path
from redwell.handlers.unpacking.size_limits import Room
from redwell.handlers.unpacking.times import file_modified

_START_HEADER = 32

SPEC = HandlerSpec(name="7z", media_types=frozenset({"application/x-7z-compressed"}), version=2, kind="archive")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    room = Room(source.size, options)
    with source.open() as file:
        opened = _opened(file, Room(source.size, options), options.passwords)
        if opened:
            yield Contents(declared=len(opened.files))
            yield from unpack(_members(opened, scratch, room), options)
            return
    _check_whole(source)
    with Archive(source, ("7zip",)) as listed:
        yield Contents(declared=None)
        yield from unpack(members(listed, scratch, room), options)


def _check_whole(source: Source) -> None:
    """The start header says where the directory lies; of a set of volumes only the last has it."""
    with source.open() as file:
        start = file.read(_START_HEADER)
    offset, length = int.from_bytes(start[12:20], "little"), int.from_bytes(start[20:28], "little")
    if _START_HEADER + offset + length > source.size:
        raise InvalidFile(
            "its directory is missing: it is cut off, or lies in a volume that is missing; import all in one folder"
        )
    if not length and source.size > _START_HEADER:
        raise InvalidFile("its directory was never written: the archive is unfinished or damaged")


def _opened(file: BinaryIO, room: Room, passwords: tuple[str, ...]) -> SevenZip | None:
    """With the password that fits, or without where its names at least can be read; None if libarchive reads it."""
    named = None
    try:
        named = SevenZip(file, None)
        if not named.needs_password:
            return named if named.is_beyond_libarchive else None
    except PasswordProtected:
        pass
    except (InvalidFile, Unsupported):
        return None  # libarchive may know better, and says what is wrong
    for password in passwords:
        try:
            opened = SevenZip(file, password)
            if opened.opens(room):
                tell_opened(passwords)
                return SevenZip(file, password)
        except InvalidFile:
            continue
    if named is None:
        raise PasswordProtected("none of the passwords fits" if passwords else "a password is needed")
    return named


def _members(opened: SevenZip, scratch: Path, room: Room) -> Iterator[Member]:
    for index, file in enumerate(opened.files):
        yield Member(
            name=readable_path(file.filename, index),
            no_document="a folder" if file.is_directory else "a link" if file.is_symlink else "",
            metadata=_metadata(file),
            take_out=partial(_taken_out, opened, index, scratch / f"member-{index}", room),
        )


def _taken_out(opened: SevenZip, index: int, target: Path, room: Room) -> bytes | Path:
    return written(room.counted(opened.chunks(index)), target)


def _metadata(file: Any) -> dict[str, MetaValue]:
    stamp = file.lastwritetime
    return file_modified(int(stamp.totimestamp())) if stamp is not None else {}
