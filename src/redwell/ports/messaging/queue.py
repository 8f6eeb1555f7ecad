"""Queues by name. A queue is delivery, not truth: every message may come twice, late, or in another order.

What must not happen twice is fenced in the ledger; what must not be lost is a row there and is sent again.
Every method may raise ServiceUnavailable (Recoverable), and NoSuchQueue where the queue is gone.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from redwell.core.errors import Permanent, Recoverable

LONGEST_DELAY_S = 900  # of a message that is sent; what is due later waits in the outbox
LARGEST_BYTES = 256 << 10  # of a body in UTF-8


class NoSuchQueue(Permanent):
    """It was deleted, or never made."""


class NotSent(Recoverable):
    """Some messages of a batch were refused; the others are in the queue."""

    def __init__(self, refused: Mapping[int, str]) -> None:
        super().__init__(f"{len(refused)} messages were refused, the first one: {next(iter(refused.values()))}")
        self.refused = refused  # position in the batch: why


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSpec:
    """`dead_letters` names a queue that is there already; a message received `max_receives` times goes there."""

    name: str  # core.jobs.queue_names
    lease_s: int = 300
    dead_letters: str | None = None
    max_receives: int = 10
    tags: Mapping[str, str] = field(default_factory=dict)  # for people; decide nothing by them


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """`body` is text, JSON by custom, without control characters."""

    body: str
    delay_s: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A message on lease. The receipt is good until the message is received again."""

    queue: str
    id: str
    body: str
    received: int  # times, this one included
    receipt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """Approximate: decide nothing by it but whether to look again (SPEC A19)."""

    waiting: int
    leased: int  # and given back with a delay
    delayed: int

    @property
    def total(self) -> int:
        return self.waiting + self.leased + self.delayed


_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def require_sendable(messages: Sequence[Message]) -> None:
    """What one service refuses, all refuse."""
    for each in messages:
        if not 0 <= each.delay_s <= LONGEST_DELAY_S:
            raise ValueError(f"a delay of {each.delay_s} s; at most {LONGEST_DELAY_S}, more in the outbox")
        if not 0 < len(each.body) <= LARGEST_BYTES or len(each.body.encode("utf-8", "replace")) > LARGEST_BYTES:
            raise ValueError(f"a body has 1 to {LARGEST_BYTES} bytes, not {len(each.body)} characters")
        if _CONTROL.search(each.body):
            raise ValueError("a body with control characters; send JSON")


class Queue(Protocol):
    def create(self, spec: QueueSpec) -> None:
        """Make the queue, or bring one of this name into line. A name deleted within 60 s may be Recoverable."""
        ...

    def delete(self, name: str) -> None:
        """With all its messages; nothing happens where there is none."""
        ...

    def names(self, prefix: str) -> list[str]:
        """Queues whose names begin so; one just made or deleted may be missing or still there for some seconds."""
        ...

    def tags(self, name: str) -> Mapping[str, str]: ...

    def send(self, queue: str, messages: Sequence[Message]) -> None:
        """All of them, any number; NotSent names those that were refused.

        ValueError, before anything is sent, for a body or a delay that no queue takes.
        """
        ...

    def receive(self, queue: str, limit: int = 10, wait_s: int = 0, lease_s: int | None = None) -> list[Delivery]:
        """Up to `limit` messages, fewer at will; waits up to `wait_s`, 20 at most, for the first one.

        They are leased for `lease_s`, else for as long as the queue says.
        """
        ...

    def extend(self, deliveries: Sequence[Delivery], lease_s: int) -> list[Delivery]:
        """Leases that end `lease_s` from now. Returns those that are lost: somebody else may have the message.

        SQS lets go of a message 12 hours after its receipt, whatever is asked for.
        """
        ...

    def acknowledge(self, deliveries: Sequence[Delivery]) -> list[Delivery]:
        """Done with. Returns those that were lost, as far as the service can say; they will come, or came, again.

        An acknowledgement after the lease has ended never takes the message from another holder.
        """
        ...

    def give_back(self, deliveries: Sequence[Delivery], delay_s: int = 0) -> list[Delivery]:
        """To be received again, by anybody, after the delay (12 h at most). Returns the lost ones."""
        ...

    def depth(self, queue: str) -> Depth: ...

    def peek(self, queue: str, limit: int = 100) -> list[Delivery]:
        """Some messages, for a person to look at; for dead letters only: some services hide them for a moment."""
        ...

    def redrive(self, source: str, target: str, limit: int = 1000) -> int:
        """Move dead letters back to work, their receipts counted anew; how many. One may be sent twice."""
        ...

    def close(self) -> None: ...
