"""A workbench as the host has one, with handlers that say what a test wants."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from redwell.core import wire
from redwell.core.handler import HandlerSpec, Options, Piece, Source
from redwell.handlers.outlet import Outlet
from redwell.handlers.registry import Handler
from redwell.handlers.workbench import Workbench

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
    """A workbench between real files: tasks in, frames and texts out."""

    def __init__(self, folder: Path, handlers: list[Handler], quota: int = 1 << 20) -> None:
        self.folder = folder
        (folder / "scratch").mkdir()
        setup = wire.Setup(
            handlers=[], readable=[], scratch=str(folder / "scratch"), sandbox="best",
            address_space_mb=0, spool_mb=1, options={},
        )  # fmt: skip
        self._reader, writer = os.pipe()
        self._spool = os.open(folder / "spool", os.O_RDWR | os.O_CREAT)
        ordered = sorted(handlers, key=lambda one: -one.spec.score)
        self._workbench = Workbench(setup, ordered, Outlet(writer, [self._spool], quota), own_pids=False)

    def work(self, data: bytes, name: str = "a.txt", *, inside: bool = False) -> list[wire.FromChild]:
        path = self.folder / "document"
        path.write_bytes(data)
        return self.work_on(wire.Task(id=1, path=str(path), offset=0, length=len(data), name=name, inside=inside))

    def work_on(self, task: wire.Task) -> list[wire.FromChild]:
        self._workbench.work(wire.Message(spool=0, tasks=[task]))
        return self.sent()

    def sent(self) -> list[wire.FromChild]:
        """The frames that nobody has looked at yet."""
        bodies = wire.FrameBuffer().feed(os.read(self._reader, 1 << 16))
        return [wire.decode_from_child(body) for body in bodies]

    def text(self, done: wire.FromChild | None) -> str:
        assert isinstance(done, wire.Done)
        return self.bytes_of(done.text).decode() if done.text else ""

    def bytes_of(self, named: wire.Slice | None) -> bytes:
        assert named
        return os.pread(self._spool, named.length, named.offset)
