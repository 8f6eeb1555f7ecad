"""One of the contents that a document was put together of (core.loadfiles.assembly), as a source. In a child."""

import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from redwell.core.handler import Options, Source
from redwell.handlers.structures.span import Span

_CHUNK = 1 << 20


class PartSource:
    """`number` counts the contents behind the document itself, which is 0."""

    def __init__(self, whole: Source, options: Options, number: int, scratch: Path) -> None:
        sizes = [volume.size for volume in options.volumes]
        self.size = sizes[number]
        self._start, self._whole, self._scratch, self._number = sum(sizes[:number]), whole, scratch, number

    def read(self) -> bytes:
        with self.open() as file:
            return file.read()

    def open(self) -> BinaryIO:
        return io.BufferedReader(_Window(self._whole.open(), self._start, self.size), _CHUNK)

    def chunks(self) -> Iterator[bytes]:
        with self.open() as file:
            while chunk := file.read(_CHUNK):
                yield chunk

    def path(self) -> Path:
        copy = self._scratch / f"part-{self._number}"
        if not copy.exists():
            with self.open() as file, copy.open("wb") as out:
                shutil.copyfileobj(file, out, _CHUNK)
        return copy


class _Window(Span):
    def __init__(self, file: BinaryIO, start: int, length: int) -> None:
        super().__init__(length)
        self._file, self._start = file, start

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        left = max(0, self._length - self._at)
        self._file.seek(self._start + self._at)
        data = self._file.read(min(len(buffer), left))
        memoryview(buffer)[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()
