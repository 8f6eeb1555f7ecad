"""A folder that is watched: each file once it has come to rest. Nothing in it is changed."""

import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from redwell.ports.sources import Brought, Sighted

SETTLED_S = 2.0  # a file that was written to since is not there yet


class FolderWatcher:
    def __init__(self, folder: Path, settled_s: float = SETTLED_S) -> None:
        self._folder, self._settled_s = folder, settled_s

    def look(self, cursor: str) -> Iterator[Sighted]:
        """By path, size and time: a file that changes is another arrival."""
        if not self._folder.is_dir():
            raise FileNotFoundError(f"{self._folder} is not there")
        newest = time.time() - self._settled_s
        for folder, folders, names in os.walk(self._folder):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                info = os.lstat(path)
                if not os.path.isfile(path) or os.path.islink(path) or info.st_mtime > newest:
                    continue
                place = os.fsencode(os.path.relpath(path, self._folder)).hex()
                shown = os.fsencode(name).decode("utf-8", "replace")
                yield Sighted(key=f"{place[-400:]}/{_version(info)}", name=shown, place=place)

    def fetch(self, sighted: Sighted) -> Brought | None:
        """Not what has changed since: that is seen as another arrival once it has come to rest."""
        within = os.fsdecode(bytes.fromhex(sighted.place))
        path = os.path.join(self._folder, within)
        try:
            info = os.lstat(path)
        except FileNotFoundError:
            return None
        if sighted.key.partition("/")[2] != _version(info):
            return None
        said = {"path": within.encode("utf-8", "replace").decode(), "modified_ns": info.st_mtime_ns}
        return Brought(key=sighted.key, name=sighted.name, open=partial(_open, path), said=said)

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def close(self) -> None:
        pass


def _version(info: os.stat_result) -> str:
    return f"{info.st_size}/{info.st_mtime_ns}"


def _open(path: str) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb")
