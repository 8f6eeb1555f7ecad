"""The blob store of one case in an S3 bucket; opened in every process that works on the case.

packs/<writer>-<n>.pack    small blobs, an object per sync (ADR 14)
files/ab/<sha256>          large blobs
In the case's folder: blobs/cache/<writer>, local copies; blobs/writers and blobs/lock, as adapters.files has them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from redwell.adapters.files.folders import Folder, disk_errors
from redwell.adapters.files.pack_writer import SUFFIX
from redwell.adapters.files.writer_locks import writing
from redwell.adapters.s3.objects import Objects
from redwell.adapters.s3.orphans import abandoned, orphans, remove_copy
from redwell.adapters.s3.pack_buffer import PackBuffer
from redwell.adapters.s3.reader import S3Reader, poured_into
from redwell.adapters.s3.uploads import Uploads
from redwell.core.blobs import Location, Stored
from redwell.core.errors import Permanent
from redwell.core.trip import trip


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    small: int = 256 << 10
    pack: int = 32 << 20
    cache: int = 2 << 30


class S3Blobs(S3Reader):
    """Keeps the promises of `ports.blob_store.BlobStore`; safe to use from several threads."""

    def __init__(
        self,
        folder: Path,
        writer: str,
        objects: Objects,
        sizes: Sizes,
        *,
        read_only: bool = False,
    ) -> None:
        super().__init__(objects, sizes.cache)
        self.small_bytes = sizes.small
        self._writer, self._read_only = writer, read_only
        self._sync_lock = Lock()
        self._failed = False
        self._sequence: int | None = None
        with ExitStack() as stack:
            self._blobs, writers = (stack.enter_context(each) for each in _folders(folder.absolute()))
            if not read_only:
                stack.enter_context(writing(self._blobs, writers, writer))
                for path in abandoned(self._blobs.path / "cache", writers):
                    remove_copy(path)
            self._copies = self._blobs.path / "cache" / writer
            stack.callback(super().close)
            self._uploads = Uploads()
            stack.callback(self._uploads.close)
            self._packs = PackBuffer(self._next_pack, self._seal, sizes.pack)
            self._resources = stack.pop_all()

    def append(self, sha256: bytes, data: bytes | memoryview) -> Location:
        if len(data) > self.small_bytes:
            raise ValueError(f"{len(data)} bytes are too many for a pack; spill them")
        self._require_writable()
        return self._packs.append(sha256, data)

    def spill(self, parts: Iterable[bytes]) -> Stored:
        self._require_writable()
        temporary = self._cache.temporary()
        try:
            poured = poured_into(temporary, parts)
            digests, size = poured.digests, poured.size
            name = digests.sha256.hex()
            self._cache.adopt(temporary, name, pinned=True)
        finally:
            self._cache.discard(temporary)
        self._uploads.add(name, lambda: self._upload_file(name, size))
        return Stored(digests, size, Location("", 0, size))

    def sync(self) -> None:
        with self._sync_lock:
            trip("blobs.before_sync")
            self._failed = True
            self._packs.complete()
            self._uploads.finish()
            self._failed = False
            trip("blobs.after_sync")

    def place(self, sha256: bytes, location: Location) -> tuple[Path, int]:
        """Of a copy on this machine, whose bytes have been compared with their hash."""
        path = self._copy_of(sha256, location)
        if location.pack and self._cache.was_fetched(path.name):
            self._require_intact(sha256, location)
        return path, location.offset if location.pack else 0

    def orphans(
        self, live: Iterable[tuple[bytes, Location]], elsewhere: Callable[[], Collection[str]] = frozenset
    ) -> Iterator[tuple[str, int]]:
        """Pass rows that are read as they are iterated, and remove while iterating."""
        return orphans(self._blobs, self._objects, live, elsewhere)

    def remove(self, orphan: str) -> None:
        if orphan.startswith("cache/"):
            remove_copy(self._blobs.path / orphan)
        else:
            self._objects.delete(orphan)

    def close(self) -> None:
        """What was stored is synced first, unless an earlier error has already said that it cannot be."""
        try:
            if not self._read_only and not self._failed:
                self.sync()
        finally:
            self._resources.close()

    def _next_pack(self) -> str:
        if self._sequence is None:  # packs of a writer of the same id that was killed are there to stay
            own = (key for key, _ in self._objects.names("packs/") if key.startswith(f"packs/{self._writer}-"))
            numbers = (key.removesuffix(SUFFIX).rpartition("-")[2] for key in own)
            self._sequence = max((int(number) for number in numbers if number.isdigit()), default=0)
        self._sequence += 1
        return f"{self._writer}-{self._sequence}"

    def _seal(self, pack: str, data: bytes) -> None:
        temporary, name = self._cache.temporary(), pack + SUFFIX
        with disk_errors(temporary):
            temporary.write_bytes(data)
        self._cache.adopt(temporary, name, pinned=True)
        self._uploads.add(name, lambda: self._upload_pack(name, data))

    def _upload_pack(self, name: str, data: bytes) -> None:
        self._objects.put_new(f"packs/{name}", data)
        self._cache.unpin(name)

    def _upload_file(self, name: str, size: int) -> None:
        key = f"files/{name[:2]}/{name}"
        there = self._objects.size(key)
        if there is None:
            trip("blobs.before_rename")
            path = self._cache.find(name)
            assert path, "a copy that is not uploaded stays"
            self._objects.put_file(key, path)
        elif there != size:
            raise Permanent(f"{self._objects.url}/{key} does not hold the bytes of its name; run 'redwell verify'")
        self._cache.unpin(name)

    def _cache_folder(self) -> Path:
        """In the case's folder: children may read there."""
        return self._copies

    def _local(self, sha256: bytes, location: Location) -> Path | None:
        self._packs.complete(location.pack)
        return super()._local(sha256, location)

    def _require_writable(self) -> None:
        if self._read_only:
            raise ValueError(f"{self._objects.url} was opened for reading only")


def _folders(case: Path) -> Iterator[Folder]:
    with Folder.root(case, make=True) as root:
        root.make("blobs")
        blobs = root.sub("blobs")
        yield blobs
        blobs.make("writers")
        yield blobs.sub("writers")
