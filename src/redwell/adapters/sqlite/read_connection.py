"""A connection that reads one SQLite file, in one of three ways, by what lies beside the file (ADR 23).

Without a `-wal` nobody is at it: it is read as a file that does not change, and after each look it is compared
whether that was true. With one, SQLite's own locks keep reader and writer apart. Where these can't be had (a
read-only folder with a `-wal` and no `-shm`, a full disk) a copy is read; with nothing in the `-wal`, the file.
"""

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from redwell.adapters.sqlite.functions import add_functions
from redwell.ports.audit import Overtaken

BUSY_S = 60
_QUIET = "mode=ro&immutable=1"
_LOCKED = "mode=ro"
_NO_LOCKS = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
NO_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_WRITE}  # for what locks are kept in
Stamp = tuple[int, int, int]


class _State(NamedTuple):
    """What tells whether the files were written to."""

    file: Stamp
    wal: Stamp | None  # None: nobody has the file open to write, nor was killed so


class ReadConnection:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._copy: str | None = None
        self._is_locked = False  # whether SQLite's locks keep writers off what is being read
        self._seen = _state(path)
        self.driver = self._opened()
        add_functions(self.driver)
        for pragma in ("query_only=ON", "temp_store=MEMORY", "cache_size=-8192"):
            self.driver.execute(f"PRAGMA {pragma}")

    def is_fit(self) -> bool:
        """Whether it reads what is there now."""
        now = _state(self._path)
        return now.file[0] == self._seen.file[0] if self._is_locked else now == self._seen

    def require_fit(self) -> None:
        """Overtaken where a writer may have changed what is being read."""
        if not self._is_locked and not self.is_fit():
            raise Overtaken

    def close(self) -> None:
        self.driver.close()
        if self._copy:
            shutil.rmtree(self._copy, ignore_errors=True)

    def _opened(self) -> sqlite3.Connection:
        if self._seen.wal is None:
            return self._opened_quietly()
        try:
            driver = _connect(self._path, _LOCKED)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _NO_LOCKS and error.sqlite_errorcode not in NO_ROOM:
                raise
            return self._opened_copy() if _size(self._seen.wal) else self._opened_quietly()
        self._is_locked = True
        return driver

    def _opened_copy(self) -> sqlite3.Connection:
        self._copy = tempfile.mkdtemp(prefix="redwell-look-")
        try:
            copy = _copied(self._path, Path(self._copy))
            self.require_fit()
            return _connect(copy, _LOCKED)
        except BaseException:
            shutil.rmtree(self._copy, ignore_errors=True)
            raise

    def _opened_quietly(self) -> sqlite3.Connection:
        try:
            return _connect(self._path, _QUIET)
        finally:
            self.require_fit()


def _state(path: Path) -> _State:
    try:
        wal = _stamp(_wal(path))
    except FileNotFoundError:
        wal = None
    return _State(_stamp(path), wal)


def _stamp(path: Path) -> Stamp:
    seen = os.stat(path)
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


def _size(stamp: Stamp) -> int:
    return stamp[1]


def _wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Opened and read from once: only then does SQLite say what it can't do."""
    place = f"file:{quote(str(path.absolute()))}?{mode}"
    driver = sqlite3.connect(place, uri=True, timeout=BUSY_S, check_same_thread=False, isolation_level=None)
    try:
        driver.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except BaseException:
        driver.close()
        raise
    return driver


def _copied(path: Path, folder: Path) -> Path:
    for each in (path, _wal(path)):
        try:
            shutil.copyfile(each, folder / each.name)
        except FileNotFoundError:
            raise Overtaken from None
    return folder / path.name
