"""What a reader of a case gives: one value per row, each field written down once. Read by the command line and verify.

The fields of `Exhibit` stand in the order in which `documents --json` prints them.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from redwell.core.case.exhibit_look import Look
from redwell.core.reading import Problem

OPEN = "OPEN"  # the outcome of what has none yet, as people see it


class _Row(msgspec.Struct, frozen=True, gc=False):
    """Made for every row that is read: a frozen dataclass costs five times as much."""


class Exhibit(_Row, frozen=True):
    """One file, message, attachment or member, with all that is known of it."""

    id: int
    uid: bytes
    parent: int | None
    root: int  # the file that it came in with
    family: int  # the exhibit at the head of its family, which may be itself
    family_number: str  # the control number of that
    path: str
    name: str
    ordinal: int
    depth: int
    control_number: str
    batch: int
    custodian: str | None
    custodians: list[str]  # whom its family was found with, anywhere in the case
    duplicate_of: int | None  # the exhibit that is kept in front of it
    duplicate_number: str | None  # the control number of that
    is_copied: bool  # its family has copies, or is one
    paths: list[str]  # of one that is kept in front: where its copies are, too
    thread: str | None  # of a mail: the control number of the one that its thread is called by
    inclusive: bool | None  # no other mail of its thread holds all that it says
    near: str | None  # the control number of the one whose text its own is nearest to
    near_score: int | None  # how near, in percent
    document: bytes | None  # the uid of its content
    sha256: bytes | None
    sha1: bytes | None
    md5: bytes | None
    hash_kind: str | None
    size: int | None
    media_type: str | None
    kind: str | None
    handler: str | None
    role: str
    state: str
    outcome: str | None
    detail: str
    problems: list[Problem]
    pages: int | None
    recognised: int  # of these, pages with recognised text
    text: bytes | None  # the hash of the blob of the text that was read
    ocr: bytes | None  # a digest of what was recognised on its pages
    text_chars: int
    has_members: bool
    source_dates: Mapping[str, str]
    metadata: Mapping[str, Any]
    source: str  # that its file came from
    folder: str = ""  # that its head lies in; nothing at the top
    sort_date: str = ""  # of its head, by which families are sorted


class ToLoad(_Row, frozen=True):
    """An exhibit that ended, as the steps of its load are given it; the names are those of `Exhibit`."""

    id: int
    name: str
    path: str
    size: int | None
    control_number: str
    batch: int
    custodian: str | None
    kind: str | None
    media_type: str | None
    outcome: str | None
    sha256: bytes | None
    md5: bytes | None
    text: bytes | None
    metadata: Mapping[str, Any]
    family: int
    family_number: str
    depth: int
    has_members: bool
    problems: list[Problem]
    checkpoint: int  # of its load, the last one that it reached
    ocr: bytes | None = None  # a digest of what was recognised on its pages
    source_dates: Mapping[str, str] = {}
    look: Look | None = None  # how it is to be shown from now on; None: as it is
    given_text: bytes | None = None  # by an overlay: what is found of it, while what it is a copy of goes by what came


class MadeArtifact(_Row, frozen=True):
    """Something made of an exhibit's content."""

    kind: str
    number: int  # of the page; 0: of the whole
    media_type: str
    sha256: bytes
    size: int
    amount: int
    figures: str = "{}"  # as JSON: of an image its size, of a recognition how good it is


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which exhibits; nothing said means all of them."""

    batch: int | None = None
    outcome: str | None = None
    troubled: bool = False  # only those that are no plain success, or of which a problem is known


class Page(_Row, frozen=True):
    exhibits: list[Exhibit]
    after: str | None  # the cursor of the next page; None: this was the last one


class CaseInfo(_Row, frozen=True):
    name: str
    uid: str
    timezone: str  # an IANA name
    keeper: str  # the machine that took the case over last; empty: the one that made it
    keeping: int  # how often it was taken over


class Batch(_Row, frozen=True):
    id: int
    type: str
    custodian: str | None
    settings: Mapping[str, Any]
    created_ms: int
    finished_ms: int | None


class Source(_Row, frozen=True):
    path: str
    listed: int | None  # files; None: the walk is not over


class Activity(_Row, frozen=True):
    last_ms: int | None  # None: never
    stored: int  # bytes in its blob store


class VolumeAccount(_Row, frozen=True):
    """A volume that came with load files, and what there is of it in the case."""

    control: str
    path: str
    batch: int
    figures: Mapping[str, Any]  # as its reading counted them (core.loadfiles.volume_document)
    outcome: str
    records: int  # exhibits that are its records
    files: int  # of it that are kept


class AtWork(_Row, frozen=True):
    """What a worker holds, and one of it by its path."""

    documents: int = 0
    reading: int = 0
    on: str = ""


class Place(_Row, frozen=True):
    control: str
    path: str
    batch: int


class FailedAttempt(_Row, frozen=True):
    at_ms: int
    is_last: bool  # it was given up with it
    outcome: str
    reason: str


class SlowWork(_Row, frozen=True):
    """A content that cost an attempt lately: a child was killed over it, or died of it."""

    work: int
    task: str
    path: str  # one of its places
    attempts: int  # that failed
    outcome: str  # of the last of them
    reason: str
    at_ms: int


class ParkedWork(_Row, frozen=True):
    """A content on which child after child has died, past the table of attempts (SPEC A5)."""

    id: int
    task: str
    outcome: str
    detail: str
    lane: str
    tries: int
    deaths: int
    attempt: int
    generation: int
    members: int
    context: str
    sha256: str
    size: int
