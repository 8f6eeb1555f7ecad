"""The blob store of one case on a file system; opened in every process that works on the case.

blobs/packs/<writer>-<n>.pack      small blobs, append-only, written by one process each
blobs/files/ab/<sha256>            large blobs
blobs/temporary, blobs/writers     half-written large blobs; a lock per running writer
blobs/lock                         shared by the running writers, exclusive to gc
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Lock

from redwell.adapters.files.file_blobs import FileBlobs
from redwell.adapters.files.folders import Folder
from redwell.adapters.files.loose_files import LooseFiles
from redwell.adapters.files.open_files import OpenFile
from redwell.adapters.files.orphans import orphans
from redwell.adapters.files.pack_writer import PackWriter
from redwell.adapters.files.writer_locks import writing
from redwell.core.blobs import Location, Stored
from redwell.core.errors import RedwellError
from redwell.core.trip import trip

_WRITER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_FOLDERS = ("packs", "files", "temporary", "writers")


class FilePacks(FileBlobs):
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
        super().__init__(folder)
        self.small_bytes = small_bytes
        self._read_only = read_only
        self._sync_lock = Lock()
        with ExitStack() as stack:
            self._blobs, *folders = (stack.enter_context(each) for each in _made(folder.absolute(), read_only))
            packs, files, temporary, writers = folders
            self._folders = {"packs": packs, "files": files}
            if not read_only:
                stack.enter_context(writing(self._blobs, writers, writer))
            self._writing = PackWriter(packs, writer, pack_bytes)
            self._loose = LooseFiles(files, temporary, writer)
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

    def place(self, sha256: bytes, location: Location) -> tuple[Path, int]:
        return self._file(sha256, location).path, location.offset

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
            super().close()
            self._resources.close()

    def _require_writable(self) -> None:
        if self._read_only:
            raise ValueError(f"{self._blobs.path} was opened for reading only")

    def _file(self, sha256: bytes, location: Location) -> OpenFile:
        if location.pack:
            self._writing.show(location)
        return super()._file(sha256, location)


def _made(case: Path, read_only: bool) -> Iterator[Folder]:
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
