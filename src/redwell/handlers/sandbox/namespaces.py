"""Three processes per child, so that a fresh host costs little and a kill leaves nothing behind.

    launcher   what the parent started: makes the namespaces, waits
    template   first process of the new PID namespace, all of which ends with it: imports the handlers, reads no
               evidence, is forked for every fresh host, and ends what a host leaves behind
    host       reads evidence, in the sandbox

Each ends as the one below it did. Where the kernel gives no PID namespace, template and launcher find the orphans
themselves. Called by `host` and nowhere else.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from redwell.handlers.sandbox import kernel

_NEW_USER = 0x1000_0000
_NEW_NAMESPACES = 0x2000_0000 | 0x4000_0000 | 0x0800_0000  # PID, network, IPC
_NEW_MOUNTS = 0x0002_0000
_FIRST_PRIVATE_FD = 3
_FD_END = 1024
_FIRST = 1  # of our own PID namespace: the template


def separate(mount: Callable[[], None] | None = None) -> tuple[str, str]:
    """In the launcher: return in the template alone. Whether it has namespaces of its own, and what it has mounted:
    each is "on", or why not. `mount`: has to be done where nobody else sees it.
    """
    signal.signal(signal.SIGTERM, _end_with_all)
    if sys.platform != "linux":
        return "needs Linux", "needs Linux"
    kernel.adopt_orphans()
    kernel.die_with_parent(signal.SIGTERM)  # not SIGKILL: we have to end the others first
    state = _enter_namespaces(_NEW_NAMESPACES | (_NEW_MOUNTS if mount else 0))
    mounted = _mounted(mount) if mount and state == "on" else state
    if template := os.fork():
        os.closerange(_FIRST_PRIVATE_FD, _FD_END)
        os._exit(outcome_of(template))
    kernel.adopt_orphans()
    depend_on_parent()
    return state, mounted


def _mounted(mount: Callable[[], None]) -> str:
    try:
        mount()
    except OSError as error:
        return f"{error.strerror}: {error.filename}" if error.filename else str(error.strerror)
    return "on"


def depend_on_parent() -> None:
    """In the process that was forked: without the one above there is nobody to end us."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":
        kernel.die_with_parent(signal.SIGKILL)


def outcome_of(pid: int) -> int:
    """Reap until `pid` ends, end whatever it left behind, and say how it ended: 128 and more for signals."""
    while True:
        ended, status = os.wait()
        if ended == pid:
            break
    _end_descendants()
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def _enter_namespaces(wanted: int) -> str:
    """Root needs no user namespace, and without one keeps the right to read other people's files."""
    user, group = os.geteuid(), os.getegid()
    for flags in (wanted, wanted | _NEW_USER):
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
    if os.getpid() == _FIRST:
        end_all_others()
        return
    while children := _children():
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.wait()[0] not in children:
                pass


def end_all_others() -> None:
    """Kill every process of our own PID namespace but its first and ourselves."""
    if _FIRST not in (os.getpid(), os.getppid()):
        raise RuntimeError("this is not the namespace that the sandbox made; -1 would mean every process there is")
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def _children() -> set[int]:
    try:
        return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}
    except OSError:
        return set()
