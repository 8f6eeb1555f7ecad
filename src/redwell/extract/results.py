"""What the pool reports of the documents it was given. In the parent."""

from typing import NamedTuple

from redwell.core import wire
from redwell.core.lanes import Lane
from redwell.core.outcomes import Outcome
from redwell.extract.spool import Spooled


class MemberFound(NamedTuple):
    """A member of a container; `data` is None when it was lost or skipped, `text` where it was not read at once."""

    task: int
    member: wire.Member
    data: Spooled | None
    text: Spooled | None = None


class Finished(NamedTuple):
    task: int
    done: wire.Done
    text: Spooled | None


class Broken(NamedTuple):
    """The child died on this document, or was killed. `opened`: locator and name of the member it was in."""

    task: int
    outcome: Outcome  # TIMED_OUT, OUT_OF_MEMORY or CRASHED
    detail: str
    opened: tuple[str, str] | None


class Returned(NamedTuple):
    """Documents that were on their way to a child that is gone, and that it had not begun."""

    tasks: list[int]


Event = MemberFound | Finished | Broken | Returned


class Status(NamedTuple):
    """What a child is doing now."""

    pid: int
    lane: Lane | None
    task: int | None
    name: str
    since: float  # time.monotonic()
