"""Large blobs, each a file named by its SHA-256; used by the blob store, from several threads."""

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from threading import Lock

from redwell.adapters.files.folders import Folder, disk_errors, write_all
from redwell.core.blobs import Hashing, Location, Stored
from redwell.core.errors import Permanent
from redwell.core.trip import trip


class LooseFiles:
    """A file appears under its name only when it is whole and on the disk."""

    def __init__(self, files: Folder, temporary: Folder, writer: str) -> None:
        self._files = files
        self._temporary = temporary
        self._names = (f"{writer}-{number}" for number in count(1))
        self._lock = Lock()
        self._unsynced: set[str] = set()  # shelves with new names in them

    def spill(self, parts: Iterable[bytes]) -> Stored:
        with self._lock:
            temporary = next(self._names)
        fd = self._create(temporary)
        try:
            try:
                poured = self._pour(fd, temporary, parts)
            finally:
                os.close(fd)
            digests = poured.digests
            self._settle(temporary, digests.sha256.hex())
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=self._temporary.fd)
        return Stored(digests, poured.size, Location("", 0, poured.size))

    def sync(self) -> None:
        with self._lock:
            shelves, self._unsynced = self._unsynced, set()
        for name in shelves:
            with self._files.sub(name) as shelf:
                shelf.sync()
        if shelves:
            self._files.sync()

    def _create(self, temporary: str) -> int:
        with disk_errors(self._temporary.path / temporary):
            # A file of this name was left by a writer of the same id that was killed.
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=self._temporary.fd)
            return self._temporary.create(temporary)

    def _pour(self, fd: int, temporary: str, parts: Iterable[bytes]) -> Hashing:
        """Write and hash each part; an error of the source passes through as it is."""
        hashing = Hashing()
        for part in parts:
            hashing.add(part)
            with disk_errors(self._temporary.path / temporary):
                write_all(fd, part)
        with disk_errors(self._temporary.path / temporary):
            os.fsync(fd)
        return hashing

    def _settle(self, temporary: str, name: str) -> None:
        self._files.make(name[:2])
        with self._files.sub(name[:2]) as shelf:
            if shelf.size(name) is not None:
                _require_intact(shelf, name)
            else:
                trip("blobs.before_rename")
                # Another writer may have settled the same bytes since: replacing them is harmless.
                with disk_errors(shelf.path / name):
                    os.rename(temporary, name, src_dir_fd=self._temporary.fd, dst_dir_fd=shelf.fd)
        with self._lock:
            # Also for bytes that were there: the one who stored them may not have synced yet.
            self._unsynced.add(name[:2])


def _require_intact(shelf: Folder, name: str) -> None:
    """A stored file is never replaced; one that does not hold what its name says is an alarm."""
    with open(shelf.open_file(name), "rb") as stored:
        if hashlib.file_digest(stored, "sha256").hexdigest() == name:
            return
    raise Permanent(f"{shelf.path / name} does not hold the bytes of its name; run 'redwell verify'")
