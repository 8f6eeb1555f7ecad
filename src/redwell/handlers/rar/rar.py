"""RAR archives, protected ones too where a password fits. Runs in a child."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from redwell.core.errors import BadInput, InvalidFile
from redwell.core.handler import Contents, HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.rar.rar_data import Run, runs_of
from redwell.handlers.rar.rar_listing import listed
from redwell.handlers.structures.made_source import written
from redwell.handlers.unpacking.file_window import volumes_in
from redwell.handlers.unpacking.members import Member, unpack
from redwell.handlers.unpacking.names import readable_comment, readable_path
from redwell.handlers.unpacking.size_limits import Room

SPEC = HandlerSpec(name="rar", media_types=frozenset({"application/vnd.rar"}), version=3, kind="archive")

_LONGEST_COMMENT = 1 << 18
_COPIES = (4, 5)  # a hard link, or a file that was packed once for several


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with source.open() as file:
        infos, comment, complaints = listed(volumes_in(file, options.volumes), options)
        yield Contents(declared=None)
        for complaint in complaints:
            yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=complaint)
        if comment:
            yield _said_in(comment, scratch, options)
        members = _Members(infos, scratch, options)
        yield from unpack(members.all(Room(source.size, options)), options)


def _said_in(comment: Any, scratch: Path, options: Options) -> Piece:
    """What the packer wrote about the archive."""
    try:
        if comment.file_size > _LONGEST_COMMENT:
            raise InvalidFile("it is too long")
        said = b"".join(Run([comment], scratch, options.passwords).chunks(comment))
    except BadInput as error:
        return Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=f"the archive's comment cannot be read: {error}")
    return Metadata(values={"comments": readable_comment(said)})


class _Members:
    def __init__(self, infos: list[Any], scratch: Path, options: Options) -> None:
        self._infos, self._scratch = infos, scratch
        documents = [info for info in infos if info.is_file() and not info.file_redir]
        runs = [(run, Run(run, scratch, options.passwords)) for run in runs_of(documents)]
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
        run, target = self._runs[id(info)], self._scratch / f"member-{index}"
        try:
            return written(room.counted(run.chunks(info)), target)
        except InvalidFile:
            if not run.another_way():
                raise
        return written(room.counted(run.chunks(info)), target)


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
