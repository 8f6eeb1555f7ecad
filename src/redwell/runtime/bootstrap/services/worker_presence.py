"""Which workers a home has, also those that have nothing to do: a file each, locked for as long as it lives."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from redwell.adapters.files.locks import hold, is_held, seems_held
from redwell.core.ids import uuid7
from redwell.ports.case_folder import Lock

_FOLDER = "workers"


class Present(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    pid: int
    kind: str
    slots: int
    started_ms: int


def appear(home: Path, kind: str, slots: int) -> Lock:
    """This process is a worker of the home until the lock is released; what dead ones left goes."""
    for left in (home / _FOLDER).glob("*"):
        is_held(left)
    me = Present(id=uuid7().hex, pid=os.getpid(), kind=kind, slots=slots, started_ms=time.time_ns() // 1_000_000)
    path = home / _FOLDER / me.id
    lock = hold(path)
    path.write_bytes(msgspec.json.encode(me))
    return lock


def present(home: Path) -> Iterator[Present]:
    """Those that live, oldest first; for whoever only looks."""
    for path in sorted((home / _FOLDER).glob("*")):
        with suppress(OSError, msgspec.MsgspecError):  # it ends or begins just now
            if seems_held(path):
                yield msgspec.json.decode(path.read_bytes(), type=Present)
