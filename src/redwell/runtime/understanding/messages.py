"""Ingestions that reach workers as messages: each is the id of one, and only a hint (SPEC B3, B9). Rows have the truth.

A message that is no id is logged and deleted; a duplicate is deleted when its ingestion has ended, else hidden until
the claim would be stale; what nobody is at is sent again by a sweep.
"""

import logging
from collections.abc import Callable, Sequence
from uuid import UUID

from redwell.core.ids import uuid_text
from redwell.core.jobs.queue_names import checked
from redwell.core.trip import trip
from redwell.core.understanding.states import CLAIM_STALE_S, EXTENSION_S, Fate, fate_of, is_id
from redwell.ports.messaging.queue import Delivery, Message, Queue, QueueSpec
from redwell.ports.understanding import UnderstandingStore
from redwell.runtime.understanding.heartbeat import Heartbeat, now_ms
from redwell.runtime.understanding.run import Run

log = logging.getLogger(__name__)
POLL_MESSAGES, POLL_WAIT_S = 10, 20


def ingest_queue(prefix: str, case: int) -> str:
    return checked(f"{prefix}_ingest_{case}")


class IngestionMessages:
    def __init__(self, queue: Queue, name: str, store: UnderstandingStore, stale_s: int = CLAIM_STALE_S) -> None:
        self._queue, self._name, self._store, self._stale_s = queue, name, store, stale_s
        queue.create(QueueSpec(name=name, lease_s=EXTENSION_S))

    def post(self, uids: Sequence[bytes]) -> None:
        if uids:
            self._queue.send(self._name, [Message(body=uuid_text(uid)) for uid in uids])

    def sweep(self) -> int:
        """Sends what is open and nobody is at; one that was sent already comes twice, which is harmless."""
        orphans = self._store.orphans(now_ms(), self._stale_s)
        self.post(orphans)
        return len(orphans)

    def poll(self, run: Run, heart: Heartbeat, wait_s: int = POLL_WAIT_S) -> int:
        """One long poll and the work it brings; how many messages there were."""
        deliveries = self._queue.receive(self._name, POLL_MESSAGES, wait_s=wait_s)
        left = list(deliveries)
        try:
            with heart.also(lambda: self._extend(left)):
                while left and not run.stopping.is_set():
                    self._extend(left)
                    self._settle(left[0], lambda uid: run.one(heart, uid))
                    left.pop(0)
        finally:  # told to stop, or what all documents need is away: others need not wait for the lease to end
            if left:
                self._queue.give_back(left)
        return len(deliveries)

    def _extend(self, left: Sequence[Delivery]) -> None:
        self._queue.extend(tuple(left), EXTENSION_S)

    def _settle(self, delivery: Delivery, work: Callable[[bytes], bool]) -> None:
        if not is_id(delivery.body):
            log.warning("a message that names no ingestion was deleted: %.80s", delivery.body)
            self._queue.acknowledge([delivery])
            return
        uid = UUID(delivery.body.strip()).bytes
        is_claimed = work(uid)
        match fate_of(self._store.status(uid), is_claimed):
            case Fate.WORK:
                self._after_work(delivery, uid)
            case Fate.HIDE:
                self._queue.give_back([delivery], self._stale_s)
            case Fate.DELETE:
                self._queue.acknowledge([delivery])

    def _after_work(self, delivery: Delivery, uid: bytes) -> None:
        """A failed attempt comes again at once; what has ended is done with."""
        trip("understand.before_acknowledge")
        if fate_of(self._store.status(uid), is_claimed=False) is Fate.DELETE:
            self._queue.acknowledge([delivery])
        else:
            self._queue.give_back([delivery])
