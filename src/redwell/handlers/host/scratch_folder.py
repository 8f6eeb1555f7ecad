"""The folder where handlers of a host put what they have to put somewhere. Used by the task runner, in the child."""

import contextlib
import os
import shutil
import time
from pathlib import Path

_TICKS_NS = 1_000_000_000  # a change may bear the time of the clock's last tick, which is far less ago


class ScratchFolder:
    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._empty_since = -1  # the folder's time of change when it was seen empty; any change later gives another

    def clean(self) -> None:
        """Nothing of one document is there for the next. What resists is removed by the parent."""
        changed = os.stat(self.path).st_mtime_ns
        if changed == self._empty_since:
            return
        with os.scandir(self.path) as scan:
            entries = list(scan)
        for entry in entries:
            _remove(entry)
        settled = not entries and time.time_ns() - changed > _TICKS_NS
        self._empty_since = changed if settled else -1


def _remove(entry: "os.DirEntry[str]") -> None:
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            os.unlink(entry.path)
