"""A part of a file as a file of its own: a volume of a set, a packed member. Used by archive handlers in a child."""

import io
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from redwell.core.handler import Volume
from redwell.handlers.structures.span import Span


def volumes_in(file: BinaryIO, volumes: Sequence[Volume]) -> Iterator[BinaryIO]:
    """Each volume of the set in `file`; the file itself where there is no set."""
    if not volumes:
        yield file
    start = 0
    for volume in volumes:
        yield window(file, start, volume.size)
        start += volume.size


def window(file: BinaryIO, start: int, length: int) -> BinaryIO:
    return io.BufferedReader(_Window(file, start, length))


class _Window(Span):
    def __init__(self, file: BinaryIO, start: int, length: int) -> None:
        super().__init__(length)
        self._file, self._start = file, start

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        self._file.seek(self._start + self._at)
        data = self._file.read(max(0, min(len(buffer), self._length - self._at)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
