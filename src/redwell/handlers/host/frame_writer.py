"""The child's side of the pipe: frames, and the spool bytes that they point at.

Used by the host and by each attempt at a document. Bytes always reach the spool before the frame
that names them reaches the pipe, and both are written in as few calls as the protocol allows.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from redwell.core import wire
from redwell.core.errors import TooLarge, is_full

_FLUSH_FRAMES = 64 << 10
_FLUSH_BYTES = 1 << 20
_LARGE = 64 << 10  # written as it is, not gathered first


class Gone(BaseException):
    """The child can't go on; its exit code tells the parent why. No handler's `except Exception` catches it."""

    def __init__(self, code: wire.ChildExit) -> None:
        super().__init__(code)
        self.code = code


def has_filled(error: BaseException) -> bool:
    """Whether it says that there is no room on the disk, which is nothing that a document can be blamed for here."""
    return isinstance(error, OSError) and is_full(error)


class FrameWriter:
    def __init__(self, pipe: int, spools: Sequence[int], quota_bytes: int) -> None:
        self._pipe = pipe
        self._spools = spools
        self._quota = quota_bytes
        self._spool = spools[0]
        self._frames = bytearray()
        self._bytes = bytearray()
        self._written = 0  # bytes of this message that lie in the spool
        self._limit = 0
        self.exceeded = False  # something of this document did not fit

    def begin_message(self, spool: int) -> None:
        self._spool = self._spools[spool]
        self._written = 0

    def begin_document(self) -> None:
        self._limit = self._written + self._quota
        self.exceeded = False

    @property
    def room(self) -> int:
        """What the document may still give."""
        return self._limit - self._written - len(self._bytes)

    @contextmanager
    def keeping_free(self, size: int) -> Iterator[None]:
        """So much of the room is for what comes afterwards."""
        self._limit -= size
        yield
        self._limit += size

    @property
    def crowded(self) -> bool:
        """Another document could not fill its quota without reaching the file size limit."""
        return self._written > self._quota

    def frame(self, frame: wire.FromChild) -> None:
        self._frames += wire.encode(frame)
        if len(self._frames) >= _FLUSH_FRAMES:
            self.flush()

    def put(self, parts: Iterable[bytes | memoryview]) -> wire.Slice:
        """Append to the spool. What came before the document's quota was reached is wasted, not named."""
        offset = end = self._written + len(self._bytes)
        for part in parts:
            end += len(part)
            self._see_within(end)
            if len(part) >= _LARGE:
                self._flush_bytes()
                self._write_bytes(part)
            else:
                self._bytes += part
        if len(self._bytes) >= _FLUSH_BYTES:
            self._flush_bytes()
        return wire.Slice(offset=offset, length=end - offset)

    def see_room_for(self, size: int) -> None:
        """What comes out later is refused now where it would be refused then."""
        self._see_within(self._written + len(self._bytes) + size)

    def _see_within(self, end: int) -> None:
        if end > self._limit:
            self.exceeded = True
            raise TooLarge(f"over {self._quota >> 20} MB came out of this document (setting spool_mb)")

    def flush(self) -> None:
        self._flush_bytes()
        frames = memoryview(self._frames)
        try:
            while frames:
                frames = frames[os.write(self._pipe, frames) :]
        except OSError:
            raise Gone(wire.ChildExit.CUT_OFF) from None
        self._frames = bytearray()

    def _flush_bytes(self) -> None:
        pending, self._bytes = self._bytes, bytearray()
        self._write_bytes(memoryview(pending))

    def _write_bytes(self, data: bytes | memoryview) -> None:
        rest = memoryview(data)
        try:
            while rest:
                written = os.pwrite(self._spool, rest, self._written)
                self._written += written
                rest = rest[written:]
        except OSError as error:
            raise Gone(wire.ChildExit.DISK_FULL if has_filled(error) else wire.ChildExit.CUT_OFF) from None
