"""`redwell gc`: removes the files that a kill left behind. Rows are never removed. Called by the command line."""

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redwell.adapters.files.locks import is_held, try_lock
from redwell.core.errors import Recoverable
from redwell.core.jobs import GC
from redwell.runtime.blobs import open_blobs
from redwell.runtime.bootstrap import Case
from redwell.runtime.cases import is_elsewhere
from redwell.runtime.neighbours import Heartbeat, Neighbours

_WORKER = "worker-"


def collect_garbage(case: Case, dry_run: bool) -> tuple[int, int]:
    """How many files no row and no living worker needs, and their bytes; they are gone unless `dry_run`."""
    stop_writing(case)
    files = size = 0
    with _present(case) as presence:  # before the files are listed
        for orphan, count in case.blobs.orphans(case.store.blobs(), lambda: _elsewhere(case)):
            files, size = files + 1, size + count
            if not dry_run:
                presence.require()
                case.blobs.remove(orphan)
    for path in _left_by_the_dead(case.folder):
        inside = _files_of(path)
        files, size = files + len(inside), size + sum(each.lstat().st_size for each in inside)
        if not dry_run:
            _remove(path)
    return files, size


class Presence:
    """What workers of other machines see of a gc; as long as they do, they wait (neighbours).

    One that was frozen so long that they took it for dead must not go on: its row was removed, or is another one whose
    number begins anew.
    """

    def __init__(self, case: Case) -> None:
        self._case, self._neighbours = case, Neighbours(case, GC, slots=0)
        self._beats, self._lock = 0, threading.Lock()

    def beat(self) -> None:
        with self._lock:
            self._neighbours.beat()
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


def stop_writing(case: Case) -> None:
    """While this process counts as a writer, nobody can say that a loose file is an orphan."""
    case.blobs.close()
    case.blobs = open_blobs(case.folder, case.worker, case.settings, read_only=True)


def _left_by_the_dead(folder: Path) -> Iterator[Path]:
    """Scratch folders, then locks: only the lock tells whether its worker lives."""
    locks = folder / "locks"
    for path in sorted((folder / "scratch").glob("*")):
        if _is_dead(locks / f"{_WORKER}{path.name}"):
            yield path
    for path in sorted(locks.glob(f"{_WORKER}*")):
        if _is_dead(path):
            yield path


def _is_dead(lock: Path) -> bool:
    if not lock.exists():
        return True
    held = try_lock(lock)
    if held is not None:
        held.release()
    return held is not None


def _files_of(path: Path) -> list[Path]:
    if not _is_folder(path):
        return [path]
    return [Path(folder, name) for folder, _, names in os.walk(path) for name in names]


def _remove(path: Path) -> None:
    if _is_folder(path):
        shutil.rmtree(path)
    elif path.name.startswith(_WORKER):
        is_held(path)  # removes it while the lock is ours, and only then
    else:
        path.unlink(missing_ok=True)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
