"""The layers that hold a host process. Each is reported as "on" or with the reason it is not.

    rlimits     address space, file size, open files, no core dumps
    privileges  no capability but reading, none to be gained
    landlock    reads what it was given and the programs' own files, writes below scratch
    seccomp     no sockets, no new processes, no mounts, no tracing, no file modes or times
    namespaces  no process of others in sight, no network device (made by `namespaces.separate` beforehand)
    folders     a /tmp and a /dev/shm of its own, for profiles that have them

`sandbox=required` asks for the first four, and for the folders where a profile has them. Namespaces are left to where
the kernel allows them: many containers refuse them, seccomp already denies the network, and the launcher ends what a
host leaves behind.
`sandbox=best` takes what there is; on macOS that is rlimits.
Called by the host before it reads any evidence.
"""

import contextlib
import importlib
import os
import resource
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from redwell.core.wire import Setup
from redwell.core.work.profiles import OWN_FOLDERS

MANDATORY = ("rlimits", "privileges", "landlock", "seccomp")
_OPEN_FILES = 256
_OPEN_FILES_OF_PROGRAMS = 1024
_MB = 1 << 20
_SYSTEM_READABLE = (
    "/usr /lib /lib64 /bin /sbin /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/localtime /etc/fonts "
    "/etc/mime.types /etc/magic /etc/alternatives /dev/null /dev/zero /dev/urandom /dev/random "
    "/proc/self /proc/cpuinfo /proc/meminfo /proc/filesystems /proc/sys/vm/overcommit_memory /sys/devices/system/cpu"
).split()


class Around(NamedTuple):
    """What was made around the host before it was forked: each is "on", or why not."""

    namespaces: str
    folders: str
    processes: bool  # /proc shows its own alone


class Refused(Exception):
    """A layer that `sandbox=required` asks for cannot be had; the text says which and why."""


def prepare_layers() -> None:
    """Once for all hosts, what takes long. What is missing shows when the layer is put on."""
    program_files()
    if sys.platform == "linux":
        with contextlib.suppress(ImportError, RuntimeError):
            importlib.import_module("redwell.handlers.sandbox.seccomp")


def lock_down(setup: Setup, around: Around) -> dict[str, str]:
    """Put on every layer there is, and say how each stands. There is no way back."""
    layers = {
        "namespaces": around.namespaces,
        "rlimits": _attempt(lambda: _limit(setup)),
        "privileges": _attempt(_renounce_privileges),
        "landlock": _attempt(lambda: _confine(setup, around)),
        "seccomp": _attempt(lambda: _refuse_calls(setup, around)),
        **({"folders": around.folders} if setup.rights.folders else {}),
    }
    missing = [name for name in (*MANDATORY, "folders") if layers.get(name, "on") != "on"]
    if missing and setup.sandbox == "required":
        raise Refused("; ".join(f"{name}: {layers[name]}" for name in missing))
    return layers


def _attempt(layer: Callable[[], None]) -> str:
    try:
        layer()
    except OSError as error:
        return error.strerror or str(error)
    except (ImportError, RuntimeError, ValueError) as error:
        return str(error)
    return "on"


def _limit(setup: Setup) -> None:
    """RLIMIT_NPROC is left alone: it counts the user's processes, not the child's. The parent counts those."""
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: _OPEN_FILES_OF_PROGRAMS if setup.rights.processes else _OPEN_FILES,
        resource.RLIMIT_FSIZE: 2 * setup.spool_mb * _MB,  # the host asks to be replaced in between
        resource.RLIMIT_AS: setup.address_space_mb * _MB,
    }
    if setup.rights.any_address_space:
        del limits[resource.RLIMIT_AS]
    for limit, value in limits.items():
        _, hard = resource.getrlimit(limit)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(limit, (value, value))


def _renounce_privileges() -> None:
    _need_linux()
    from redwell.handlers.sandbox import kernel

    kernel.renounce_privileges()


def _confine(setup: Setup, around: Around) -> None:
    _need_linux()
    from redwell.handlers.sandbox import landlock

    readable = [*setup.readable, *program_files(), *_SYSTEM_READABLE, *setup.rights.readable]
    readable += ["/proc"] if around.processes else []
    own = OWN_FOLDERS if setup.rights.folders else ()
    writable = [setup.scratch, "/dev/null", *(os.path.join(setup.own, name) for name in own)]
    landlock.confine(readable, writable, special=setup.rights.sockets)


def _refuse_calls(setup: Setup, around: Around) -> None:
    _need_linux()
    from redwell.handlers.sandbox import seccomp

    seccomp.refuse_calls(setup.rights, own_pids=around.namespaces == "on")


def _need_linux() -> None:
    if sys.platform != "linux":
        raise OSError("needs Linux")


@cache
def program_files() -> frozenset[str]:
    """Where Python and its packages lie: handlers import the heavy ones when they need them."""
    prefixes = (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    folders = (os.path.realpath(folder) for folder in sys.path if folder)
    return frozenset((*prefixes, *sysconfig.get_paths().values(), *folders))
