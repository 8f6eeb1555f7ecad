"""Volumes of productions that are written for people at a page: begun, watched, handed out as one archive.

Each is written by a process of its own into a folder of the home (`out/CASE/PRODUCTION`). That process holds a lock on
the folder as long as it lives, so whoever looks knows whether it does, and after a restart of the server too.
"""

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from redwell.core.errors import Conflict, NotFound, RedwellError
from redwell.core.production.values import Production
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.producing.releasing import Order, release
from redwell.runtime.producing.writing import JOURNAL

_FOLDER, _LOCK, _SAID = "out", "lock", "said.json"
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class VolumeOut:
    """`state`: none, writing, stopped, written."""

    state: str
    documents: int = 0  # written so far
    wrong: str = ""  # why it stopped
    files: int = 0
    bytes: int = 0


class VolumesOut:
    def __init__(self, home: Path, assignments: tuple[str, ...] = ()) -> None:
        """`assignments`: KEY=VALUE, as the server was started with."""
        self._home, self._assignments = home, assignments
        self._begun: list[subprocess.Popen[bytes]] = []

    def _folder(self, case: int, production: int) -> Path:
        return self._home / _FOLDER / str(case) / str(production)

    def begin(self, case: int, production: Production, order: Mapping[str, Any]) -> None:
        """Goes on with what was begun. Conflict where it is being written, or is there."""
        folder = self._folder(case, production.id)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Conflict("it is being written already") from None
            if (folder / "volume").exists():
                raise Conflict("it is written already: download it")
            (folder / _SAID).unlink(missing_ok=True)
            self._begun = [each for each in self._begun if each.poll() is None]
            begun = subprocess.Popen(
                [sys.executable, "-m", "redwell.runtime.serving.volumes_out", str(folder), *self._assignments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "REDWELL_HOME": str(self._home), "REDWELL_ORDER": json.dumps(dict(order))},
                pass_fds=(lock,),  # held by it, and let go when it ends, however that comes about
                start_new_session=True,
            )
            self._begun.append(begun)
        finally:
            os.close(lock)

    def state(self, case: int, production: Production) -> VolumeOut:
        folder = self._folder(case, production.id)
        if not folder.exists():
            return VolumeOut("none")
        if (folder / "volume").exists():
            sizes = [path.stat().st_size for path in _files(folder / "volume")]
            return VolumeOut("written", production.documents, files=len(sizes), bytes=sum(sizes))
        done = _lines(folder / "volume.part" / JOURNAL)
        if _is_held(folder / _LOCK):
            return VolumeOut("writing", min(done, production.documents))
        said: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError):
            said = json.loads((folder / _SAID).read_bytes())
        return VolumeOut("stopped", done, said.get("wrong", "the process was ended; it goes on where it was"))

    def archive(self, case: int, production: Production) -> Iterator[bytes]:
        """All of it as a ZIP, piece by piece. NotFound until it is written."""
        root = self._folder(case, production.id) / "volume"
        if not root.exists():
            raise NotFound("it is not written yet")
        return _zipped(root, production.name)


def _is_held(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
        except BlockingIOError:
            return True


def _lines(path: Path) -> int:
    try:
        with path.open("rb") as file:
            return sum(1 for _ in file)
    except OSError:
        return 0


def _files(root: Path) -> Iterator[Path]:
    return (path for path in sorted(root.rglob("*")) if path.is_file())


class _Pieces:
    """What a ZIP wants to write to; taken away piece by piece."""

    def __init__(self) -> None:
        self._held, self._at = bytearray(), 0

    def write(self, data: bytes) -> int:
        self._held += data
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        return self._at

    def flush(self) -> None:
        pass

    def taken(self) -> bytes:
        data = bytes(self._held)
        self._held.clear()
        return data


def _zipped(root: Path, name: str) -> Iterator[bytes]:
    """Stored, not packed: pages are packed already. Times are those of no day, so the same volume is the same bytes."""
    pieces = _Pieces()
    with zipfile.ZipFile(cast("IO[bytes]", pieces), "w") as archive:
        for path in _files(root):
            entry = zipfile.ZipInfo(f"{name}/{path.relative_to(root).as_posix()}")
            entry.file_size = path.stat().st_size
            with archive.open(entry, "w") as target, path.open("rb") as source:
                while data := source.read(_PIECE):
                    target.write(data)
                    yield pieces.taken()
    yield pieces.taken()


def _main(folder: Path, assignments: list[str]) -> None:
    order = json.loads(os.environ["REDWELL_ORDER"])
    said: dict[str, str] = {}
    try:
        release(home_folder(), load_settings(assignments), Order(**order, target=folder / "volume"), lambda _: None)
    except RedwellError as error:
        said["wrong"] = str(error)
    except Exception as error:  # whatever it is, whoever waits at the page is told
        said["wrong"] = f"{type(error).__name__}: {error}"
        raise
    finally:
        (folder / _SAID).write_text(json.dumps(said), encoding="utf-8")


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2:])
