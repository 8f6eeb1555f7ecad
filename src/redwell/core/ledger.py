"""The ledger's rules: how a row may move, who may move it, and when things are finished.

Pure. The case store keeps rows in SQL and moves them by these rules; the property tests drive the
same rules against a plain model. Two kinds of rows are claimed:

- an *occurrence* (SPEC's ingestion) is one item as it was found: FOUND -> READING -> WAITING -> DONE, or GATHERED
  before it is WAITING where it may be a volume of a set;
- a *derivation* is the work on one content: QUEUED -> LEASED -> DONE. Occurrences wait on it. One that was read
  under the claim of its container, before anybody asked for it, is DONE from the start.

Every claim raises `attempt`. Whoever writes later says which attempt it holds; another number means
that somebody else has taken over, and the result is dropped (StaleClaim).
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from redwell.core.errors import StaleClaim
from redwell.core.lanes import Lane
from redwell.core.outcomes import Outcome


class Stage(StrEnum):
    """Where an occurrence stands. The open ones name their owner: nobody yet, a worker, its siblings, a derivation."""

    FOUND = "found"
    READING = "reading"
    GATHERED = "gathered"  # joined by the step that brings the last file of its set (core.volumes)
    WAITING = "waiting"
    DONE = "done"


class Work(StrEnum):
    """Where a derivation stands."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"


class Standing(StrEnum):
    """How far a batch is, by the least that is open in it."""

    UNREAD = "unread"  # a source or a file that nobody reads yet
    OPEN = "open"
    UNINDEXED = "unindexed"  # all is done, but not all is searchable
    OVER = "over"


class MemberState(StrEnum):
    EMITTED = "emitted"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Attempts:
    """SPEC A5's table for extraction, and the backstop for rows that take the whole worker down."""

    small: int = 2
    large: int = 2
    deaths: int = 10
    lost_members: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """The claimable part of a derivation row."""

    state: Work = Work.QUEUED
    owner: str | None = None
    attempt: int = 0
    lane: Lane = Lane.SMALL
    tries: int = 0  # failures in this lane that were this document's own
    lost: int = 0  # members that killed a child
    deaths: int = 0  # workers that died holding it, since it last got ahead
    generation: int = 1
    outcome: Outcome | None = None


def claim(row: Derivation, worker: str) -> Derivation:
    """A queued row becomes the worker's; anything else is somebody else's."""
    if row.state is not Work.QUEUED:
        raise StaleClaim(f"the row is {row.state}")
    return replace(row, state=Work.LEASED, owner=worker, attempt=row.attempt + 1)


def release(row: Derivation, attempt: int) -> Derivation:
    """Given back without blame: it was in flight behind another document, or the worker stops."""
    _fence(row, attempt)
    return replace(row, state=Work.QUEUED, owner=None)


def advance(row: Derivation, attempt: int) -> Derivation:
    """Members were found: a long mailbox gets ahead, so the deaths of its workers so far were not its doing."""
    _fence(row, attempt)
    return replace(row, deaths=0)


def finish(row: Derivation, attempt: int, outcome: Outcome) -> Derivation:
    _fence(row, attempt)
    return replace(row, state=Work.DONE, owner=None, outcome=outcome)


def blame(row: Derivation, attempt: int, outcome: Outcome, table: Attempts, *, member: bool = False) -> Derivation:
    """The child died on this document. It comes again, in which lane, or ends with this outcome (A5, A11).

    When the child had announced a member, that member is at fault and reading goes on behind it; but more
    time or memory is tried first.
    """
    _fence(row, attempt)
    needs_more = row.lane is Lane.SMALL and outcome in {Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY}
    if member and not needs_more and row.lost < table.lost_members:
        return replace(row, state=Work.QUEUED, owner=None, lost=row.lost + 1)
    tries = row.tries + 1
    if row.lane is Lane.SMALL:
        if needs_more or tries >= table.small:
            return replace(row, state=Work.QUEUED, owner=None, lane=Lane.LARGE, tries=0)
        return replace(row, state=Work.QUEUED, owner=None, tries=tries)
    if outcome is Outcome.TIMED_OUT or tries >= table.large:
        return replace(row, state=Work.DONE, owner=None, tries=tries, outcome=outcome)
    return replace(row, state=Work.QUEUED, owner=None, tries=tries)


def sweep(row: Derivation, table: Attempts) -> Derivation:
    """The owner is dead. Back into the queue, unless suspiciously many have died on this row."""
    if row.state is not Work.LEASED:
        return row
    deaths = row.deaths + 1
    if deaths >= table.deaths:
        return replace(row, state=Work.DONE, owner=None, deaths=deaths, outcome=Outcome.CRASHED)
    return replace(row, state=Work.QUEUED, owner=None, deaths=deaths)


def reopen(row: Derivation, lane: Lane) -> Derivation:
    """A retry: generation n+1 reads the content again from the lane it began in; members found before are kept."""
    if row.state is not Work.DONE:
        raise StaleClaim(f"the row is {row.state}, only finished work is reopened")
    return Derivation(attempt=row.attempt, lane=lane, generation=row.generation + 1)


def _fence(row: Derivation, attempt: int) -> None:
    if row.state is not Work.LEASED or row.attempt != attempt:
        raise StaleClaim(f"attempt {attempt} is over; the row is {row.state} at attempt {row.attempt}")


def discrepancy(declared: int | None, listed: int) -> str:
    """Empty when the container's own index agrees with what was found; never balanced away."""
    if declared is None or declared == listed:
        return ""
    return f"the container declares {declared} members, {listed} were listed"


@dataclass(frozen=True, slots=True)
class OpenRows:
    """What is left of a batch, as the ledger counts it."""

    walks: int
    found: int
    waiting: int
    unindexed: int

    @property
    def searchable(self) -> bool:
        """SPEC's milestone: no open extract or load row."""
        return not (self.walks or self.found or self.waiting or self.unindexed)

    @property
    def finished(self) -> bool:
        """No open row at all. Renditions will make this differ from `searchable`."""
        return self.searchable
