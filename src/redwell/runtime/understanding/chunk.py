"""Ingestions that one thread claimed together: worked on one by one, written together, about a second's work at once.

With a model that takes its time that is one ingestion, or less than one: its answers are written as they come. Killed,
a process loses what it had not written; whoever comes next does that again.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from redwell.core.ids import uuid_text
from redwell.core.trip import trip
from redwell.core.understanding.states import Status
from redwell.core.understanding.turns import Claimed, Ended, Want
from redwell.ports.understanding import UnderstandingStore
from redwell.runtime.monitor.logs import bound, timed
from redwell.runtime.understanding.heartbeat import now_ms
from redwell.understand.pipeline import Pipeline

SOON_S = 1.0
log = logging.getLogger(__name__)
OnEnd = Callable[[Ended, Status | None, float], None]  # its status, the seconds it took


class Chunk:
    def __init__(self, store: UnderstandingStore, pipeline: Pipeline, on_end: OnEnd) -> None:
        self._store, self._pipeline, self._on_end = store, pipeline, on_end
        self._book = pipeline.book()
        self._done: list[tuple[Ended, float]] = []
        self._settled = set[int]()
        self._written = time.monotonic()

    def work(self, claims: Sequence[Claimed], stopping: threading.Event) -> None:
        """All of them; whoever is told to stop finishes the one in work."""
        for claim in claims:
            if self._settled and stopping.is_set():
                return
            if self._done and time.monotonic() - self._written >= SOON_S:
                self.write(None)
            began = time.monotonic()
            with bound(**about(claim)):
                ended = self._pipeline.run(claim, self._book)
            self._settled.add(claim.id)
            self._done.append((ended, time.monotonic() - began))

    def write(self, want: Want | None) -> Sequence[Claimed]:
        """The results that there are, with the next claims."""
        done, self._done, self._written = self._done, [], time.monotonic()
        written = {"exhibit_ids": [each.claim.exhibit for each, _ in done]}
        with timed(log, "completion", **written):
            turned = self._store.end([each for each, _ in done], self._book.take(), now_ms(), want)
        trip("understand.complete.after_commit")
        for (ended, took_s), status in zip(done, turned.statuses, strict=True):
            with bound(**about(ended.claim)):
                self._on_end(ended, status, took_s)
        return turned.claims

    def leave(self, claims: Sequence[Claimed]) -> None:
        """What was done stays done; what was not begun is anybody's, and has cost no attempt."""
        if self._done:
            self.write(None)
        if left := [claim for claim in claims if claim.id not in self._settled]:
            self._store.hand_back(left)


def about(claim: Claimed) -> dict[str, Any]:
    """What every line about it says (SPEC B10)."""
    return {
        "ingestion_id": uuid_text(claim.uid),
        "document_id": uuid_text(claim.document_uid),
        "exhibit_ids": [claim.exhibit],
        **{name: value for name, value in (("batch", claim.batch), ("job", claim.job)) if value is not None},
        "worker_id": claim.owner,
        "attempt": claim.attempt,
    }
