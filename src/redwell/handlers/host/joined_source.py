"""The volumes of a set as one document. Made by the task runner for a task that has volumes, in the child."""

import io
import os
import shutil
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from redwell.core.wire import Volume
from redwell.handlers.host.source import Incomplete, Opened
from redwell.handlers.structures.span import Span

_BUFFER = 1 << 20


class JoinedSource:
    """A `core.handler.Source` over all volumes of a set, one behind the other. One file is open at a time."""

    def __init__(self, volumes: list[Volume], scratch: Path, opened: Opened | None = None) -> None:
        self.size = sum(volume.length for volume in volumes)
        self._volumes, self._scratch = volumes, scratch
        self._opened = opened or Opened()
        for volume in self._volumes:
            there = os.stat(volume.path, follow_symlinks=False).st_size - volume.offset
            if there < volume.length:
                raise Incomplete(f"{max(0, there)} of {volume.length} bytes of the volume {volume.suffix} are there")

    def volume(self, place: int) -> "JoinedSource":
        """One of them alone, for a look at it before this one is read."""
        return JoinedSource(self._volumes[place : place + 1], self._scratch, self._opened)

    def read(self) -> bytes:
        with self.open() as file:
            return file.read()

    def open(self) -> BinaryIO:
        return io.BufferedReader(_Joined(self._volumes, self._opened), _BUFFER)

    def path(self) -> Path:
        copy = self._scratch / "source"
        if not copy.exists():
            with self.open() as file, copy.open("wb") as out:
                shutil.copyfileobj(file, out, _BUFFER)
        return copy

    def close(self) -> None:
        self._opened.close()


class _Joined(Span):
    """Never closes a file of the source, which others may read in too."""

    def __init__(self, volumes: list[Volume], opened: Opened) -> None:
        self._ends = list(accumulate(volume.length for volume in volumes))
        super().__init__(self._ends[-1])
        self._volumes, self._opened = volumes, opened

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        place = bisect_right(self._ends, self._at)
        if place == len(self._ends) or not buffer:
            return 0
        volume, left = self._volumes[place], self._ends[place] - self._at
        at = volume.offset + volume.length - left
        got = os.preadv(self._opened.fd(volume.path), [memoryview(buffer)[:left]], at)
        if not got:
            raise Incomplete(f"the volume {volume.suffix} was cut while it was read")
        self._at += got
        return got
