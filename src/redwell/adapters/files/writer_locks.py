"""Who is writing to a case's blobs. The kernel drops a lock with its process, so a kill leaves none held.

Called by the blob store of each process, and by gc.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from redwell.adapters.files.folders import Folder
from redwell.core.errors import Permanent

_SUFFIX = ".lock"


@contextmanager
def writing(blobs: Folder, writers: Folder, writer: str) -> Iterator[None]:
    """Others know that this writer runs; waits for a gc that is deleting right now."""
    with _opened(blobs, "lock") as shared:
        fcntl.flock(shared, fcntl.LOCK_SH)
        with _opened(writers, writer + _SUFFIX) as own:
            if not _take(own, fcntl.LOCK_EX):
                raise Permanent(f"the writer {writer} is already running on {blobs.path}")
            yield
            with suppress(FileNotFoundError):
                os.unlink(writer + _SUFFIX, dir_fd=writers.fd)


@contextmanager
def alone(blobs: Folder) -> Iterator[bool]:
    """True when no writer is running; then none can start until this ends."""
    with _opened(blobs, "lock") as fd:
        yield _take(fd, fcntl.LOCK_EX)


def running(writers: Folder) -> set[str]:
    return {name.removesuffix(_SUFFIX) for name in writers.names() if _is_held(writers, name)}


def _is_held(writers: Folder, name: str) -> bool:
    with _opened(writers, name) as fd:
        return not _take(fd, fcntl.LOCK_SH)


@contextmanager
def _opened(folder: Folder, name: str) -> Iterator[int]:
    fd = folder.open_lock(name)
    try:
        yield fd
    finally:
        os.close(fd)


def _take(fd: int, lock: int) -> bool:
    try:
        fcntl.flock(fd, lock | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
