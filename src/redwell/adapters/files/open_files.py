"""Packs kept open for reading; used by the blob store, from several threads."""

import os
from collections import OrderedDict
from pathlib import Path
from threading import Lock

from redwell.adapters.files.folders import Folder
from redwell.adapters.files.pack_writer import HEADER, SUFFIX
from redwell.core.errors import Permanent

_MAX_OPEN = 32


class OpenFile:
    """A descriptor that closes with its last user, so one that was pushed out stays valid while read."""

    __slots__ = ("fd", "path")

    def __init__(self, fd: int, path: Path) -> None:
        self.fd, self.path = fd, path

    def __del__(self) -> None:
        os.close(self.fd)


class OpenPacks:
    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._lock = Lock()
        self._open: OrderedDict[str, OpenFile] = OrderedDict()

    def get(self, pack: str) -> OpenFile:
        with self._lock:
            found = self._open.get(pack)
            if found:
                self._open.move_to_end(pack)
                return found
            self._open[pack] = found = self._opened(pack)
            if len(self._open) > _MAX_OPEN:
                self._open.popitem(last=False)
            return found

    def close(self) -> None:
        with self._lock:
            self._open.clear()

    def _opened(self, pack: str) -> OpenFile:
        if "/" in pack:
            raise Permanent(f"{pack!r} is no name of a pack")
        file = OpenFile(self._folder.open_file(pack + SUFFIX), self._folder.path / (pack + SUFFIX))
        if os.pread(file.fd, len(HEADER), 0) != HEADER:
            raise Permanent(f"{file.path} is no pack that this version of Redwell can read")
        return file


def read_exactly(fd: int, offset: int, length: int) -> bytes | None:
    """The bytes, or None where the file ends too early."""
    data = os.pread(fd, length, offset)
    if len(data) == length:
        return data
    # One call returns at most 2 GB.
    parts, have = [data], len(data)
    while have < length:
        data = os.pread(fd, length - have, offset + have)
        if not data:
            return None
        parts.append(data)
        have += len(data)
    return b"".join(parts)
