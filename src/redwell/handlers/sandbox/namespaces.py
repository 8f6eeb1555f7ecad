"""Three processes per child, so that killing one of them leaves nothing behind.

    launcher   what the parent started; ends when the child has ended, with its exit status
    warden     first process of a new PID namespace: reaps orphans, and takes all with it when it ends
    host       reads evidence; the only one that holds the pipes and the spools

Without a PID namespace the launcher is the warden too, and ends the orphans by hand.
Called by the host's `main`, before anything else is imported: the two that only wait stay small.
"""

import contextlib
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

from redwell.handlers.sandbox import kernel

_NEW_USER = 0x1000_0000
_NEW_NAMESPACES = 0x2000_0000 | 0x4000_0000 | 0x0800_0000  # PID, network, IPC
_FIRST_PRIVATE_FD = 3
_FD_END = 1024


def separate() -> str:
    """Return in the host process alone: "on", or why the kernel gave no namespaces."""
    if sys.platform != "linux":
        return "needs Linux"
    # Not SIGKILL: a launcher that is its own warden has to end the orphans first.
    kernel.die_with_parent(signal.SIGTERM)
    state = _enter_namespaces()
    if state == "on" and (warden := os.fork()):
        _watch(warden)
    if state == "on":
        kernel.die_with_parent(signal.SIGKILL)
    kernel.adopt_orphans()
    if host := os.fork():
        _watch(host)
    kernel.die_with_parent(signal.SIGKILL)
    return state


def _enter_namespaces() -> str:
    """Root needs no user namespace, and without one keeps the right to read other people's files."""
    user, group = os.geteuid(), os.getegid()
    for flags in (_NEW_NAMESPACES, _NEW_NAMESPACES | _NEW_USER):
        try:
            kernel.unshare(flags)
        except OSError as error:
            refusal = str(error.strerror)
            continue
        if flags & _NEW_USER:
            _keep_own_id(user, group)
        return "on"
    return f"the kernel refused user, PID, network and IPC namespaces: {refusal}"


def _keep_own_id(user: int, group: int) -> None:
    """Be oneself inside, too. Files are judged by the outer id in any case, so a refusal costs nothing."""
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _watch(pid: int) -> NoReturn:
    """Reap until `pid` ends, end whatever it left behind, and exit as it did."""
    os.closerange(_FIRST_PRIVATE_FD, _FD_END)
    signal.signal(signal.SIGTERM, _end_with_all)
    while True:
        ended, status = os.wait()
        if ended == pid:
            break
    _end_descendants()
    code = os.waitstatus_to_exitcode(status)
    os._exit(128 - code if code < 0 else code)


def _end_with_all(_number: int, _frame: FrameType | None) -> None:
    _end_descendants()
    os._exit(128 + signal.SIGTERM)


def _end_descendants() -> None:
    """Kill children until there are none: theirs become ours as they die."""
    while children := _children():
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.wait()[0] not in children:
                pass


def _children() -> set[int]:
    """Our own children; none in a PID namespace, whose kernel ends them with its first process."""
    if os.getpid() == 1:
        return set()
    try:
        return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}
    except OSError:
        return set()
