"""Four processes per child, so that a fresh host costs little and a kill leaves nothing behind.

    template   what the parent started: imports the handlers, reads no evidence, is forked for every fresh host
    launcher   makes the namespaces, waits
    warden     first process of the new PID namespace: reaps orphans, and takes all with it when it ends
    host       reads evidence, in the sandbox; the only one below the template that holds pipes and spools

Each ends as the one below it did. Where the kernel gives no PID namespace, warden and template end the orphans
themselves. Called by `host.main` and nowhere else.
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


def stand_guard() -> None:
    """In the template: whatever happens to the parent, nothing below us goes on without it."""
    signal.signal(signal.SIGTERM, _end_with_all)
    if sys.platform == "linux":
        kernel.adopt_orphans()
        kernel.die_with_parent(signal.SIGTERM)  # not SIGKILL: we have to end the others first


def separate() -> str:
    """In a fork of the template: return in the host alone, with "on" or why there are no namespaces."""
    if sys.platform != "linux":
        return "needs Linux"
    kernel.die_with_parent(signal.SIGTERM)
    state = _enter_namespaces()
    _leave_behind(os.fork())
    kernel.adopt_orphans()
    _leave_behind(os.fork())
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    return state


def outcome_of(pid: int) -> int:
    """Reap until `pid` ends, end whatever it left behind, and say how it ended: 128 and more for signals."""
    while True:
        ended, status = os.wait()
        if ended == pid:
            break
    _end_descendants()
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def _leave_behind(pid: int) -> None:
    """Go on in the new process; the old one waits for it and ends as it does."""
    if not pid:
        kernel.die_with_parent(signal.SIGKILL)
        return
    os.closerange(_FIRST_PRIVATE_FD, _FD_END)
    _exit_as(pid)


def _exit_as(pid: int) -> NoReturn:
    os._exit(outcome_of(pid))


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
    """Our own children; none for the first of a PID namespace, whose kernel ends them with it."""
    if os.getpid() == 1:
        return set()
    try:
        return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}
    except OSError:
        return set()
