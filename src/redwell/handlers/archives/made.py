"""An archive that a handler made for a decoder, as a `core.handler.Source`. Used by the archive handlers in a child."""

import io
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from redwell.handlers.archives.room import written


class Made:
    """Small ones stay in memory; `target` is where the others lie, and a small one too when its path is asked for."""

    def __init__(self, chunks: Iterable[bytes], target: Path) -> None:
        self._data, self._target = written(chunks, target), target
        self.size = len(self._data) if isinstance(self._data, bytes) else target.stat().st_size

    def read(self) -> bytes:
        return self._data if isinstance(self._data, bytes) else self._data.read_bytes()

    def open(self) -> BinaryIO:
        return io.BytesIO(self._data) if isinstance(self._data, bytes) else self._data.open("rb")

    def path(self) -> Path:
        if isinstance(self._data, bytes):
            self._target.write_bytes(self._data)
        return self._target
