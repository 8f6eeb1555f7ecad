"""The sign of life of claims and messages: one thread for all of a process (SPEC B4)."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from redwell.core.errors import RedwellError
from redwell.core.understanding.states import HEARTBEAT_S
from redwell.core.understanding.turns import Claimed
from redwell.ports.understanding import UnderstandingStore

log = logging.getLogger(__name__)


class Heartbeat:
    """Beats until it is left."""

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

    def hold(self, claims: Sequence[Claimed]) -> None:
        with self._lock:
            self._held.update({claim.id: claim for claim in claims})

    @contextmanager
    def also(self, beat: Callable[[], None]) -> Iterator[None]:
        """What else lives on by it: leases of messages."""
        self._others.append(beat)
        try:
            yield
        finally:
            self._others.remove(beat)

    def let_go(self, claims: Sequence[Claimed]) -> None:
        with self._lock:
            for claim in claims:
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


def now_ms() -> int:
    return time.time_ns() // 1_000_000
