"""How the folder of a case is laid out besides its rows and bytes: locks, scratch, index. Nobody else knows.

locks/worker-<id>   a worker's sign of life, held while it lives
locks/<role>        of what one process at a time may be: the indexer, the publisher, the webhook's teller
scratch/<id>        of the children of one worker; emptied
index               the search index
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from redwell.adapters.files.locks import HeldLock, hold, is_held, seems_held, try_lock
from redwell.ports.case_folder import Remains

_WORKER = "worker-"


class CaseFolder:
    """Keeps the promises of `ports.case_folder.CaseFolder`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def index(self) -> Path:
        return self.path / "index"

    @property
    def blobs(self) -> Path:
        """What children may read."""
        return self.path / "blobs"

    def scratch_of(self, worker: str) -> Path:
        return self.path / "scratch" / worker

    def live_as(self, worker: str) -> HeldLock:
        """This process's sign of life; what killed workers left in scratch goes."""
        life = hold(self._life(worker))
        for leftover in (self.path / "scratch").glob("*"):
            if not is_held(self._life(leftover.name)):
                shutil.rmtree(leftover, ignore_errors=True)
        return life

    def is_alive(self, worker: str) -> bool:
        return is_held(self._life(worker))

    def is_worked_on(self) -> bool:
        """By anybody on this machine."""
        return any(is_held(path) for path in (self.path / "locks").glob(f"{_WORKER}*"))

    def looks_alive(self, worker: str) -> bool:
        return seems_held(self._life(worker))

    def try_role(self, role: str) -> HeldLock | None:
        return try_lock(self.path / "locks" / role)

    def remains(self) -> Iterator[Remains]:
        """Scratch folders, then locks: only the lock tells whether its worker lives."""
        for path in sorted((self.path / "scratch").glob("*")):
            if self._is_dead(path.name):
                yield _remains(path)
        for path in sorted((self.path / "locks").glob(f"{_WORKER}*")):
            if self._is_dead(path.name.removeprefix(_WORKER)):
                yield _remains(path)

    def remove(self, remains: Remains) -> None:
        path = remains.path
        if _is_folder(path):
            shutil.rmtree(path)
        elif path.name.startswith(_WORKER):
            is_held(path)  # removes it while the lock is ours, and only then
        else:
            path.unlink(missing_ok=True)

    def _life(self, worker: str) -> Path:
        return self.path / "locks" / f"{_WORKER}{worker}"

    def _is_dead(self, worker: str) -> bool:
        return not seems_held(self._life(worker))


def _remains(path: Path) -> Remains:
    if not _is_folder(path):
        return Remains(path, 1, path.lstat().st_size)
    inside = [Path(folder, name) for folder, _, names in os.walk(path) for name in names]
    return Remains(path, len(inside), sum(each.lstat().st_size for each in inside))


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
