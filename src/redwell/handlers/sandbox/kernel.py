"""The few Linux calls that Python has no function for, each raising OSError where the kernel refuses.

Called by the sandbox modules, in the child's processes only.
"""

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
MS_READ_ONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 5
MS_BIND, MS_RECURSIVE, MS_PRIVATE, MS_RELATIVE_TIMES = 1 << 12, 1 << 14, 1 << 18, 1 << 21
_CAPABILITY_VERSION_3 = 0x20080522
_CAP_DAC_READ_SEARCH = 1 << 2

_libc = ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    """The result of a libc call, or the OSError it reported."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def syscall(number: int, *arguments: object) -> int:
    return checked(_libc.syscall(ctypes.c_long(number), *arguments))


def unshare(flags: int) -> None:
    checked(_libc.unshare(flags))


def mount(source: str | None, target: str, flags: int, kind: str | None = None) -> None:
    paths = (os.fsencode(source) if source else None, os.fsencode(target), os.fsencode(kind) if kind else None)
    checked(_libc.mount(*paths, ctypes.c_ulong(flags), None))


def die_with_parent(number: signal.Signals) -> None:
    checked(_libc.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0))


def adopt_orphans() -> None:
    """Descendants whose parent dies become ours instead of the system's."""
    checked(_libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def renounce_privileges() -> None:
    """Drop every capability but that of reading what root may read, and never gain one again."""
    checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    for kept in (_CAP_DAC_READ_SEARCH, 0):
        try:
            _capset(kept)
        except PermissionError:  # a normal user never had it
            continue
        return


def _capset(kept: int) -> None:
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)
    checked(_libc.capset(header, sets))
