"""Which machine this is. Asked wherever a process says of itself, or of its files, where they are."""

import os
import socket
from pathlib import Path

from redwell.core.jobs.job import WorkerRow
from redwell.runtime.bootstrap.cases.case_notes import is_shared


def machine_name() -> str:
    return socket.gethostname()


def inode_of(path: bytes) -> int:
    """The same on every machine that sees the same file system; 0 where nothing is there."""
    try:
        return os.stat(path).st_ino
    except OSError:
        return 0


def host_name(folder: Path) -> str:
    """This machine since it was started, and this folder of a case: only who shares both can see by a lock who lives.

    Two homes on one machine have two folders, as have two containers; a copied folder is another one too.
    """
    boot, place = Path("/proc/sys/kernel/random/boot_id"), os.stat(folder)
    since = boot.read_text().strip()[:8] if boot.exists() else ""
    return f"{machine_name()}/{since}-{place.st_dev:x}-{place.st_ino:x}"


def is_elsewhere(worker: WorkerRow, folder: Path) -> bool:
    """Its lock is in a folder of another machine or home, so a lock that is not here says nothing.

    A case that is not shared has one folder, whatever machine it was on when the worker came, and since it was copied.
    """
    return worker.host != host_name(folder) and is_shared(folder)
