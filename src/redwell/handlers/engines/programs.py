"""Programs that handlers start: each in a session of its own, so that it ends with all that it started.

Called by the engines, in a child whose profile may start programs.
"""

import contextlib
import errno
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

_LEAST_ROOM = 1 << 20


def found(names: Sequence[str]) -> str:
    """The first of these programs that is installed; a name with a slash is a path. Empty: none is."""
    return next((path for name in names if (path := shutil.which(name))), "")


def version_of(program: str) -> str:
    """What it says of itself, without its name: the first word that begins with a digit."""
    if not program:
        return ""
    try:
        told = subprocess.run([program, "--version"], capture_output=True, timeout=60, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next((word for word in told.decode("utf-8", "replace").split() if word[0].isdigit()), "")


def start(command: Sequence[str], folder: Path, pass_fds: Sequence[int] = ()) -> "subprocess.Popen[bytes]":
    """Nothing to read, and nobody reads what it complains of; what it says comes through `stdout`."""
    return subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=pass_fds,
        start_new_session=True,
    )


def expect_room(folder: Path) -> None:
    """OSError where the disk is full: what a program made there, or could not make, says nothing of its document."""
    if shutil.disk_usage(folder).free < _LEAST_ROOM:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def end(process: "subprocess.Popen[bytes]") -> int:
    """Kill it and its session; its exit code, which is its own where it had ended by itself."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.stdout:
        process.stdout.close()
    return process.wait()
