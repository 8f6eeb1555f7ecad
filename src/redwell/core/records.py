"""The values that pass between the stages and the case store."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from redwell.core.blobs import Location, Stored
from redwell.core.handler import MetaValue
from redwell.core.lanes import Lane
from redwell.core.outcomes import Code, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    code: Code
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """A source to be walked; `locator` is its absolute path, quoted as core.names does."""

    id: int
    attempt: int
    batch: int
    locator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file that a walk came by. With an outcome it is a named exception and will not be read."""

    locator: str
    name: str
    path: str
    size: int | None
    dates: Mapping[str, str] = field(default_factory=dict)
    outcome: Outcome | None = None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToRead:
    """A found file, claimed for reading: `source` and `locator` together say where it lies."""

    id: int
    attempt: int
    source: str
    locator: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A file whose bytes are in the blob store (`stored`), or a named exception (`outcome`)."""

    id: int
    attempt: int
    name: str
    stored: Stored | None = None
    outcome: Outcome | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A derivation that this worker may work on until it says otherwise or dies."""

    id: int
    attempt: int
    lane: Lane
    sha256: bytes
    location: Location
    context: str
    after: str | None
    skip: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One locator of a container: bytes, or a failure (`outcome`), or skipped (neither)."""

    derivation: int
    attempt: int
    locator: str
    name: str
    role: str = "member"
    stored: Stored | None = None
    outcome: Outcome | None = None
    detail: str = ""
    metadata: Mapping[str, MetaValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a child made of one content."""

    derivation: int
    attempt: int
    outcome: Outcome
    detail: str = ""
    media_type: str = "application/octet-stream"
    kind: str = "other"
    handler: str = ""
    text: Stored | None = None
    text_chars: int = 0
    pages: int | None = None
    container: bool = False
    declared: int | None = None
    metadata: Mapping[str, MetaValue] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A child died on this document; `member` is the (locator, name) it had announced."""

    derivation: int
    attempt: int
    outcome: Outcome
    detail: str
    member: tuple[str, str] | None = None
