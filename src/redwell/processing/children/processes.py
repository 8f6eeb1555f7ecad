"""The processes of a child, seen and ended from outside. In the parent.

Linux shows them in /proc; elsewhere (macOS) a child is its process group, and its memory is not watched.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from redwell.core.errors import Permanent

_PAGE = os.sysconf("SC_PAGE_SIZE")
_PATIENCE_S = 10.0


def descendants(pid: int) -> list[int]:
    """Everything that `pid` started and adopted, nearest first."""
    found: list[int] = []
    queue = [pid]
    while queue:
        below = _children(queue.pop(0))
        found += below
        queue += below
    return found


def rss_mb(pids: list[int]) -> int:
    return sum(map(_resident_pages, pids)) * _PAGE >> 20


def end(process: "subprocess.Popen[bytes]") -> int:
    """Kill a launcher and all below it, and return its exit code when nothing of it is left.

    Those below go first: the launcher adopts what they leave behind, and ends by itself after them.
    """
    deadline = time.monotonic() + _PATIENCE_S
    while process.poll() is None:
        below = descendants(process.pid)
        for pid in below:
            _kill(pid)
        if sys.platform != "linux":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        elif not below:
            process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
        if time.monotonic() > deadline:
            raise Permanent(f"child {process.pid} can't be killed; a disk or network folder may be hanging")
    return process.returncode


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _children(pid: int) -> list[int]:
    """A process's threads each have children of their own."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    found: list[int] = []
    for thread in threads:
        with contextlib.suppress(OSError):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_bytes().split())
    return found


def _resident_pages(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    except (OSError, IndexError):
        return 0
