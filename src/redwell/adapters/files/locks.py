"""A worker's sign of life: a lock file it holds. The kernel frees the lock however the worker dies."""

import fcntl
import os
import time
from pathlib import Path


class HeldLock:
    """An exclusive lock on a file, held until `release` or until this process is gone."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self._fd = fd

    def release(self, *, remove: bool = False) -> None:
        if remove:
            self.path.unlink(missing_ok=True)
        os.close(self._fd)


def hold(path: Path) -> HeldLock:
    """The lock of a file that is ours alone; only somebody who looks whether we live may have it for a moment."""
    while (lock := try_lock(path)) is None:
        time.sleep(0.001)
    return lock


def try_lock(path: Path) -> HeldLock | None:
    """The lock, or None when another process (or another holder in this one) has it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return None
        if _is_at(path, fd):
            return HeldLock(path, fd)
        os.close(fd)  # it was removed between our opening and our locking: a lock on it would be worth nothing


def _is_at(path: Path, fd: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(fd))
    except FileNotFoundError:
        return False


def is_held(path: Path) -> bool:
    """True while a living process holds the lock; a leftover file of a dead one is removed."""
    if not path.exists():
        return False
    lock = try_lock(path)
    if lock is None:
        return True
    lock.release(remove=True)
    return False


def seems_held(path: Path) -> bool:
    """The same for who only looks: nothing is removed or made, and the folder may be read-only."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False
