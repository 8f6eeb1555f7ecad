"""What reviewers add to a case: tags, notes, saved searches, and the log of who did what. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from redwell.core.errors import UserError

KEYS = "123456789"  # one visible key for each of the first tags
LONGEST_NAME, LONGEST_NOTE, LONGEST_QUERY = 80, 10_000, 10_000


class Action(StrEnum):
    """What the audit log has entries of."""

    VIEWED = "viewed"
    DOWNLOADED = "downloaded"
    SEARCHED = "searched"
    EXPORTED = "exported"
    TAGGED = "tagged"
    UNTAGGED = "untagged"
    UNDONE = "undone"
    NOTED = "noted"
    TAG_MADE = "tag made"
    SEARCH_SAVED = "search saved"
    SEARCH_DROPPED = "search dropped"
    MEMBER_SET = "member set"
    IMPORTED = "imported"
    CANCELLED = "cancelled"
    RETRIED = "retried"
    PRODUCED = "production made"
    PRODUCTION_WRITTEN = "production written"
    REDACTED = "redacted"
    UNREDACTED = "redaction removed"
    REDACTIONS_FIXED = "redactions fixed"
    REPLACED = "file replaced"
    ROUND_MADE = "round made"
    ROUND_DROPPED = "round dropped"
    HANDED_OUT = "handed out"
    REVIEWED = "reviewed"
    GIVEN_BACK = "given back"
    TERMS_SET = "terms set"
    LINKED = "link made"
    SCHEMA_ADDED = "schema added"
    MODEL_CHOSEN = "model chosen"
    MODEL_ASKED = "model asked"
    DATA_DECIDED = "data decided"
    SOURCE_CHANGED = "source changed"
    OVERLAID = "fields overlaid"
    OVERLAY_UNDONE = "overlay undone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the audit log, before it has its place in the chain."""

    who: str
    action: Action
    exhibit: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    at_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    id: int
    at_ms: int
    who: str
    action: str
    exhibit: int | None
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    id: int
    name: str
    key: str  # on the keyboard; empty where it has none


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagging:
    exhibit: int
    tag: int
    who: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coding:
    """One change of tags by one person, on one document or many; undone as one."""

    who: str
    tag: int
    on: bool
    exhibits: tuple[int, ...]
    seen: int | None = None  # the last change of the document that the person saw; None: whatever it was


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    change: int  # by which it is undone; 0: nothing was to be changed
    exhibits: int  # that are different now


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    change: int
    exhibits: int  # that are as they were before
    kept: int  # that somebody has changed since, and that stay


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    id: int
    exhibit: int
    who: str
    at_ms: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSearch:
    id: int
    name: str
    query: str
    who: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """A whole file, which came with a batch of its own, for one that is damaged."""

    exhibit: int
    batch: int
    who: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TermSet:
    """Marked on every document, in a colour of its own."""

    id: int
    name: str
    colour: str
    terms: str  # one a line, in the language of searches
    who: str
    at_ms: int


def checked_name(name: str, what: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UserError(f"{what} has 1 to {LONGEST_NAME} characters that can be shown")
    return name
