"""The other workers of a case: which of them live, and a sign that this one does.

A lock in the case's folder that a process holds tells at once when it is gone, also after the machine was switched
off or the folder was copied. A worker of another machine that shares the case has its lock elsewhere; it, and one
that is frozen while it holds its lock, is known by its number that no longer rises (core.jobs.liveness).
Used by the threads that work on cases; the numbers of all cases are raised by one thread of the process.
"""

import logging
import os
import threading
import time
from collections.abc import Callable

from redwell.core.errors import RedwellError
from redwell.core.jobs.job import GC, WorkerRow
from redwell.core.jobs.liveness import Pulses, next_check_s
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.services.host_identity import host_name, is_elsewhere

POLL_S = 0.5
log = logging.getLogger(__name__)


class OtherWorkers:
    def __init__(self, case: Case, kind: str, slots: int) -> None:
        self._case = case
        self._pulses = Pulses(case.settings.lease_s)
        self._rows: dict[str, WorkerRow] = {}
        now = time.time_ns() // 1_000_000
        host = host_name(case.folder)
        self.own = WorkerRow(id=case.worker, host=host, pid=os.getpid(), kind=kind, slots=slots, started_ms=now)

    def beat(self) -> None:
        self._case.store.beat(self.own)

    def sweep(self) -> int:
        """What the dead held goes back into the queue, and their rows go."""
        store = self._case.store
        self._rows = {row.id: row for row in store.workers()}
        dead = [key for key in self._rows if not self.alive(key)]
        swept = store.sweep(self.alive)
        store.remove_workers(dead)
        for key in dead:
            self._pulses.forget(key)
        return swept

    def wait_for_gc(self, stopping: threading.Event) -> None:
        """Until no other machine deletes files: one that no row points at might be found there, used, and deleted.

        A gc is registered before it asks who is at work, and so is a worker: one of them sees the other. On this
        machine a lock does the same.
        """
        told = False
        while not stopping.is_set() and (gc := self._gc_elsewhere()):
            if not told:
                log.info("waits for `redwell gc` on %s", gc.host.partition("/")[0])
                told = True
            stopping.wait(POLL_S)

    def _gc_elsewhere(self) -> WorkerRow | None:
        if not self._case.is_shared:
            return None
        self._rows = {row.id: row for row in self._case.store.workers()}
        others = (row for row in self._rows.values() if row.kind == GC and is_elsewhere(row, self._case.folder))
        return next((row for row in others if self.alive(row.id)), None)

    def alive(self, worker: str) -> bool:
        if worker == self.own.id:
            return True
        row = self._rows.get(worker) or self._newcomer(worker)
        if not (row and is_elsewhere(row, self._case.folder)) and not self._case.alive(worker):
            return False
        return row is None or self._pulses.alive(worker, row.beat, time.monotonic())

    def _newcomer(self, worker: str) -> WorkerRow | None:
        """One elsewhere that came after the rows were read; here a lock tells more than a row."""
        if self._case.is_shared:
            self._rows = {row.id: row for row in self._case.store.workers()}
        return self._rows.get(worker)


class Heartbeat:
    """One thread for all leases of a process, not one for each."""

    def __init__(self, lease_s: float) -> None:
        self._period_s = next_check_s(lease_s)
        self._beats: list[Callable[[], None]] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def add(self, beat: Callable[[], None]) -> None:
        self._beats.append(beat)

    def remove(self, beat: Callable[[], None]) -> None:
        self._beats.remove(beat)

    def _run(self) -> None:
        while not self._stop.wait(self._period_s):
            for beat in list(self._beats):
                try:
                    beat()
                except RedwellError:  # the work itself will find out that the database is gone
                    pass
                except Exception:  # a thread that ended would have every other case of the process taken for dead
                    log.exception("a sign of life failed; it is tried again")

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()
