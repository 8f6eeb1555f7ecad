"""The one book of what this process holds of a case: from the claim until the ledger knows what became of it.

It knows which message each claim came with while that is with a child, and what this costs. Used by the case's work
thread; the collector and received messages ask it.
"""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from redwell.core.blobs import Digests, Stored
from redwell.core.jobs.job import Job
from redwell.core.work.kinds import KINDS, Phase
from redwell.core.work.lanes import Lane
from redwell.core.work.records import Claim, ClaimedVolume
from redwell.processing.results import Status
from redwell.runtime.worker.slots import Slots


@dataclass(slots=True)
class MessageInFlight:
    job: Job
    lane: Lane
    left: int
    phase: Phase = Phase.TEXT
    since: float = field(default_factory=time.monotonic)  # when its last document ended


class ClaimsInFlight:
    def __init__(self, case: str, slots: Slots) -> None:
        self._case, self._slots = case, slots
        self._attempts: dict[int, int] = {}  # by derivation: all that is held
        self._messages: dict[int, MessageInFlight] = {}  # by derivation: what is with a child
        self._parts: dict[int, tuple[ClaimedVolume, ...]] = {}  # by derivation: what its document names
        self._by_batch: Counter[int] = Counter()
        self._sampled = time.monotonic()

    @property
    def total(self) -> int:
        """With children."""
        return len(self._messages)

    def of(self, batch: int) -> int:
        return self._by_batch[batch]

    def claims(self) -> list[tuple[int, int]]:
        """All that is held, whether with a child or about to be recorded."""
        return list(self._attempts.items())

    def has(self, task: int) -> bool:
        return task in self._attempts

    def holds(self, task: int, attempt: int) -> bool:
        return self._attempts.get(task) == attempt

    def attempt_of(self, task: int) -> int:
        return self._attempts[task]

    def part_of(self, task: int, number: int) -> Stored:
        part = self._parts[task][number]
        return Stored(Digests(part.sha256, b"", b""), part.location.length, part.location)

    def job_of(self, task: int) -> Job:
        """Of one that is with a child."""
        return self._messages[task].job

    def phase_of(self, task: int) -> Phase:
        """The same."""
        return self._messages[task].phase

    def taken_ms(self, task: int) -> int:
        """By this document alone: a child takes those of its message one by one."""
        message, now = self._messages[task], time.monotonic()
        since, message.since = message.since, now
        return round(1_000 * (now - since))

    def add(self, job: Job, claims: Sequence[Claim]) -> None:
        message = MessageInFlight(job, claims[0].lane, len(claims), KINDS[claims[0].task].phase)
        self._attempts.update({claim.id: claim.attempt for claim in claims})
        self._messages.update(dict.fromkeys((claim.id for claim in claims), message))
        self._parts.update({claim.id: claim.volumes for claim in claims if claim.is_assembled})
        self._by_batch[job.batch] += len(claims)
        self._slots.took(self._case, job.id, message.lane)

    def ended(self, tasks: Iterable[int]) -> None:
        """No child is at them any more."""
        for task in tasks:
            message = self._messages.pop(task)
            message.left -= 1
            self._by_batch[message.job.batch] -= 1
            if not message.left:
                self._slots.gave_back(self._case, message.job.id, message.lane)

    def settled(self, tasks: Iterable[int]) -> None:
        """The ledger knows what became of them, or has them back."""
        for task in tasks:
            self._attempts.pop(task, None)
            self._parts.pop(task, None)

    def sample(self, children: Iterable[Status]) -> None:
        """Charge the time since the last sample to the jobs whose documents the children are at."""
        now = time.monotonic()
        for child in children:
            if child.task is not None and (message := self._messages.get(child.task)):
                self._slots.charge(self._case, message.job.id, message.lane, now - self._sampled)
        self._sampled = now

    def clear(self) -> None:
        self.ended(list(self._messages))
        self._attempts.clear()
