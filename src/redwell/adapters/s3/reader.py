"""The bytes of one case in an S3 bucket, only read; opened by whoever looks, and part of the store that also writes.

Local copies are made only of packs that are read from beginning to end (verify), in a temporary folder.
"""

import hashlib
import io
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from redwell.adapters.files.folders import disk_errors
from redwell.adapters.files.pack_records import checked_record, loose_parts
from redwell.adapters.files.pack_writer import SUFFIX
from redwell.adapters.s3.cache import Cache
from redwell.adapters.s3.objects import Objects
from redwell.adapters.s3.remote_file import RemoteFile
from redwell.core.blobs import Hashing, Location
from redwell.core.errors import Permanent


class S3Reader:
    """Keeps the promises of `ports.blob_store.BlobReader`."""

    def __init__(self, objects: Objects, cache_bytes: int) -> None:
        self._objects, self._cache_bytes = objects, cache_bytes
        self._opening = Lock()
        self._opened_cache: Cache | None = None
        self._temporary: str | None = None

    def read(self, sha256: bytes, location: Location) -> bytes:
        if path := self._local(sha256, location):
            with disk_errors(path), path.open("rb") as file:
                file.seek(location.offset if location.pack else 0)
                data = file.read(location.length)
        else:
            start = location.offset if location.pack else 0
            data = self._objects.range(key_of(sha256, location), start, location.length)
        if len(data) != location.length:
            end = location.offset + location.length
            raise Permanent(f"{self._name(sha256, location)} ends before byte {end:,}; run 'redwell verify'")
        return data

    def open(self, sha256: bytes, location: Location) -> BinaryIO:
        if location.pack:
            return io.BytesIO(self.read(sha256, location))
        if path := self._local(sha256, location):
            return path.open("rb")
        return io.BufferedReader(RemoteFile(self._objects, key_of(sha256, location), location.length), 1 << 20)

    def link(self, sha256: bytes, location: Location, valid: timedelta) -> str | None:
        return None if location.pack else self._objects.link(key_of(sha256, location), valid)

    def check_pack(self, pack: str) -> None:
        self._copy_of(b"", Location(pack, 0, 0))

    def stored(self, sha256: bytes, location: Location) -> Iterator[bytes]:
        if location.pack:
            end = self._copy_of(sha256, location).stat().st_size
            yield checked_record(self.read, sha256, location, end)
        else:
            yield from loose_parts(self.open, sha256, location)

    def close(self) -> None:
        with self._opening:
            if self._opened_cache:
                self._opened_cache.close()
            if self._temporary:
                shutil.rmtree(self._temporary, ignore_errors=True)
            self._opened_cache = self._temporary = None

    @property
    def _cache(self) -> Cache:
        with self._opening:
            if self._opened_cache is None:
                self._opened_cache = Cache(self._cache_folder(), self._cache_bytes)
            return self._opened_cache

    def _cache_folder(self) -> Path:
        self._temporary = tempfile.mkdtemp(prefix="redwell-look-")
        return Path(self._temporary, "cache")

    def _copy_of(self, sha256: bytes, location: Location) -> Path:
        return self._local(sha256, location) or self._fetch(sha256, location)

    def _local(self, sha256: bytes, location: Location) -> Path | None:
        if self._opened_cache is None:
            return None
        path = self._cache.find(location.pack + SUFFIX if location.pack else sha256.hex())
        if path and not location.pack:
            self._require_size(path.stat().st_size, sha256, location)
        return path

    def _fetch(self, sha256: bytes, location: Location) -> Path:
        key, temporary = key_of(sha256, location), self._cache.temporary()
        try:
            poured = poured_into(temporary, self._objects.parts(key))
            if not location.pack:
                self._require_size(poured.size, sha256, location)
                _require(poured.digests.sha256 == sha256, self._name(sha256, location))
            return self._cache.adopt(temporary, key.rpartition("/")[2], fetched=True)
        finally:
            self._cache.discard(temporary)

    def _require_intact(self, sha256: bytes, location: Location) -> None:
        data = self.read(sha256, location)
        _require(hashlib.sha256(data).digest() == sha256, self._name(sha256, location))

    def _require_size(self, size: int, sha256: bytes, location: Location) -> None:
        if size != location.length:
            name = self._name(sha256, location)
            raise Permanent(f"{name} is not {location.length:,} bytes long; run 'redwell verify'")

    def _name(self, sha256: bytes, location: Location) -> str:
        return f"{self._objects.url}/{key_of(sha256, location)}"


def key_of(sha256: bytes, location: Location) -> str:
    if "/" in location.pack:
        raise Permanent(f"{location.pack!r} is no name of a pack")
    name = sha256.hex()
    return f"packs/{location.pack}{SUFFIX}" if location.pack else f"files/{name[:2]}/{name}"


def poured_into(path: Path, parts: Iterable[bytes]) -> Hashing:
    """Write and hash each part; an error of the source passes through as it is."""
    hashing = Hashing()
    with disk_errors(path):
        file = path.open("wb")
    with file:
        for part in parts:
            hashing.add(part)
            with disk_errors(path):
                file.write(part)
        with disk_errors(path):
            file.flush()
    return hashing


def _require(holds: bool, name: str) -> None:
    if not holds:
        raise Permanent(f"{name} does not hold the bytes of its hash; run 'redwell verify'")
