"""Artifacts of a document that may still give members: they wait until it ends.

The parent hears of bytes in the order in which they lie in the spool, and of artifacts when the document ends, behind
all its members. Used by the attempt, in the child.
"""

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from redwell.core import wire

_IN_MEMORY = 4 << 20
_CHUNK = 1 << 20

Bytes = Iterator[bytes | memoryview]


class WaitingArtifacts:
    def __init__(self) -> None:
        self._waiting: list[tuple[wire.Made, Callable[[], Bytes]]] = []
        self._in_memory = 0
        self.bytes = 0

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, made: wire.Made, data: bytes | memoryview | Path) -> None:
        """A file below scratch is taken out of there at once; it is emptied before the document has ended."""
        if isinstance(data, Path):
            self._keep_file(made, _taken(data))
            return
        size = size_of(data)
        if self._in_memory + size > _IN_MEMORY:
            file = tempfile.TemporaryFile()
            file.write(data)
            self._keep_file(made, file)
            return
        self._in_memory += size
        self.bytes += size
        kept = bytes(data)
        self._waiting.append((made, lambda: iter((kept,))))

    def take(self) -> Iterator[tuple[wire.Made, Bytes]]:
        """In the order in which they came."""
        waiting, self._waiting, self._in_memory, self.bytes = self._waiting, [], 0, 0
        for made, read in waiting:
            yield made, read()

    def _keep_file(self, made: wire.Made, file: IO[bytes]) -> None:
        self.bytes += file.seek(0, os.SEEK_END)
        self._waiting.append((made, lambda: _read_and_close(file)))


def size_of(data: bytes | memoryview | Path) -> int:
    return data.lstat().st_size if isinstance(data, Path) else memoryview(data).nbytes


def _taken(path: Path) -> IO[bytes]:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    file = open(fd, "rb")
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        file.close()
        raise ValueError("the bytes of a piece must be in a regular file")
    path.unlink()
    return file


def _read_and_close(file: IO[bytes]) -> Bytes:
    with file:
        file.seek(0)
        while chunk := file.read(_CHUNK):
            yield chunk
