"""Where evidence comes from by itself: watched folders, mailboxes, programs. Rows of the case, each with a cursor."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Protocol

import msgspec

KINDS = ("folder", "gmail", "imap", "ses", "webhook")
WATCHED = ("folder", "gmail", "imap", "ses")  # the others are sent to


class Source(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    kind: str
    name: str  # the folder; the mailbox as user@host/folder; whatever a program is called
    settings: Mapping[str, Any]  # no secret: only where one is found
    cursor: str
    state: str  # active, paused, removed
    last_arrival_ms: int | None
    detail: str  # what went wrong last; empty: nothing
    waiting: int = 0  # seen, and not fetched yet
    failed: int = 0  # could not be fetched; `resume` tries them again


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a source has brought; the key is the source's own, and never comes twice."""

    key: str
    name: str
    sha256: bytes
    said: Mapping[str, Any] = {}
    batch: int | None = None


class Sighted(msgspec.Struct, frozen=True, kw_only=True):
    """What a watcher has seen and not fetched: it waits in the acquisition queue of its source."""

    key: str
    name: str
    place: str = ""  # what the watcher fetches it by
    cursor: str = ""  # of the source once everything up to this one waits; empty: as it was
    is_again: bool = False  # the source was made anew: bytes that it brought before are not brought twice


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes that are here, to be read once."""

    key: str
    name: str
    open: Callable[[], BinaryIO]
    said: Mapping[str, Any] = {}


class Watcher(Protocol):
    def look(self, cursor: str) -> Iterator[Sighted]:
        """What there is beyond the cursor; some of it may have been seen before. ServiceUnavailable, or OSError."""
        ...

    def fetch(self, sighted: Sighted) -> Brought | None:
        """None: it is not there any more. ServiceUnavailable, or OSError: not now."""
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

    def set_state(self, key: int, state: str, who: str) -> Source:
        """`active` also tries again what could not be fetched."""
        ...

    def known(self, key: int, keys: Sequence[str]) -> set[str]:
        """Arrivals that were noted before."""
        ...

    def queue(self, key: int, found: Sequence[Sighted], cursor: str | None = None) -> int:
        """Those that were never seen wait from now on, noted in one step with the cursor; how many."""
        ...

    def queued(self, key: int, most: int) -> list[Sighted]:
        """The first that wait; those that could not be fetched before come last."""
        ...

    def acquired(self, key: int, wanted: str, arrival: Arrival | None) -> bool:
        """It waits no more, and is noted as an arrival in the same step; None: its bytes came before."""
        ...

    def not_acquired(self, key: int, wanted: str, detail: str, is_gone: bool = False) -> None:
        """Costs it an attempt; after the last one, or where it is gone, it stays in the queue with what was wrong."""
        ...

    def arrive(self, key: int, arrivals: Sequence[Arrival]) -> list[Arrival]:
        """Those that are new, noted in one step."""
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
