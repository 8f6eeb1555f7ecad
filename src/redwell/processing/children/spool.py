"""The files that children append bytes to, and the slices of them that events carry. In the parent.

A spool has no name: it is unlinked before the child starts, so that nothing can be put in its place. Parent and
child have descriptors of their own, so that no flag or position of the child's touches the parent's.
"""

import ctypes
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import Recoverable
from redwell.core.wire import Slice

_PART = 1 << 20
_WORTH_FORGETTING = 64 << 20
_PUNCH_HOLE, _KEEP_SIZE = 2, 1


class SpoolCut(Recoverable):
    """The child took bytes back that it had announced; the document has to be done again."""


class Spool:
    def __init__(self, folder: Path) -> None:
        self._fd, name = tempfile.mkstemp(prefix="spool-", dir=folder)
        self.child_fd = os.open(name, os.O_WRONLY | os.O_CLOEXEC)  # closed by whoever passes it on
        os.unlink(name)
        self.generation = 0
        self._size = 0  # known so far
        self._taken = 0  # end of the last slice
        self._forgotten = 0  # what lies before is no longer on the disk
        self._read, self._read_at = b"", 0  # the last bytes read, and where they began

    def slice(self, named: Slice) -> "Spooled":
        """Raise ValueError for bytes that are not there, or were named before."""
        end = named.offset + named.length
        if named.length < 0 or named.offset < self._taken:
            raise ValueError("a slice lies before the end of the last one")
        if end > self._size:
            self._size = os.fstat(self._fd).st_size
        if end > self._size:
            raise ValueError(f"a slice ends at {end}, the spool at {self._size}")
        self._taken = end
        return Spooled(self, named.offset, named.length)

    def read(self, generation: int, offset: int, length: int) -> bytes:
        if generation != self.generation:
            raise RuntimeError("spooled bytes are valid until the next wait() of their pool only")
        start = offset - self._read_at
        if start < 0 or start + length > len(self._read):
            self._read, self._read_at, start = self._bytes(offset, length), offset, 0
        return self._read[start : start + length]

    def _bytes(self, offset: int, length: int) -> bytes:
        """With what else was named behind it: many small slices cost one call, not one each."""
        wanted = max(length, min(self._taken - offset, _PART))
        data = os.pread(self._fd, wanted, offset)
        while len(data) < length:
            more = os.pread(self._fd, length - len(data), offset + len(data))
            if not more:
                raise SpoolCut("a child cut its spool while it was read")
            data += more
        return data

    def forget(self) -> None:
        """Everybody has read the slices so far: a mailbox does not lie on the disk a second time."""
        if self._taken - self._forgotten >= _WORTH_FORGETTING:
            _punch(self._fd, self._forgotten, self._taken - self._forgotten)
            self._forgotten = self._taken

    def clear(self) -> None:
        """Ready for the next message; slices of this one can't be read any more."""
        self.generation += 1
        self._size = self._taken = self._forgotten = 0
        self._read = b""
        os.ftruncate(self._fd, 0)

    def close(self) -> None:
        self.generation += 1
        os.close(self._fd)


class Spooled:
    """Bytes that a child wrote, not read yet."""

    __slots__ = ("_generation", "_offset", "_spool", "length")

    def __init__(self, spool: Spool, offset: int, length: int) -> None:
        self.length = length
        self._spool = spool
        self._offset = offset
        self._generation = spool.generation

    def read(self) -> bytes:
        return self._spool.read(self._generation, self._offset, self.length)

    def parts(self) -> Iterator[bytes]:
        """The same bytes, a megabyte at a time."""
        for start in range(0, self.length, _PART):
            part = min(_PART, self.length - start)
            yield self._spool.read(self._generation, self._offset + start, part)


def _punch(fd: int, start: int, length: int) -> None:
    """Give the disk blocks back; offsets stay as they are. Where the file system can't, they wait for `clear`."""
    if sys.platform == "linux":
        numbers = (ctypes.c_long(start), ctypes.c_long(length))
        ctypes.CDLL(None, use_errno=True).fallocate(fd, _PUNCH_HOLE | _KEEP_SIZE, *numbers)
