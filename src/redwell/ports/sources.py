"""Where evidence comes from by itself: watched folders, mailboxes, programs. Rows of the case, each with a cursor."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Protocol

import msgspec

KINDS = ("folder", "imap", "webhook")
WATCHED = ("folder", "imap")  # the others are sent to


class Source(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    kind: str
    name: str  # the folder; the mailbox as user@host/folder; whatever a program is called
    settings: Mapping[str, Any]  # no secret: only where one is found
    cursor: str
    state: str  # active, paused, removed
    last_arrival_ms: int | None
    detail: str  # what went wrong last; empty: nothing


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a source has brought; the key is the source's own, and never comes twice."""

    key: str
    name: str
    sha256: bytes
    said: Mapping[str, Any] = {}
    batch: int | None = None


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """What a watcher has found: it is read once, when nobody has noted its key before."""

    key: str
    name: str
    open: Callable[[], BinaryIO]
    said: Mapping[str, Any] = {}
    cursor: str = ""  # of the source once this was noted; empty: as it was


class Watcher(Protocol):
    def look(self, cursor: str) -> Iterator[Brought]:
        """What there is beyond the cursor; some of it may have been noted before. ServiceUnavailable, or OSError."""
        ...

    def wait(self, seconds: float) -> None:
        """Until something may be there, or so long."""
        ...

    def close(self) -> None: ...


class SourceStore(Protocol):
    def add(self, kind: str, name: str, settings: Mapping[str, Any], who: str) -> Source:
        """One of this kind and name that is there already is taken up again."""
        ...

    def all(self) -> list[Source]:
        """Those that are not removed."""
        ...

    def set_state(self, key: int, state: str, who: str) -> Source: ...
    def known(self, key: int, keys: Sequence[str]) -> set[str]:
        """Arrivals that were noted before."""
        ...

    def arrive(self, key: int, arrivals: Sequence[Arrival], cursor: str | None = None) -> list[Arrival]:
        """Those that are new, noted in one step with the cursor."""
        ...

    def has_content(self, key: int, sha256: bytes) -> bool:
        """Whether the source has brought these bytes before, under whatever key."""
        ...

    def open_arrivals(self, key: int) -> list[Arrival]:
        """Noted, and not in the case yet."""
        ...

    def taken(self, key: int, keys: Sequence[str], batch: int) -> None: ...
    def arrivals(self, key: int, batch: int) -> list[Arrival]: ...
    def trouble(self, key: int, detail: str) -> None: ...
    def close(self) -> None: ...
