"""Evidence that lies in a bucket: listed and read where it is, never written."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

SCHEME = "s3://"


@dataclass(frozen=True, slots=True)
class RemoteObject:
    place: str  # below the source, its steps parted by slashes
    size: int
    modified_ms: int
    tag: str  # of these very bytes: another one after a change


class RemoteSource(Protocol):
    def listed(self) -> Iterator[RemoteObject]:
        """All of them, by name. ServiceUnavailable: it can't be asked now; UserError: it refuses."""
        ...

    def look(self, place: str) -> RemoteObject:
        """As it is now. FileNotFoundError: it is gone."""
        ...

    def parts(self, found: RemoteObject) -> Iterator[bytes]:
        """Its bytes, as they were found; `Changed` where they are no longer, OSError where they can't be read."""
        ...

    def close(self) -> None: ...


class Changed(Exception):
    """Others were put in their place."""
