"""Bytes that a handler makes: as a file of scratch where they are many, and as a `core.handler.Source`. In a child."""

import io
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

_IN_MEMORY = 1 << 20


class MadeSource:
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


def written(chunks: Iterable[bytes], target: Path) -> bytes | Path:
    """The chunks in memory, or from the first megabyte on in a file; nothing is left of a member that fails."""
    held, rest = bytearray(), iter(chunks)
    for chunk in rest:
        held += chunk
        if len(held) > _IN_MEMORY:
            break
    else:
        return bytes(held)
    try:
        with target.open("wb") as file:
            file.write(held)
            file.writelines(rest)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    return target
