"""The blob store of one case on a file system; opened in every process that works on the case.

blobs/packs/<writer>-<n>.pack      small blobs, append-only, written by one process each
blobs/files/ab/<sha256>            large blobs
blobs/temporary, blobs/writers     half-written large blobs; a lock per running writer
blobs/lock                         shared by the running writers, exclusive to gc
"""

import io
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from redwell.adapters.files.folders import Folder, disk_errors
from redwell.adapters.files.loose_files import LooseFiles
from redwell.adapters.files.open_files import OpenFile, OpenPacks, read_exactly
from redwell.adapters.files.orphans import orphans
from redwell.adapters.files.pack_writer import PackWriter
from redwell.adapters.files.writer_locks import writing
from redwell.core.blobs import Location, Stored
from redwell.core.errors import Permanent, RedwellError
from redwell.core.trip import trip

_WRITER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_FOLDERS = ("packs", "files", "temporary", "writers")


class FilePacks:
    """Keeps the promises of `ports.blob_store.BlobStore`; safe to use from several threads."""

    def __init__(
        self,
        folder: Path,
        writer: str,
        *,
        small_bytes: int = 256 << 10,
        pack_bytes: int = 256 << 20,
        read_only: bool = False,
    ) -> None:
        if not _WRITER.fullmatch(writer):
            raise ValueError(f"{writer!r} cannot be part of a file name")
        self.small_bytes = small_bytes
        self._read_only = read_only
        self._sync_lock = Lock()
        with ExitStack() as stack:
            self._blobs, *folders = (stack.enter_context(each) for each in _folders(folder.absolute(), read_only))
            self._packs, self._files, temporary, writers = folders
            if not read_only:
                stack.enter_context(writing(self._blobs, writers, writer))
            self._open_packs = OpenPacks(self._packs)
            self._writing = PackWriter(self._packs, writer, pack_bytes)
            self._loose = LooseFiles(self._files, temporary, writer)
            self._resources = stack.pop_all()

    def append(self, sha256: bytes, data: bytes | memoryview) -> Location:
        if len(data) > self.small_bytes:
            raise ValueError(f"{len(data)} bytes are too many for a pack; spill them")
        self._require_writable()
        return self._writing.append(sha256, data)

    def spill(self, parts: Iterable[bytes]) -> Stored:
        self._require_writable()
        return self._loose.spill(parts)

    def sync(self) -> None:
        # One at a time: a second caller's bytes may be in the hands of the first.
        with self._sync_lock:
            trip("blobs.before_sync")
            try:
                self._loose.sync()
            except RedwellError as error:
                self._writing.fail(error)
                raise
            self._writing.sync()
            trip("blobs.after_sync")

    def read(self, sha256: bytes, location: Location) -> bytes:
        file = self._file(sha256, location)
        with disk_errors(file.path):
            data = read_exactly(file.fd, location.offset, location.length)
        if data is None:
            end = location.offset + location.length
            raise Permanent(f"{file.path} ends before byte {end:,}; run 'redwell verify'")
        return data

    def open(self, sha256: bytes, location: Location) -> BinaryIO:
        if location.pack:
            return io.BytesIO(self.read(sha256, location))
        return open(self._loose_fd(sha256, location), "rb")

    def place(self, sha256: bytes, location: Location) -> tuple[Path, int]:
        return self._file(sha256, location).path, location.offset

    def link(self, sha256: bytes, location: Location, valid: timedelta) -> str | None:
        return None

    def orphans(
        self, live: Iterable[tuple[bytes, Location]], elsewhere: Callable[[], Collection[str]] = frozenset
    ) -> Iterator[tuple[str, int]]:
        """Pass rows that are read as they are iterated, and remove while iterating."""
        for path, size in orphans(self._blobs, live, elsewhere):
            yield path.relative_to(self._blobs.path).as_posix(), size

    def remove(self, orphan: str) -> None:
        (self._blobs.path / orphan).unlink(missing_ok=True)

    def close(self) -> None:
        """What was stored is synced first, unless an earlier error has already said that it cannot be."""
        try:
            if not self._read_only and not self._writing.failed:
                self.sync()
        finally:
            self._writing.close()
            self._open_packs.close()
            self._resources.close()

    def _require_writable(self) -> None:
        if self._read_only:
            raise ValueError(f"{self._blobs.path} was opened for reading only")

    def _file(self, sha256: bytes, location: Location) -> OpenFile:
        if not location.pack:
            return OpenFile(self._loose_fd(sha256, location), self._loose_path(sha256))
        self._writing.show(location)
        return self._open_packs.get(location.pack)

    def _loose_fd(self, sha256: bytes, location: Location) -> int:
        with self._files.sub(sha256.hex()[:2]) as shelf:
            fd = shelf.open_file(sha256.hex())
        if os.fstat(fd).st_size == location.length:
            return fd
        os.close(fd)
        raise Permanent(f"{self._loose_path(sha256)} is not {location.length:,} bytes long; run 'redwell verify'")

    def _loose_path(self, sha256: bytes) -> Path:
        name = sha256.hex()
        return self._files.path / name[:2] / name


def _folders(case: Path, read_only: bool) -> Iterator[Folder]:
    """`blobs` and the folders in it, made where they are missing and safe from a power cut."""
    with Folder.root(case, make=not read_only) as root:
        root.make("blobs")
        blobs = root.sub("blobs")
        yield blobs
        for name in _FOLDERS:
            blobs.make(name)
            yield blobs.sub(name)
        if not read_only:
            blobs.sync()
            root.sync()
