"""What travels through a task queue: the name of some work, never the work itself (SPEC A2, C1, C2).

Written by the case store with the rows it names, read by whoever takes it from the queue. A message may come twice,
late or not at all: the ledger says what of it is still to be done.
"""

from dataclasses import dataclass

import msgspec

from redwell.core.work.lanes import Lane
from redwell.core.work.message_ranges import SIZE


class TaskMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Derivations of a batch from startPos up to, not including, endPos; those that still wait are meant.

    Without an endPos it is a continuation: the messages for everything from startPos on are still to be sent.
    """

    case: str
    batch: int
    job: int
    lane: Lane
    start_pos: int
    end_pos: int | None = None
    lent: bool = False  # another batch asked for them first

    def to_json(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> "TaskMessage":
        """Raises msgspec.MsgspecError for what is no such message."""
        return msgspec.json.decode(text, type=cls)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskQueue:
    """The queue of a job's small or large tasks, as the ledger knows it."""

    job: int
    lane: Lane
    batch: int
    name: str
    attempt: int = 1  # how often it was made
    ended: bool = False  # the last job of its batch is over


def message_size(lane: Lane) -> int:
    """A large document travels alone, so that another worker can take the next one."""
    return SIZE if lane is Lane.SMALL else 1
