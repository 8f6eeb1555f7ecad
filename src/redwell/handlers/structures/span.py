"""Bytes that lie inside others, as a file. Used by the host for packs and by archive handlers, in a child."""

import io
import os


class Span(io.RawIOBase):
    """So many bytes that lie elsewhere, as a seekable file of their own; `readinto` is the subclass's."""

    def __init__(self, length: int) -> None:
        self._length, self._at = length, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, target: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._length}[whence]
        if base + target < 0:
            raise ValueError(f"negative seek position {base + target}")
        self._at = base + target
        return self._at
