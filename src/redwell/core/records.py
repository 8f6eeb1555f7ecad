"""The values that pass between the stages and the case store."""

from collections.abc import Mapping

import msgspec

from redwell.core.blobs import Location, Stored
from redwell.core.handler import HashKind, MetaValue
from redwell.core.lanes import Lane
from redwell.core.outcomes import Code, Outcome


class _Record(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Made once or more for every document: a frozen dataclass costs five times as much."""


class Problem(_Record, frozen=True):
    code: Code
    detail: str


class Walk(_Record, frozen=True):
    """A source to be walked; `locator` is its absolute path, quoted as core.names does."""

    id: int
    attempt: int
    batch: int
    locator: str


class Found(_Record, frozen=True):
    """A file that a walk came by. With an outcome it will not be read: a named exception, or left out for a reason."""

    locator: str
    name: str
    path: str
    size: int | None
    dates: Mapping[str, str] = {}
    outcome: Outcome | None = None
    problem: Problem | None = None
    detail: str = ""


class ToRead(_Record, frozen=True):
    """A found file, claimed for reading: `source` and `locator` together say where it lies."""

    id: int
    attempt: int
    source: str
    locator: str
    name: str
    size: int  # as the walk found it


class Read(_Record, frozen=True):
    """A file whose bytes are in the blob store (`stored`), or a named exception (`outcome`), or both: left out."""

    id: int
    attempt: int
    name: str
    stored: Stored | None = None
    outcome: Outcome | None = None
    problems: tuple[Problem, ...] = ()
    detail: str = ""


class ClaimedVolume(_Record, frozen=True):
    """A volume of a set, which is worked on with all the others (core.volumes)."""

    number: int
    sha256: bytes
    location: Location


class Claim(_Record, frozen=True):
    """A derivation that this worker may work on until it says otherwise or dies."""

    id: int
    attempt: int
    lane: Lane
    sha256: bytes
    location: Location
    context: str
    after: str | None
    skip: tuple[str, ...]
    volumes: tuple[ClaimedVolume, ...] = ()
    synthetic: bool = False


class Reading(_Record, frozen=True):
    """What a child made of one content."""

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
    metadata: Mapping[str, MetaValue] = {}
    problems: tuple[Problem, ...] = ()


class Member(_Record, frozen=True):
    """One locator of a container: bytes, or a failure (`outcome`), or skipped (neither)."""

    derivation: int
    attempt: int
    locator: str
    name: str
    role: str = "member"
    stored: Stored | None = None
    outcome: Outcome | None = None
    detail: str = ""
    metadata: Mapping[str, MetaValue] = {}
    hash_kind: HashKind = "bytes"
    reading: Reading | None = None  # of its bytes, by the child that took them out; then it is no work any more


class Result(Reading, frozen=True, kw_only=True):
    """What came of a claim."""

    derivation: int
    attempt: int


class Failure(_Record, frozen=True):
    """A child died on this document; `member` is the (locator, name) it had announced."""

    derivation: int
    attempt: int
    outcome: Outcome
    detail: str
    member: tuple[str, str] | None = None


class Selection(_Record, frozen=True):
    """Contents to be read again: those that fit everything that is named."""

    outcome: str = ""
    media_type: str = ""  # `image` stands for every `image/…`
    handler: str = ""  # `zip/1` is one version, `zip` stands for all
