"""What a process takes of a job: documents that it may and can work on now. Used by the threads that work on cases."""

import time
from collections.abc import Collection

from redwell.core.jobs.job import Job
from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.records import Claim
from redwell.core.work.renderers import TURNS
from redwell.core.work.volumes import scheme_in
from redwell.ports.ledger import Want
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.delivery.task_source import TaskSource
from redwell.runtime.worker.claims_in_flight import ClaimsInFlight
from redwell.runtime.worker.slots import Slots
from redwell.runtime.worker.text_first import TextFirst

EMPTY_S = 0.05  # until a job that had nothing to claim is asked again


class Claiming:
    def __init__(
        self, case: Case, source: TaskSource, slots: Slots, in_flight: ClaimsInFlight, text_first: TextFirst
    ) -> None:
        self._case, self._source, self._slots, self._in_flight = case, source, slots, in_flight
        self._text_first = text_first
        self._turns = tuple(turn for turn in TURNS if slots.capacity.takes(turn[0]))
        self.unpacks = slots.capacity.takes(TaskType.UNPACK_DOCUMENT)
        self._has_asked = False

    def some(self, job: Job, room: Collection[Profile]) -> list[Claim]:
        """One message of a job, for children that have room; empty when it has nothing for this process."""
        asked = time.monotonic()
        claims = self._message(job, room)
        if not claims:  # a search that took long is not made often; the first one had to be prepared
            took = time.monotonic() - asked if self._has_asked else 0.0
            self._slots.rest(self._case.name, job.id, max(EMPTY_S, 10 * took))
            self._has_asked = True
        return claims

    def lost(self) -> set[int]:
        """What is held here and was cancelled, or taken over while this process was frozen."""
        claims = self._in_flight.claims()
        held = self._case.store.still_held(claims) if claims else set()
        return {task for task, _ in claims if task not in held}

    def _message(self, job: Job, room: Collection[Profile]) -> list[Claim]:
        turns = self._text_first.allowed(job.batch, (turn for turn in self._turns if turn[1] in room))
        if not turns:
            return []
        large = self._slots.takes_large
        want = Want(batch=job.batch, workers=job.workers, large=large, turns=turns)
        claims = self._for_one_profile(self._not_in_work(self._source.claim(job, want)))
        self._text_first.began(job.batch, claims)
        return claims if self.unpacks else self._without_sets(claims)

    def _for_one_profile(self, claims: list[Claim]) -> list[Claim]:
        """A message through a queue may name work of several kinds; a child takes one."""
        wanted = {claim.profile for claim in claims[:1]}
        if others := [claim for claim in claims if claim.profile not in wanted]:
            self._case.store.release([(claim.id, claim.attempt) for claim in others])
        return [claim for claim in claims if claim not in others] if others else claims

    def _not_in_work(self, claims: list[Claim]) -> list[Claim]:
        """A content that was cancelled, and that another job wants, may still be with a child of ours: not yet."""
        if again := [claim for claim in claims if self._in_flight.has(claim.id)]:
            self._case.store.release([(claim.id, claim.attempt) for claim in again])
        return [claim for claim in claims if claim not in again] if again else claims

    def _without_sets(self, claims: list[Claim]) -> list[Claim]:
        """Of a set of volumes its head tells nothing: it counts as a container. A child tells other ones (SPEC A9)."""
        if left := {claim.id: claim.attempt for claim in claims if scheme_in(claim.context)}:
            self._case.store.leave_containers(list(left.items()))
        return [claim for claim in claims if claim.id not in left]
