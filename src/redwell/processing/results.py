"""What the pool reports of the documents it was given. In the parent."""

from collections.abc import Sequence
from typing import NamedTuple

from redwell.core import wire
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import TaskType
from redwell.core.work.lanes import Lane
from redwell.core.work.records import Claim, Result
from redwell.processing.children.spool import Spooled


class MemberFound(NamedTuple):
    """A member of a container; `data` is None when it was lost or skipped, `made` what came of reading it at once."""

    task: int
    member: wire.Member
    data: Spooled | None
    made: Sequence[Spooled | None] = ()  # of `member.reading.made`, in their order


class Finished(NamedTuple):
    task: int
    done: wire.Done
    made: Sequence[Spooled | None]  # of `done.made`, in their order; None: a part that its task came with


class Broken(NamedTuple):
    """The child died on this document, or was killed. `opened`: locator and name of the member it was in."""

    task: int
    outcome: Outcome  # TIMED_OUT, OUT_OF_MEMORY or CRASHED
    detail: str
    opened: tuple[str, str] | None
    as_task: TaskType | None = None  # what the document had turned out to be


class Left(NamedTuple):
    """A container, for a worker that unpacks none."""

    task: int


class Returned(NamedTuple):
    """Documents that were on their way to a child that is gone, and that it had not begun."""

    tasks: list[int]


Event = MemberFound | Finished | Broken | Left | Returned


def over_in(event: Event) -> list[int]:
    """The documents that are no longer with a child."""
    match event:
        case MemberFound():
            return []
        case Returned():
            return event.tasks
        case _:
            return [event.task]


def not_done(claim: Claim, why: str) -> Result:
    """Of work that no child here can do: the document is told so, and nothing waits for it."""
    detail = f"{claim.profile}: {why}"
    return Result(derivation=claim.id, attempt=claim.attempt, outcome=Outcome.UNSUPPORTED, detail=detail)


class Status(NamedTuple):
    """What a child is doing now."""

    pid: int
    lane: Lane | None
    task: int | None
    name: str
    since: float  # time.monotonic()
