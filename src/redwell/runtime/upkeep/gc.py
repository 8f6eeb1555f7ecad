"""`redwell gc`: removes the files that a kill left behind. Rows are never removed. Called by the command line."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from redwell.core.errors import Recoverable
from redwell.core.jobs.job import GC
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.services.host_identity import is_elsewhere
from redwell.runtime.worker.other_workers import Heartbeat, OtherWorkers


def collect_garbage(case: Case, dry_run: bool) -> tuple[int, int]:
    """How many files no row and no living worker needs, and their bytes; they are gone unless `dry_run`."""
    case.stop_storing()
    files = size = 0
    with _present(case) as presence:  # before the files are listed
        for orphan, count in case.blobs.orphans(case.rows.blobs(), lambda: _elsewhere(case)):
            files, size = files + 1, size + count
            if not dry_run:
                presence.require()
                case.blobs.remove(orphan)
    for remains in case.place.remains():
        files, size = files + remains.files, size + remains.bytes
        if not dry_run:
            case.place.remove(remains)
    return files, size


class Presence:
    """What workers of other machines see of a gc; as long as they do, they wait (other_workers).

    One that was frozen so long that they took it for dead must not go on: its row was removed, or is another one whose
    number begins anew.
    """

    def __init__(self, case: Case) -> None:
        self._case, self._other_workers = case, OtherWorkers(case, GC, slots=0)
        self._beats, self._lock = 0, threading.Lock()

    def beat(self) -> None:
        with self._lock:
            self._other_workers.beat()
            self._beats += 1

    def require(self) -> None:
        if not self._case.is_shared:
            return
        with self._lock:
            beats = {row.id: row.beat for row in self._case.store.workers()}
            if beats.get(self._case.worker) != self._beats:
                raise Recoverable("workers of other machines took this gc for dead and went on: run it again")


@contextmanager
def _present(case: Case) -> Iterator[Presence]:
    """A case that is not shared has its workers on this machine, and they wait for a lock."""
    presence = Presence(case)
    if not case.is_shared:
        yield presence
        return
    presence.beat()
    heartbeat = Heartbeat(case.settings.lease_s)
    heartbeat.add(presence.beat)
    try:
        yield presence
    finally:
        heartbeat.stop()
        case.store.remove_workers([case.worker])


def _elsewhere(case: Case) -> set[str]:
    """Workers of other machines, as far as the ledger knows: one that died lately is still among them."""
    return {row.id for row in case.store.workers() if is_elsewhere(row, case.folder)}
