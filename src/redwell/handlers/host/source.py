"""One document's bytes, wherever they lie: a file of their own, or a run inside a pack.

Made by the host for every task and given to handlers, in the child.
"""

import io
import os
import re
from pathlib import Path
from typing import BinaryIO

from redwell.core.wire import Task
from redwell.handlers.structures.span import Span

_IN_MEMORY = 1 << 20
_COPY = 1 << 20
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}\Z")


class Incomplete(Exception):
    """The file holds fewer bytes than the task says."""


class Opened:
    """Keeps the file of the last task open: the next one mostly lies in the same pack."""

    def __init__(self) -> None:
        self._path = ""
        self._fd = -1

    def fd(self, path: str) -> int:
        if path != self._path:
            self.close()
            self._fd = _open(path, os.O_RDONLY)
            self._path = path
        return self._fd

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._path, self._fd = "", -1


class TaskSource:
    """A `core.handler.Source` over `length` bytes at `offset`. Small ones are read once and kept."""

    def __init__(self, task: Task, opened: Opened, scratch: Path) -> None:
        self.size = task.length
        self._task = task
        self._scratch = scratch
        self._fd = opened.fd(task.path)
        there = os.fstat(self._fd).st_size
        if there < task.offset + task.length:
            raise Incomplete(f"{max(0, there - task.offset)} of {task.length} bytes are there")
        self._whole = task.offset == 0 and there == task.length
        self._bytes: bytes | None = None

    def read(self) -> bytes:
        if self._bytes is not None:
            return self._bytes
        data = read_exactly(self._fd, self._task.offset, self.size)
        if self.size <= _IN_MEMORY:
            self._bytes = data
        return data

    def open(self) -> BinaryIO:
        if self.size <= _IN_MEMORY:
            return io.BytesIO(self.read())
        if self._whole:
            return open(self._task.path, "rb", opener=_open)
        return io.BufferedReader(_Run(self._fd, self._task.offset, self.size))

    def path(self) -> Path:
        if self._whole:
            return Path(self._task.path)
        copy = _copy_of(self._task.name, self._scratch)
        if not copy.exists():
            self._write(copy)
        return copy

    def _write(self, copy: Path) -> None:
        with copy.open("wb") as out:
            for start in range(0, self.size, _COPY):
                part = min(_COPY, self.size - start)
                out.write(read_exactly(self._fd, self._task.offset + start, part))


class BytesSource:
    """A `core.handler.Source` over bytes at hand: those of a member that is read right behind its container."""

    def __init__(self, data: bytes, name: str, scratch: Path) -> None:
        self.size = len(data)
        self._data, self._name, self._scratch = data, name, scratch

    def read(self) -> bytes:
        return self._data

    def open(self) -> BinaryIO:
        return io.BytesIO(self._data)

    def path(self) -> Path:
        copy = _copy_of(self._name, self._scratch)
        if not copy.exists():
            copy.write_bytes(self._data)
        return copy


def _copy_of(name: str, scratch: Path) -> Path:
    suffix = _SUFFIX.search(name)
    return scratch / f"source{suffix.group() if suffix else ''}"


def _open(path: str, flags: int) -> int:
    """Without a trace in the evidence's access time, where it is ours to say so."""
    flags |= os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags | getattr(os, "O_NOATIME", 0))
    except PermissionError:
        return os.open(path, flags)


def read_exactly(fd: int, offset: int, length: int) -> bytes:
    """Raise Incomplete where the file ends early: it was cut while we read it."""
    data = os.pread(fd, length, offset)
    while len(data) < length:
        more = os.pread(fd, length - len(data), offset + len(data))
        if not more:
            raise Incomplete(f"{len(data)} of {length} bytes are there")
        data += more
    return data


class _Run(Span):
    """A run of a file. It never moves or closes the shared descriptor."""

    def __init__(self, fd: int, offset: int, length: int) -> None:
        super().__init__(length)
        self._fd, self._offset = fd, offset

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        wanted = max(0, min(len(buffer), self._length - self._at))
        got = os.preadv(self._fd, [memoryview(buffer)[:wanted]], self._offset + self._at) if wanted else 0
        self._at += got
        return got
