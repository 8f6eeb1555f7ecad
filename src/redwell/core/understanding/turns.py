"""One ingestion in the hands of one process: claimed, answered about, ended; then the next one. Pure values."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from redwell.core.understanding.proposals import Proposal
from redwell.core.understanding.states import Status


class Claimed(msgspec.Struct, frozen=True, kw_only=True):
    """An ingestion that this process works on; whoever writes for it says who they are and which attempt they hold."""

    id: int
    uid: bytes
    exhibit: int
    document: int
    schema: int | None
    attempt: int
    owner: str = ""
    document_uid: bytes = b""  # as the outside knows it
    batch: int | None = None  # by which it came, and that one's job: for whoever logs
    job: int | None = None


class Want(msgspec.Struct, frozen=True, kw_only=True):
    """The next ones that nobody is at, or one whose claim is stale; with `uid` that one or none.

    More than one only of those that nobody has tried yet: what a process died at travels alone, so that others that
    it held do not pay for it.
    """

    owner: str
    now_ms: int
    stale_s: int
    uid: bytes | None = None
    most: int = 1


class Window(msgspec.Struct, frozen=True, kw_only=True):
    start: int
    stop: int
    part: int
    state: str
    detail: str = ""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Of a model, paid for; `sent` and `exhibit` are for the audit log."""

    key: bytes
    model: str
    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost: int = 0
    sent: Mapping[str, Any] = {}
    exhibit: int | None = None
    reserved: "Reserved | None" = None


class Reserved(msgspec.Struct, frozen=True):
    """Of a budget, before a question is sent: what it may cost at most."""

    tokens: int
    cost: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    schema: int | None
    name: str  # of the schema
    proposals: Sequence[Proposal]
    data: Mapping[str, Any] | None
    is_flagged: bool
    doubt: int
    model: str
    quality: int | None = None
    detail: str = ""
    windows: Sequence[Window] = ()


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt is over: with a result, or failed as `detail` says."""

    claim: Claimed
    result: Result | None = None
    detail: str = ""


class Turned(msgspec.Struct, frozen=True, kw_only=True):
    statuses: Sequence[Status | None]  # of those that ended; None: the claim was lost, nothing of its result is written
    claims: Sequence[Claimed] = ()  # the next ones


def chunk_size(took_s: float, documents: int, most: int = 16) -> int:
    """How many are claimed and written at once, from how long the last ones took: about a second's work."""
    if documents == 0 or took_s <= 0:
        return 1
    return max(1, min(most, int(documents / took_s)))
