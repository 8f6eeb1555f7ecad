"""Works on the ingestions of a case until none is left: claims, beats, completes or fails each. Many may run at once.

Killed anywhere, the claim goes stale and another takes it over; what it had not written never happened.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import astuple, dataclass, replace
from typing import Any

from redwell.core.errors import RedwellError
from redwell.core.ids import uuid7, uuid_text
from redwell.core.trip import trip
from redwell.core.understanding.states import CLAIM_STALE_S, HEARTBEAT_S, Status
from redwell.ports.understanding import Claimed, UnderstandingStore
from redwell.runtime.monitor.logs import bound, timed
from redwell.understand.pipeline import Pipeline, Tools

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Account:
    completed: int = 0
    flagged: int = 0
    failed: int = 0
    tried_again: int = 0
    lost: int = 0

    def __add__(self, other: "Account") -> "Account":
        return Account(*(one + two for one, two in zip(astuple(self), astuple(other), strict=True)))


class Heartbeat:
    """One thread for all claims of the process (B4)."""

    def __init__(self, store: UnderstandingStore, every_s: float = HEARTBEAT_S) -> None:
        self._store, self._every_s = store, every_s
        self._held: dict[int, Claimed] = {}
        self._others: list[Callable[[], None]] = []
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._beat, name="understanding-heartbeat", daemon=True)

    def __enter__(self) -> "Heartbeat":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def hold(self, claim: Claimed) -> None:
        with self._lock:
            self._held[claim.id] = claim

    @contextmanager
    def also(self, beat: Callable[[], None]) -> Iterator[None]:
        """What else lives on by it: leases of messages."""
        self._others.append(beat)
        try:
            yield
        finally:
            self._others.remove(beat)

    def let_go(self, claim: Claimed) -> None:
        with self._lock:
            self._held.pop(claim.id, None)

    def _beat(self) -> None:
        while not self._ended.wait(self._every_s):
            with self._lock:
                held = list(self._held.values())
            try:
                lost = self._store.beat(held, now_ms()) if held else set()
                for other in list(self._others):
                    other()
            except RedwellError as error:
                log.warning("the heartbeat could not be written: %s", error)
                continue
            for key in lost:
                log.warning("the claim on ingestion %s was taken over", key)


class Run:
    def __init__(
        self,
        tools: Tools,
        slots: int = 1,
        stale_s: int = CLAIM_STALE_S,
        owner: str = "",
        stopping: threading.Event | None = None,
    ) -> None:
        self._store, self._slots, self._stale_s = tools.store, slots, stale_s
        self._worker = owner or uuid7().hex
        self._pipeline = Pipeline(replace(tools, step=lambda name: timed(log, name)))
        self._held: dict[int, Claimed] = {}
        self._lock, self.account, self.stopping = threading.Lock(), Account(), stopping or threading.Event()
        self.on_progress: Callable[[Account], None] = lambda _: None

    def until_none_is_left(self) -> Account:
        with Heartbeat(self._store) as heart, ThreadPoolExecutor(self._slots) as pool:
            try:
                for done in [pool.submit(copy_context().run, self._loop, heart) for _ in range(self._slots)]:
                    done.result()
            except BaseException:
                self.stopping.set()
                raise
        return self.account

    def one(self, heart: Heartbeat, uid: bytes | None = None) -> bool:
        """False: there was nothing to claim."""
        claim = self._store.claim(self._worker, now_ms(), self._stale_s, uid)
        if claim is None:
            return False
        trip("understand.claim.after_commit")
        heart.hold(claim)
        self._held[claim.id] = claim
        try:
            with bound(**self._about(claim)):
                self._work(claim)
        finally:
            self._held.pop(claim.id, None)
            heart.let_go(claim)
        return True

    def hand_back(self) -> None:
        """Another may take what is in work here, at once."""
        self._store.hand_back(list(self._held.values()))

    def _loop(self, heart: Heartbeat) -> None:
        while not self.stopping.is_set() and self.one(heart):
            self.on_progress(self.account)

    def _work(self, claim: Claimed) -> None:
        began = time.monotonic()
        try:
            result = self._pipeline.run(claim)
        except Exception as error:  # of any library below: it costs this document an attempt, and no other
            self._failed(claim, error, began)
            return
        with timed(log, "completion"):
            is_written = self._store.complete(claim, result, now_ms())
        trip("understand.complete.after_commit")
        with self._lock:
            self.account.completed += is_written
            self.account.flagged += is_written and result.is_flagged
            self.account.lost += not is_written
        self._log(claim, "completed" if is_written else "lost", began)

    def _failed(self, claim: Claimed, error: Exception, began: float) -> None:
        status = self._store.fail(claim, f"{type(error).__name__}: {error}", now_ms())
        with self._lock:
            self.account.failed += status is Status.FAILED
            self.account.tried_again += status is Status.IN_PROGRESS
            self.account.lost += status is None
        self._log(claim, f"failed: {error}", began)

    def _log(self, claim: Claimed, status: str, began: float) -> None:
        with bound(step="understanding", duration_ms=round((time.monotonic() - began) * 1000), status=status):
            log.info("understanding of exhibit %s: %s", claim.exhibit, status)

    def _about(self, claim: Claimed) -> dict[str, Any]:
        """What every line about it says (SPEC B10)."""
        return {
            "ingestion_id": uuid_text(claim.uid),
            "document_id": claim.document,
            "exhibit_ids": [claim.exhibit],
            "worker_id": self._worker,
            "attempt": claim.attempt,
        }


def now_ms() -> int:
    return time.time_ns() // 1_000_000
