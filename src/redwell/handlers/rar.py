"""RAR archives, protected ones too where a password fits. Runs in a child."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Contents, HandlerSpec, MetaValue, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.archives.members import Member, unpack
from redwell.handlers.archives.names import readable_path
from redwell.handlers.archives.rar_data import Run, runs_of
from redwell.handlers.archives.room import Room, written

SPEC = HandlerSpec(name="rar", media_types=frozenset({"application/vnd.rar"}), kind="archive")

_COPIES = (4, 5)  # a hard link, or a file that was packed once for several
_NO_MEMBERS = "no member of the archive can be found"


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with source.open() as file:
        infos, complaint = _listed(file, options.passwords)
        yield Contents(declared=None)
        if complaint:
            yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=complaint)
        members = _Members(infos, file, scratch, options)
        yield from unpack(members.all(Room(source.size, options)), options)


def _listed(file: BinaryIO, passwords: tuple[str, ...]) -> tuple[list[Any], str]:
    """Every file in the archive, old versions of files too, and what is wrong with its end."""
    listing = _Listing(file, None)
    if not listing.names_are_hidden:
        return listing.checked()
    for password in passwords:
        listing = _Listing(file, password)
        if listing.infos:
            return listing.checked()
    raise PasswordProtected("none of the passwords fits" if passwords else "a password is needed")


class _Listing:
    def __init__(self, file: BinaryIO, password: str | None) -> None:
        import rarfile

        self.infos: list[Any] = []
        self.complaint, self.names_are_hidden = "", False
        file.seek(0)
        try:
            archive = rarfile.RarFile(file, info_callback=self._note, part_only=True)
            if password is not None:
                self.infos.clear()
                archive.setpassword(password)
            self.names_are_hidden = archive.needs_password() and not self.infos
            self.complaint = archive.strerror() or ""
        except (rarfile.Error, OSError, ValueError, OverflowError) as error:
            self.complaint = f"the archive cannot be read to its end: {type(error).__name__}"

    def _note(self, info: Any) -> None:
        import rarfile

        if info.type == rarfile.RAR_BLOCK_FILE:
            self.infos.append(info)

    def checked(self) -> tuple[list[Any], str]:
        if self.complaint and not self.infos:
            raise InvalidFile(_NO_MEMBERS)
        return self.infos, self.complaint


class _Members:
    def __init__(self, infos: list[Any], file: BinaryIO, scratch: Path, options: Options) -> None:
        self._infos, self._scratch = infos, scratch
        documents = [info for info in infos if info.is_file() and not info.file_redir]
        runs = [(run, Run(run, file, scratch, options.passwords)) for run in runs_of(documents)]
        self._runs = {id(info): opened for run, opened in runs for info in run}
        self._by_name = {info.filename: info for info in documents}

    def all(self, room: Room) -> Iterator[Member]:
        for index, info in enumerate(self._infos):
            yield Member(
                name=readable_path(info.filename, index),
                no_document=_no_document(info),
                metadata=_metadata(info),
                take_out=partial(self._taken_out, info, index, room),
            )

    def _taken_out(self, info: Any, index: int, room: Room) -> bytes | Path:
        if info.file_redir:
            info = self._by_name.get(info.file_redir[2])
            if info is None:
                raise InvalidFile("it is a copy of a file that is not in the archive")
        room.check(info.file_size)  # no decoder is asked for more than the archive says
        chunks = self._runs[id(info)].chunks(info)
        return written(room.counted(chunks), self._scratch / f"member-{index}")


def _no_document(info: Any) -> str:
    if info.is_dir():
        return "a folder"
    if info.file_redir and info.file_redir[0] not in _COPIES:
        return f"a link to {info.file_redir[2]}"
    return "a link" if info.is_symlink() else ""


def _metadata(info: Any) -> dict[str, MetaValue]:
    """RAR 5 keeps UTC, its ancestors whatever the packer's clock showed."""
    if info.mtime is not None:
        return {"file_modified": f"{info.mtime:%Y-%m-%dT%H:%M:%S}{'Z' if info.mtime.tzinfo else ''}"}
    if info.date_time is None:
        return {}
    year, month, day, hour, minute, second = info.date_time
    return {"file_modified": f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"}
