"""Opening evidence without leaving a trace on it, and what is said of evidence that can't be opened."""

import errno
import os

from redwell.core.outcomes import Code
from redwell.core.reading import Problem


def open_untouched(path: bytes, kind: int = 0) -> int:
    """Never follows a link, never blocks on a pipe, leaves the access time alone where that is allowed."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | kind
    try:
        return os.open(path, flags | getattr(os, "O_NOATIME", 0))
    except PermissionError:
        return os.open(path, flags)


def refusal(error: OSError) -> Problem:
    """A file that was listed and is gone is no damaged one."""
    said = error.strerror or str(error)
    if error.errno in {errno.ENOENT, errno.ESTALE}:
        return Problem(code=Code.SOURCE_VANISHED, detail=f"it was listed, and gone when it was to be read: {said}")
    return Problem(code=Code.SOURCE_UNREADABLE, detail=said)
