"""Landlock: the child sees the files it was given, and writes below its scratch folder alone.

Called by the sandbox's `lock_down`, in the host process. A kernel without Landlock raises OSError.
"""

import ctypes
import os
import stat
from collections.abc import Iterable

from redwell.handlers.sandbox import kernel

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same number on every architecture
_RULE_PATH_BENEATH = 1
_ASK_VERSION = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REG, _MAKE_SOCK, _MAKE_FIFO, _MAKE_SYM = 1 << 7, 1 << 8, 1 << 9, 1 << 10, 1 << 12
_FIRST_VERSION = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ADDED = {2: _REFER, 3: _TRUNCATE, 5: _IOCTL_DEV}
_ALL_NETWORK = 0b11  # bind and connect of TCP; version 4
_ALL_SCOPES = 0b11  # abstract Unix sockets, signals; version 6

READ = _EXECUTE | _READ_FILE | _READ_DIR
WRITE = _READ_FILE | _READ_DIR | _WRITE_FILE | _TRUNCATE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER
SPECIAL = _MAKE_SOCK | _MAKE_FIFO | _MAKE_SYM
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("access", ctypes.c_uint64), ("directory", ctypes.c_int32)]


def version() -> int:
    return kernel.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)


def confine(readable: Iterable[str], writable: Iterable[str], *, special: bool = False) -> None:
    """From here on every other path is refused, for this process and all it starts.

    `special`: sockets, pipes and links may be made where it writes, too.
    """
    known = version()
    handled = _FIRST_VERSION | sum(access for since, access in _ADDED.items() if known >= since)
    ruleset = _create(known, handled)
    try:
        for path in readable:
            _allow(ruleset, path, READ & handled)
        for path in writable:
            _allow(ruleset, path, (WRITE | SPECIAL if special else WRITE) & handled)
        kernel.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _create(known: int, handled: int) -> int:
    rules = _Ruleset(handled, _ALL_NETWORK, _ALL_SCOPES)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    return kernel.syscall(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0)


def _allow(ruleset: int, path: str, access: int) -> None:
    """A path that is not there needs no rule."""
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(opened).st_mode):
            access &= _OF_A_FILE
        rule = _PathBeneath(access, opened)
        kernel.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(opened)
