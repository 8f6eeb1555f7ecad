"""Content-addressed bytes of one case."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from redwell.core.blobs import Location, Stored


class BlobStore(Protocol):
    """Bytes are durable only after `sync`; rows that point at them are written after that."""

    small_bytes: int  # up to this size bytes belong into `append`, above it into `spill`

    def append(self, sha256: bytes, data: bytes | memoryview) -> Location:
        """Add small bytes to this process's current pack. The caller knows they are not stored yet."""
        ...

    def spill(self, parts: Iterable[bytes]) -> Stored:
        """Stream bytes of any size into a loose file, hashing on the way; storing them twice is harmless."""
        ...

    def sync(self) -> None:
        """Everything appended or spilled so far survives a power cut when this returns."""
        ...

    def read(self, sha256: bytes, location: Location) -> bytes: ...

    def open(self, sha256: bytes, location: Location) -> BinaryIO: ...

    def place(self, sha256: bytes, location: Location) -> tuple[Path, int]:
        """The file and the offset in it, for a child to read."""
        ...

    def orphans(self, live: Iterable[tuple[bytes, Location]]) -> Iterator[tuple[Path, int]]:
        """Files that no live row points into, with their sizes; never those of a running writer."""
        ...

    def close(self) -> None: ...
