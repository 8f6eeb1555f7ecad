"""The bytes of one case on a file system, only read; opened by whoever looks, and part of the store that also writes.

It opens folders when it is asked for something in them, and makes none.
"""

import io
import os
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from redwell.adapters.files.folders import Folder, explained
from redwell.adapters.files.open_files import OpenFile, OpenPacks, read_exactly
from redwell.adapters.files.pack_records import checked_record, loose_parts
from redwell.core.blobs import Location
from redwell.core.errors import Permanent


class FileBlobs:
    """Keeps the promises of `ports.blob_store.BlobReader`."""

    def __init__(self, folder: Path) -> None:
        self._case = folder.absolute()
        self._opening = Lock()
        self._opened = ExitStack()
        self._folders: dict[str, Folder] = {}
        self._open_packs: OpenPacks | None = None

    def read(self, sha256: bytes, location: Location) -> bytes:
        file = self._file(sha256, location)
        try:  # a context manager would take longer than the reading of a small text
            data = read_exactly(file.fd, location.offset, location.length)
        except OSError as error:
            raise explained(error, file.path) from error
        if data is None:
            end = location.offset + location.length
            raise Permanent(f"{file.path} ends before byte {end:,}; run 'redwell verify'")
        return data

    def open(self, sha256: bytes, location: Location) -> BinaryIO:
        if location.pack:
            return io.BytesIO(self.read(sha256, location))
        return open(self._loose_fd(sha256, location), "rb")

    def link(self, sha256: bytes, location: Location, valid: timedelta) -> str | None:
        return None

    def check_pack(self, pack: str) -> None:
        self._pack(pack)

    def stored(self, sha256: bytes, location: Location) -> Iterator[bytes]:
        if location.pack:
            end = os.fstat(self._file(sha256, location).fd).st_size
            yield checked_record(self.read, sha256, location, end)
        else:
            yield from loose_parts(self.open, sha256, location)

    def close(self) -> None:
        with self._opening:
            if self._open_packs:
                self._open_packs.close()
            self._open_packs = None
            self._folders.clear()
            self._opened.close()

    def _file(self, sha256: bytes, location: Location) -> OpenFile:
        if not location.pack:
            return OpenFile(self._loose_fd(sha256, location), self._loose_path(sha256))
        return self._pack(location.pack)

    def _pack(self, pack: str) -> OpenFile:
        opened = self._open_packs
        if opened is None:
            packs = self._folder("packs")
            with self._opening:
                opened = self._open_packs = self._open_packs or OpenPacks(packs)
        return opened.get(pack)

    def _loose_fd(self, sha256: bytes, location: Location) -> int:
        with self._folder("files").sub(sha256.hex()[:2]) as shelf:
            fd = shelf.open_file(sha256.hex())
        if os.fstat(fd).st_size == location.length:
            return fd
        os.close(fd)
        raise Permanent(f"{self._loose_path(sha256)} is not {location.length:,} bytes long; run 'redwell verify'")

    def _loose_path(self, sha256: bytes) -> Path:
        name = sha256.hex()
        return self._folder("files").path / name[:2] / name

    def _folder(self, name: str) -> Folder:
        with self._opening:
            if name not in self._folders:
                with Folder.root(self._case, make=False) as root, root.sub("blobs") as blobs:
                    self._folders[name] = self._opened.enter_context(blobs.sub(name))
            return self._folders[name]
