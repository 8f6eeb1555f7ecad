"""The task queues of a case as its ledger knows them, and claims by message. Each method is one transaction."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from redwell.core.work.polling import Polled
from redwell.core.work.records import Claim
from redwell.core.work.task_messages import TaskMessage, TaskQueue
from redwell.ports.ledger import Want
from redwell.ports.messaging.queue import Queue


@dataclass(frozen=True, slots=True)
class Room:
    """How much a child takes at once."""

    documents: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Sent:
    """What was claimed of some messages. What there was no room for has a message of its own, for anybody."""

    claims: list[Claim]
    for_others: bool  # they also name containers, which this worker leaves alone


class TaskStore(Protocol):
    @property
    def case(self) -> str: ...
    @property
    def outbox(self) -> Queue:
        """What transactions have posted, in the case's own rows."""
        ...

    def call_when_posted(self, wake: Callable[[], None]) -> None: ...
    def queues(self) -> list[TaskQueue]: ...
    def opened(self, queue: TaskQueue) -> None:
        """The queue is there: from now on tasks are posted to it. One that was made again is sent everything anew."""
        ...

    def forget(self, name: str) -> None:
        """The queue is gone for good."""
        ...

    def go_on(self, task: TaskMessage, name: str) -> None:
        """A continuation: the messages from its startPos on (C2)."""
        ...

    def lend(self, queue: TaskQueue, known: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
        """Messages for what the job waits for in the queue of another; those rows that are not known yet."""
        ...

    def poll(self, queue: TaskQueue, scale: float) -> Polled | None:
        """Whether what the last poll saw waiting still waits; if so it is sent anew (C3-C5). None: it is not time."""
        ...

    def waiting(self, queue: TaskQueue) -> list[str]:
        """Some of what waits, by name."""
        ...

    def is_full(self, want: Want) -> bool: ...
    def claim_sent(self, tasks: Sequence[TaskMessage], name: str, room: Room, want: Want) -> Sent | None:
        """What messages of a queue name and nobody has taken, as far as there is room; None: others are enough."""
        ...
