"""A task runner as the host has one, with handlers that say what a test wants."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from redwell.core import wire
from redwell.core.handler import HandlerSpec, Options, Piece, Source
from redwell.handlers.host.frame_writer import FrameWriter
from redwell.handlers.host.registry import Handler
from redwell.handlers.host.task_runner import TaskRunner

Pieces = Callable[[Source], Iterator[Piece]]


def handler(
    name: str, score: int, pieces: Pieces, *, types: frozenset[str] = frozenset(), mark: bytes = b""
) -> Handler:
    def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
        return pieces(source)

    spec = HandlerSpec(name=name, media_types=types, score=score)
    return Handler(spec, lambda head: bool(mark) and head.startswith(mark), extract)


def says(*pieces: Piece | Exception) -> Pieces:
    def run(source: Source) -> Iterator[Piece]:
        for piece in pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    return run


PLAIN = frozenset({"text/plain"})


class Bench:
    """A task runner between real files: tasks in, frames and texts out."""

    def __init__(self, folder: Path, handlers: list[Handler], quota: int = 1 << 20) -> None:
        self.folder = folder
        (folder / "scratch").mkdir()
        setup = wire.Setup(
            handlers=[], readable=[], scratch=str(folder / "scratch"), sandbox="best",
            address_space_mb=0, spool_mb=1, options={},
        )  # fmt: skip
        self._reader, pipe = os.pipe()
        self._spool = os.open(folder / "spool", os.O_RDWR | os.O_CREAT)
        ordered = sorted(handlers, key=lambda one: -one.spec.score)
        self._task_runner = TaskRunner(setup, ordered, FrameWriter(pipe, [self._spool], quota), own_pids=False)

    def work(self, data: bytes, name: str = "a.txt", *, inside: bool = False) -> list[wire.FromChild]:
        path = self.folder / "document"
        path.write_bytes(data)
        return self.work_on(wire.Task(id=1, path=str(path), offset=0, length=len(data), name=name, inside=inside))

    def work_on(self, task: wire.Task) -> list[wire.FromChild]:
        self._task_runner.work(wire.Message(spool=0, tasks=[task]))
        return self.sent()

    def sent(self) -> list[wire.FromChild]:
        """The frames that nobody has looked at yet."""
        bodies = wire.FrameBuffer().feed(os.read(self._reader, 1 << 16))
        return [wire.decode_from_child(body) for body in bodies]

    def text(self, done: wire.FromChild | None) -> str:
        assert isinstance(done, wire.Done)
        return "".join(self.bytes_of(made.data).decode() for made in done.made)

    def bytes_of(self, named: wire.Slice | None) -> bytes:
        assert named
        return os.pread(self._spool, named.length, named.offset)
