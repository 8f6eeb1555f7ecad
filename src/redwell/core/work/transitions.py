"""The ledger's rules: how a row may move, who may move it, and when things are finished.

Pure. Moves that many rows make at once are data (`Move`): the case store makes its UPDATE of the same value that
`moved` applies to a row, so what the tests drive to its corners is what runs. Two kinds of rows are claimed:

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
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Attempts
from redwell.core.work.lanes import Lane


class Stage(StrEnum):
    """Where an occurrence stands. The open ones name their owner: nobody yet, a worker, its siblings, a derivation."""

    FOUND = "found"
    READING = "reading"
    GATHERED = "gathered"  # joined by the step that brings the last file of its set (core.work.volumes)
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
    UNINDEXED = "unindexed"  # all is read, but not all is searchable
    RENDERING = "rendering"  # all is searchable; renditions or recognition are open
    OVER = "over"

    def has_reached(self, milestone: "Standing") -> bool:
        order = list(Standing)
        return order.index(self) >= order.index(milestone)


class MemberState(StrEnum):
    EMITTED = "emitted"
    FAILED = "failed"
    SKIPPED = "skipped"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One way that a row may go, and what changes with it."""

    before: StrEnum
    after: StrEnum
    owned: bool = False  # afterwards it is the worker's; else nobody's
    claims: bool = False  # raises `attempt`
    zeroes: tuple[str, ...] = ()


# of derivations
CLAIM = Move(before=Work.QUEUED, after=Work.LEASED, owned=True, claims=True)
RELEASE = Move(before=Work.LEASED, after=Work.QUEUED)  # without blame: it was in flight behind another, or we stop
# Members were found: a long mailbox gets ahead, so the deaths of its workers so far were not its doing.
ADVANCE = Move(before=Work.LEASED, after=Work.LEASED, owned=True, zeroes=("deaths",))
FINISH = Move(before=Work.LEASED, after=Work.DONE)
# of occurrences
TAKE = Move(before=Stage.FOUND, after=Stage.READING, owned=True, claims=True)
WAIT = Move(before=Stage.READING, after=Stage.WAITING)
GATHER = Move(before=Stage.READING, after=Stage.GATHERED)
JOIN = Move(before=Stage.GATHERED, after=Stage.WAITING)
LEAVE_OUT = Move(before=Stage.READING, after=Stage.DONE)  # unreadable, or filtered
END = Move(before=Stage.WAITING, after=Stage.DONE)


def moved(row: Derivation, move: Move, worker: str | None = None) -> Derivation:
    """The row after the move; StaleClaim where it is not where the move begins."""
    if row.state is not move.before:
        raise StaleClaim(f"the row is {row.state}")
    new = {"state": move.after, "owner": (worker or row.owner) if move.owned else None, **dict.fromkeys(move.zeroes, 0)}
    return replace(row, attempt=row.attempt + move.claims, **new)  # type: ignore[arg-type]


def fenced(row: Derivation, attempt: int, move: Move) -> Derivation:
    """The same by whoever holds the claim with this number."""
    _fence(row, attempt)
    return moved(row, move)


def blame(row: Derivation, attempt: int, outcome: Outcome, table: Attempts, *, member: bool = False) -> Derivation:
    """The child died on this document. It comes again, in which lane, or ends with this outcome (A5, A11).

    When the child had announced a member, that member is at fault and reading goes on behind it; but more
    time or memory is tried first.
    """
    _fence(row, attempt)
    needs_more = row.lane is Lane.SMALL and outcome in {Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY}
    again = moved(row, RELEASE)
    if member and not needs_more and row.lost < table.lost_members:
        return replace(again, lost=row.lost + 1)
    tries = row.tries + 1
    if row.lane is Lane.SMALL:
        if needs_more or tries >= table.small:
            return replace(again, lane=Lane.LARGE, tries=0)
        return replace(again, tries=tries)
    if outcome is Outcome.TIMED_OUT or tries >= table.large:
        if table.plain and not is_plain(row, table):
            return replace(again, tries=table.large)
        return replace(moved(row, FINISH), tries=tries, outcome=outcome)
    return replace(again, tries=tries)


def plainly(row: Derivation, attempt: int, table: Attempts) -> Derivation | None:
    """A handler made nothing of it: the one more try there is for its kind (A11, A17), None where that was it."""
    _fence(row, attempt)
    if not table.plain or is_plain(row, table):
        return None
    return replace(moved(row, RELEASE), lane=Lane.LARGE, tries=table.large)


def is_plain(row: Derivation, table: Attempts) -> bool:
    """Whether its next try, or the one it is at, is the one with nothing that can be spared."""
    return bool(table.plain) and row.lane is Lane.LARGE and row.tries >= table.large


def sweep(row: Derivation, table: Attempts) -> Derivation:
    """The owner is dead. Back into the queue, unless suspiciously many have died on this row."""
    if row.state is not Work.LEASED:
        return row
    deaths = row.deaths + 1
    if deaths >= table.deaths:
        return replace(moved(row, FINISH), deaths=deaths, outcome=Outcome.CRASHED)
    return replace(moved(row, RELEASE), deaths=deaths)


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
    renditions: int = 0
    recognitions: int = 0

    @property
    def searchable(self) -> bool:
        """SPEC's milestone: no open extract, unpack or load row."""
        return not (self.walks or self.found or self.waiting or self.unindexed)

    @property
    def finished(self) -> bool:
        """No open row at all."""
        return self.searchable and not (self.renditions or self.recognitions)
