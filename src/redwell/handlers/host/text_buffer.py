"""A document's text on its way to the spool: in memory while short, in a file of the scratch folder when long.

Used by the attempt, in the child. Members are spooled in between, and the text has to be one run.
"""

import re
import tempfile
from collections.abc import Iterator
from typing import IO

_SURROGATES = re.compile("[\ud800-\udfff]")
_IN_MEMORY = 4 << 20
_CHUNK = 1 << 20
_HEAD = 1_000


class TextBuffer:
    def __init__(self, max_chars: int) -> None:
        self.chars = 0
        self.head = ""
        self._max_chars = max_chars
        self._full = False
        self._runs: list[bytes] = []
        self._held = 0
        self._file: IO[bytes] | None = None

    def add(self, text: str) -> bool:
        """False when this run is the first that did not fit; it is cut, and later ones are passed over."""
        if self._full:
            return True
        kept = text[: self._max_chars - self.chars]
        self.chars += len(kept)
        if len(self.head) < _HEAD:
            self.head += kept[: _HEAD - len(self.head)]
        self._hold(_utf8(kept))
        self._full = len(kept) < len(text)
        return not self._full

    def parts(self) -> Iterator[bytes]:
        if self._file is not None:
            self._file.seek(0)
            while chunk := self._file.read(_CHUNK):
                yield chunk
        yield from self._runs

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _hold(self, run: bytes) -> None:
        self._runs.append(run)
        self._held += len(run)
        if self._held > _IN_MEMORY:
            if self._file is None:
                self._file = tempfile.TemporaryFile()
            self._file.writelines(self._runs)
            self._runs.clear()
            self._held = 0


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text).encode()
