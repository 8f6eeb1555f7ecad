"""The pool's folder for temporary files, which is gone when the pool is, however that ends. In the parent.

A pool holds a lock on its folder. One whose lock is free belonged to a process that was killed; the next pool
removes it.
"""

import contextlib
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

_PREFIX = "pool-"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class PoolFolder:
    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        with _locked(root):  # or another pool could take ours for abandoned before we hold its lock
            _remove_abandoned(root)
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root)).resolve()
            self._lock = os.open(self.path, _FOLDER)
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def new(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="child-", dir=self.path))

    def close(self) -> None:
        remove(self.path)
        os.close(self._lock)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    lock = os.open(folder, _FOLDER)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _remove_abandoned(root: Path) -> None:
    for folder in root.glob(f"{_PREFIX}*"):
        lock = os.open(folder, _FOLDER)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(folder)
        except BlockingIOError:
            continue  # its pool is alive
        finally:
            os.close(lock)


def size_mb(folder: Path, max_entries: int = 10_000) -> int:
    """What lies in the folder; more entries than `max_entries` are not counted."""
    total, seen = 0, 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(parent, name)).st_blocks * 512
        seen += len(names) + 1
        if seen > max_entries:
            break
    return total >> 20


def remove(folder: Path) -> None:
    """Remove a folder that a hostile process filled: any depth, any modes, no link followed.

    Folders inside are first moved up, so that no path gets long and no recursion deep.
    """
    top = os.open(folder, _FOLDER)
    try:
        while names := os.listdir(top):
            for name in names:
                _remove_entry(top, name)
    finally:
        os.close(top)
    os.rmdir(folder)


def _remove_entry(top: int, name: str) -> None:
    if not _is_folder(top, name):
        os.unlink(name, dir_fd=top)
        return
    inside = os.open(name, _FOLDER, dir_fd=top)
    try:
        for entry in os.listdir(inside):
            if _is_folder(inside, entry):
                os.rename(entry, f"moved-{uuid4().hex}", src_dir_fd=inside, dst_dir_fd=top)
            else:
                os.unlink(entry, dir_fd=inside)
    finally:
        os.close(inside)
    os.rmdir(name, dir_fd=top)


def _is_folder(parent: int, name: str) -> bool:
    """Whether it is one; it can be entered and moved then, whatever its mode was."""
    found = stat.S_ISDIR(os.lstat(name, dir_fd=parent).st_mode)
    if found:
        os.chmod(name, 0o700, dir_fd=parent)
    return found
