"""The packs that one process appends to; used by the blob store, from several threads.

A pack is a header and records, nothing else: sha256 (32 bytes), length (8 bytes, big-endian), data.
A process writes only packs that it made itself, so a torn record can only be the last one of a pack
that nobody will ever write to again.
"""

import os
import struct
from io import BytesIO
from pathlib import Path
from threading import Lock

from redwell.adapters.files.folders import Folder, disk_errors, write_all
from redwell.core.blobs import Location
from redwell.core.errors import RedwellError

SUFFIX = ".pack"
HEADER = struct.pack(">12sI", b"redwell-pack", 1)
_RECORD = struct.Struct(">32sQ")
_FLUSH_BYTES = 1 << 20
# macOS has no fdatasync.
_sync_data = getattr(os, "fdatasync", os.fsync)


class PackWriter:
    """Records are gathered in memory and written once per MB or sync.

    After a failed write or sync nobody can say which records are safe, so every later call raises
    the same error: the process resumes with a new store, and no row points at what was lost.
    """

    def __init__(self, folder: Folder, writer: str, pack_bytes: int) -> None:
        self._folder = folder
        self._writer = writer
        self._pack_bytes = pack_bytes
        self._lock = Lock()
        self.failed: RedwellError | None = None
        self._sequence = 0
        self._fd = -1
        self._pack = ""
        self._buffer = BytesIO()  # reused: pending bytes are those before its position
        self._end = 0  # of the pack, with what is still in the buffer
        self._full: list[int] = []  # packs that are complete but not yet synced
        self._dirty = False
        self._made = False

    def append(self, sha256: bytes, data: bytes | memoryview) -> Location:
        length = len(data)
        if len(sha256) != 32:
            raise ValueError("a SHA-256 has 32 bytes")
        with self._lock:
            self._check()
            if self._fd < 0 or self._end + _RECORD.size + length > self._pack_bytes:
                self._next_pack()
            self._buffer.write(_RECORD.pack(sha256, length))
            self._buffer.write(data)
            offset = self._end + _RECORD.size
            self._end = offset + length
            if self._buffer.tell() >= _FLUSH_BYTES:
                self._flush()
            return Location(self._pack, offset, length)

    def show(self, location: Location) -> None:
        """Other descriptors see these bytes when this returns; costs nothing for packs of others."""
        if location.pack != self._pack:
            return
        with self._lock:
            if location.pack == self._pack and location.offset + location.length > self._end - self._buffer.tell():
                self._check()
                self._flush()

    def sync(self) -> None:
        """Called by one thread at a time; appends go on meanwhile."""
        with self._lock:
            self._check()
            self._flush()
            full, self._full = self._full, []
            current = [self._fd] if self._dirty else []
            made, self._made, self._dirty = self._made, False, False
        try:
            with disk_errors(self._folder.path):
                for fd in full + current:
                    _sync_data(fd)
            if made:
                self._folder.sync()
        except RedwellError as error:
            self.fail(error)
            raise
        finally:
            for fd in full:
                os.close(fd)

    def fail(self, error: RedwellError) -> None:
        self.failed = error

    def close(self) -> None:
        """Give the descriptors back; what was not synced is not kept."""
        for fd in (*self._full, self._fd):
            if fd >= 0:
                os.close(fd)
        self._full, self._fd, self._pack = [], -1, ""

    def _next_pack(self) -> None:
        self._flush()
        if self._fd >= 0:
            self._full.append(self._fd)
            self._fd = -1
        self._fd = self._create()
        self._buffer.write(HEADER)
        self._end = len(HEADER)
        self._made = True

    def _create(self) -> int:
        while True:
            self._sequence += 1
            self._pack = f"{self._writer}-{self._sequence}"
            with disk_errors(self._path):
                try:
                    return self._folder.create(self._pack + SUFFIX)
                except FileExistsError:
                    continue

    def _flush(self) -> None:
        pending = self._buffer.tell()
        if not pending:
            return
        self._dirty = True
        try:
            with disk_errors(self._path), self._buffer.getbuffer() as view:
                write_all(self._fd, view[:pending])
        except RedwellError as error:
            self.fail(error)
            raise
        self._buffer.seek(0)

    def _check(self) -> None:
        if self.failed:
            raise type(self.failed)(str(self.failed)) from self.failed

    @property
    def _path(self) -> Path:
        return self._folder.path / (self._pack + SUFFIX)
