"""Works on the ingestions of a case until none is left: claims, beats, completes or fails each. Many may run at once.

Killed anywhere, the claim goes stale and another takes it over; what it had not written never happened.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import astuple, dataclass, replace

from redwell.core.ids import uuid7
from redwell.core.trip import trip
from redwell.core.understanding.states import CLAIM_STALE_S, Status
from redwell.core.understanding.turns import Claimed, Ended, Want, chunk_size
from redwell.runtime.monitor.logs import bound, timed
from redwell.runtime.understanding.chunk import Chunk
from redwell.runtime.understanding.heartbeat import Heartbeat, now_ms
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
        claims = self._store.claim(self._want(uid=uid))
        if claims:
            self._turn(heart, claims, goes_on=False)
        return bool(claims)

    def hand_back(self) -> None:
        """Another may take what is in work here, at once."""
        self._store.hand_back(list(self._held.values()))

    def _loop(self, heart: Heartbeat) -> None:
        claims: Sequence[Claimed] = () if self.stopping.is_set() else self._store.claim(self._want())
        while claims:
            claims = self._turn(heart, claims, goes_on=True)
            self.on_progress(self.account)

    def _want(self, uid: bytes | None = None, most: int = 1) -> Want:
        return Want(owner=self._worker, now_ms=now_ms(), stale_s=self._stale_s, uid=uid, most=most)

    def _turn(self, heart: Heartbeat, claims: Sequence[Claimed], goes_on: bool) -> Sequence[Claimed]:
        """From claims to the next ones, which are written with the results of the first."""
        trip("understand.claim.after_commit")
        self._held.update({claim.id: claim for claim in claims})
        heart.hold(claims)
        chunk = Chunk(self._store, self._pipeline, self._ended)
        try:
            began = time.monotonic()
            chunk.work(claims, self.stopping)
            most = chunk_size(time.monotonic() - began, len(claims))
            return chunk.write(self._want(most=most) if goes_on and not self.stopping.is_set() else None)
        finally:
            chunk.leave(claims)
            heart.let_go(claims)
            for claim in claims:
                self._held.pop(claim.id, None)

    def _ended(self, ended: Ended, status: Status | None, took_s: float) -> None:
        with self._lock:
            self.account.completed += status is Status.COMPLETED
            self.account.flagged += status is Status.COMPLETED and bool(ended.result and ended.result.is_flagged)
            self.account.failed += status is Status.FAILED
            self.account.tried_again += status is Status.IN_PROGRESS
            self.account.lost += status is None
        said = "lost" if status is None else "completed" if ended.result else f"failed: {ended.detail}"
        with bound(step="understanding", duration_ms=round(took_s * 1000), status=said):
            log.info("understanding of exhibit %s: %s", ended.claim.exhibit, said)
