"""A /tmp, a /dev/shm and a /proc that a child shares with nobody, for programs that take no others.

They are folders below the child's own, so that their size is watched and they go with it. Called by the launcher and
the template, in a mount namespace of their own. Where the kernel allows none of this, OSError.
"""

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from redwell.core.work.profiles import OWN_FOLDERS
from redwell.handlers.sandbox import kernel

_THE_SAME = os.ST_NOSUID | 4 | 8 | 1024 | 2048  # no devices, no programs, no times of access: as `mount` has them
_ST_RELATIVE_TIMES = 4096


def hide_shared_folders(own: str, scratch: str, kept: Iterable[str]) -> None:
    """In the launcher. What is `kept` can be read where it was, also when it lies below a folder that is hidden.

    It is mounted read-only there: whoever may write to the folder around it could else write to it, too.
    """
    kernel.mount(None, "/", kernel.MS_RECURSIVE | kernel.MS_PRIVATE)
    hidden = tuple(f"{place}/" for place in OWN_FOLDERS.values())
    stand_ins = {os.path.join(own, name): place for name, place in OWN_FOLDERS.items()}
    written = {scratch, *stand_ins}
    moves = list(stand_ins.items())
    moves += [
        (path, path) for path in sorted({own, *written, *kept}) if path.startswith(hidden) and os.path.exists(path)
    ]
    with contextlib.ExitStack() as files:  # opened now, since the first of them hides others
        opened = [(source, _opened(source, files), place) for source, place in moves]
        for source, fd, place in opened:
            _make(Path(place), is_file=not stat.S_ISDIR(os.fstat(fd).st_mode))
            kernel.mount(f"/proc/self/fd/{fd}", place, kernel.MS_BIND)
            if source not in written:
                kernel.mount(None, place, kernel.MS_BIND | kernel.MS_REMOUNT | kernel.MS_READ_ONLY | _flags(place))


def _make(place: Path, *, is_file: bool) -> None:
    if not is_file:
        place.mkdir(parents=True, exist_ok=True)
    elif not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()


def _flags(place: str) -> int:
    """Those that it is mounted with: who is not root may add some, and take none away."""
    told = os.statvfs(place).f_flag
    return told & _THE_SAME | (kernel.MS_RELATIVE_TIMES if told & _ST_RELATIVE_TIMES else 0)


def _opened(path: str, files: contextlib.ExitStack) -> int:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    files.callback(os.close, fd)
    return fd


def show_own_processes() -> bool:
    """In the template, the first process of its namespace: /proc names the child's own processes and no other."""
    try:
        kernel.mount("proc", "/proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC, kind="proc")
    except OSError:  # some containers forbid it; /proc stays closed to the host then
        return False
    return True
