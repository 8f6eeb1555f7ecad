"""The pack that a process is filling, in memory; used by the blob store, from several threads.

Packs have the format of adapters.files, but each is an object: written once, whole, when the store syncs or it is full.
"""

import struct
from collections.abc import Callable
from io import BytesIO
from threading import Lock

from redwell.adapters.files.pack_writer import HEADER
from redwell.core.blobs import Location

_RECORD = struct.Struct(">32sQ")


class PackBuffer:
    """`seal` is called with the name and the bytes of each pack that is complete."""

    def __init__(self, next_name: Callable[[], str], seal: Callable[[str, bytes], None], pack_bytes: int) -> None:
        self._next_name, self._seal, self._pack_bytes = next_name, seal, pack_bytes
        self._lock = Lock()
        self._name = ""
        self._buffer = BytesIO()

    def append(self, sha256: bytes, data: bytes | memoryview) -> Location:
        if len(sha256) != 32:
            raise ValueError("a SHA-256 has 32 bytes")
        with self._lock:
            if self._name and self._buffer.tell() + _RECORD.size + len(data) > self._pack_bytes:
                self._complete()
            if not self._name:
                self._name = self._next_name()
                self._buffer.write(HEADER)
            self._buffer.write(_RECORD.pack(sha256, len(data)))
            offset = self._buffer.tell()
            self._buffer.write(data)
            return Location(self._name, offset, len(data))

    def complete(self, pack: str | None = None) -> None:
        """The pack that is being filled, if there is one, and if it is this one."""
        with self._lock:
            if self._name and pack in (None, self._name):
                self._complete()

    def _complete(self) -> None:
        self._seal(self._name, self._buffer.getvalue())
        self._name, self._buffer = "", BytesIO()
