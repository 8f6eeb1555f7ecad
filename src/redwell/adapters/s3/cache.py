"""Local copies of objects, where children can read them; used by the blob store, from several threads.

One folder per process, gone with it. What the process itself stores stays here until it is uploaded; what it
fetches stays as long as there is room. A copy handed out for a child stays for as long as one may work on it.
"""

import os
import shutil
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Lock

from redwell.adapters.files.folders import disk_errors

KEPT_S = 2 * 3600  # longer than any message of documents takes


@dataclass(slots=True)
class _Copy:
    size: int
    used: float
    pinned: bool  # not uploaded yet
    fetched: bool


class Cache:
    def __init__(self, folder: Path, limit: int) -> None:
        self._folder, self._limit = folder, limit
        self._lock = Lock()
        self._copies: OrderedDict[str, _Copy] = OrderedDict()
        self._total = 0
        self._numbers = count(1)
        with disk_errors(folder):
            shutil.rmtree(folder, ignore_errors=True)  # of a process of the same id that was killed
            folder.mkdir(mode=0o700, parents=True)

    def temporary(self) -> Path:
        """A file to be written; `adopt` or `discard` it."""
        return self._folder / f"new-{next(self._numbers)}"

    def discard(self, temporary: Path) -> None:
        temporary.unlink(missing_ok=True)

    def adopt(self, temporary: Path, name: str, *, pinned: bool = False, fetched: bool = False) -> Path:
        """The file is the copy of this name from now on; one that is there already is as good."""
        path = self._folder / name
        with disk_errors(path):
            size = temporary.stat().st_size
            os.rename(temporary, path)
        with self._lock:
            before = self._copies.pop(name, None)
            self._total += size - (before.size if before else 0)
            pinned = pinned or bool(before and before.pinned)
            self._copies[name] = _Copy(size, time.monotonic(), pinned, fetched and (before is None or before.fetched))
            self._make_room()
        return path

    def find(self, name: str) -> Path | None:
        with self._lock:
            copy = self._copies.get(name)
            if copy is None:
                return None
            copy.used = time.monotonic()
            self._copies.move_to_end(name)
            return self._folder / name

    def was_fetched(self, name: str) -> bool:
        with self._lock:
            copy = self._copies.get(name)
            return copy is not None and copy.fetched

    def unpin(self, name: str) -> None:
        with self._lock:
            if name in self._copies:
                self._copies[name].pinned = False
            self._make_room()

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _make_room(self) -> None:
        """The longest unused go first; what may be in use stays, over the limit too."""
        now = time.monotonic()
        for name, copy in list(self._copies.items()):
            if self._total <= self._limit or now - copy.used < KEPT_S:
                return
            if not copy.pinned:
                self._total -= self._copies.pop(name).size
                with suppress(FileNotFoundError):
                    os.unlink(self._folder / name)
