"""Content-addressed bytes of one case."""

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO, Protocol

from redwell.core.blobs import Location, Stored


class BlobReader(Protocol):
    """A store on a server may raise ServiceUnavailable (Recoverable). Safe to use from several threads."""

    def read(self, sha256: bytes, location: Location) -> bytes: ...

    def open(self, sha256: bytes, location: Location) -> BinaryIO: ...

    def link(self, sha256: bytes, location: Location, valid: timedelta) -> str | None:
        """Where anybody may read the bytes for a while (7 days at most); None where the store has no such address."""
        ...

    def check_pack(self, pack: str) -> None:
        """Permanent where it is missing; one that is elsewhere is brought near, for whoever reads all of it."""
        ...

    def stored(self, sha256: bytes, location: Location) -> Iterator[bytes]:
        """The bytes in parts, as they lie there; ValueError where what the store keeps beside them says otherwise."""
        ...

    def close(self) -> None: ...


class BlobStore(BlobReader, Protocol):
    """Bytes are durable only after `sync`; rows that point at them are written after that."""

    small_bytes: int  # up to this size bytes belong into `append`, above it into `spill`

    def append(self, sha256: bytes, data: bytes | memoryview) -> Location:
        """Add small bytes to this process's current pack. The caller knows they are not stored yet."""
        ...

    def spill(self, parts: Iterable[bytes]) -> Stored:
        """Stream bytes of any size into a place of their own, hashing on the way; storing them twice is harmless."""
        ...

    def sync(self) -> None:
        """Everything appended or spilled so far survives a power cut when this returns."""
        ...

    def place(self, sha256: bytes, location: Location) -> tuple[Path, int]:
        """The file below the case's folder `blobs` and the offset in it, for a child to read."""
        ...

    def orphans(
        self, live: Iterable[tuple[bytes, Location]], elsewhere: Callable[[], Collection[str]] = frozenset
    ) -> Iterator[tuple[str, int]]:
        """What no live row points into, by name, with sizes; never anything of a running writer.

        `elsewhere` says which writers other machines have; of their locks nothing is seen here.
        """
        ...

    def remove(self, orphan: str) -> None: ...
