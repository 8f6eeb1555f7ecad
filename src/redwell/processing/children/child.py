"""One sandboxed child as the parent holds it: its process, its pipes, its spools, its scratch folder.

Made by the pool. It can be killed at any moment, and takes everything it started and wrote with it.
"""

import contextlib
import fcntl
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from redwell.core import wire
from redwell.core.work.kinds import Profile
from redwell.core.work.profiles import OWN_FOLDERS
from redwell.processing.children import processes, scratch
from redwell.processing.children.dialogue import Dialogue
from redwell.processing.children.limits import ChildConfig
from redwell.processing.children.spool import Spool

MESSAGES = 2  # at once, each with a spool of its own: one is filled while the other is read
_SCRATCH = "scratch"
_READ = 256 << 10
_PIPE_BYTES = 1 << 20
_EXIT_GRACE_S = 1.0
_STDERR_TAIL = 2_000
_KEPT_BYTES = 1 << 20
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "PYTHONHOME")
_SINGLE_THREADED = (
    "OMP_THREAD_LIMIT OMP_NUM_THREADS OPENBLAS_NUM_THREADS RAYON_NUM_THREADS TOKIO_WORKER_THREADS".split()
)


class Child:
    def __init__(self, config: ChildConfig, folder: Path) -> None:
        self.config, self.folder = config, folder
        self.started = time.monotonic()
        self.units = 0  # of work since its host was fresh
        self._spools = [Spool(folder.parent) for _ in range(MESSAGES)]
        self.dialogue = Dialogue(self._spools, config.max_members)
        self._stderr = tempfile.TemporaryFile(dir=folder.parent)
        self._outgoing = bytearray()
        child_requests, self.requests = _pipe()
        self.frames, child_frames = _pipe()
        scratch, temporary = _lay_out(config, folder)
        self.process = self._start(child_requests, child_frames, scratch, temporary)
        for fd in (self.requests, self.frames):
            os.set_blocking(fd, False)
        self.send(_setup(config, folder, scratch))

    def _start(self, requests: int, frames: int, scratch: Path, temporary: Path) -> "subprocess.Popen[bytes]":
        given = (requests, frames, *(spool.child_fd for spool in self._spools))
        try:
            return subprocess.Popen(  # our own interpreter and module, no shell
                [sys.executable, "-P", "-s", "-B", "-m", "redwell.handlers.host.host", *map(str, given)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                pass_fds=given,
                cwd=scratch,
                env=_environment(scratch, temporary),
                start_new_session=True,
            )
        finally:
            for fd in given:
                os.close(fd)

    @property
    def profile(self) -> Profile:
        return self.config.profile

    @property
    def is_busy(self) -> bool:
        return bool(self.dialogue.flights)

    def send(self, frame: wire.ToChild) -> None:
        self._outgoing += wire.encode(frame)
        self.write()

    def renew(self) -> None:
        """A fresh host takes the next message; those in flight stay with the old one."""
        self.send(wire.Renew())
        self.units = 0

    def write(self) -> bool:
        """Write what the pipe takes; whether something is left. A dead child shows when its frames end."""
        try:
            while self._outgoing:
                del self._outgoing[: os.write(self.requests, self._outgoing)]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            self._outgoing.clear()
        return False

    def read(self) -> bytes | None:
        """What it said; nothing at its end, None when there is nothing now."""
        try:
            return os.read(self.frames, _READ)
        except BlockingIOError:
            return None

    def asked_to_go(self, code: int) -> bool:
        """It ended between two documents. Believed only of a child that has finished one, so work goes on."""
        return code == wire.ChildExit.RECYCLE and self.dialogue.finished > 0

    def end(self) -> int:
        """Its exit code, after its frames have ended: it is about to end by itself then."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_EXIT_GRACE_S)
        return self.kill()

    def kill(self) -> int:
        return processes.end(self.process)

    def close(self) -> None:
        """Nothing of it is left afterwards. Slices of its spools can't be read any more."""
        self.kill()
        for fd in (self.requests, self.frames):
            os.close(fd)
        for spool in self._spools:
            spool.close()
        self._stderr.close()
        scratch.remove(self.folder)

    def empty(self) -> None:
        """Its temporary files go before it does: what it said can still be read."""
        scratch.remove(self.folder)
        self.folder.mkdir()

    def last_words(self) -> str:
        """The last line it wrote to stderr before it said hello: the error, at the end of a traceback."""
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - _STDERR_TAIL))
        return self._stderr.read().decode("utf-8", "replace").strip().rpartition("\n")[2]


def _pipe() -> tuple[int, int]:
    reader, writer = os.pipe()
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a user may have only so many large pipes
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return reader, writer


def _lay_out(config: ChildConfig, folder: Path) -> tuple[Path, Path]:
    """The folder that is emptied after every document, and that for temporary files: mostly the same."""
    if not config.rights.folders:
        return folder, folder
    for name in (_SCRATCH, *OWN_FOLDERS):
        (folder / name).mkdir(mode=0o700)
    return folder / _SCRATCH, folder / next(iter(OWN_FOLDERS))


def _setup(config: ChildConfig, folder: Path, scratch: Path) -> wire.Setup:
    return wire.Setup(
        handlers=list(config.handlers),
        readable=[os.path.realpath(path) for path in config.readable],
        scratch=str(scratch),
        sandbox=config.sandbox,
        address_space_mb=config.address_space_mb,
        spool_mb=config.spool_mb,
        options=dict(config.options),
        timezone=config.timezone,
        ocr_languages=config.ocr_languages,
        profile=config.profile,
        rights=config.rights,
        own=str(folder),
    )


def _environment(scratch: Path, temporary: Path) -> dict[str, str]:
    """Nothing of the parent's but what Python itself needs; every home and temporary folder is its own."""
    homes = "HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR"
    packages = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return {
        **{name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, packages))),  # its cwd is another
        **dict.fromkeys(homes.split(), str(scratch)),
        **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(temporary)),
        **dict.fromkeys(_SINGLE_THREADED, "1"),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONUTF8": "1",
        "MALLOC_ARENA_MAX": "2",
        # what a document needed is not given back to the system at once: the next one needs it, page by page
        "MALLOC_MMAP_THRESHOLD_": str(_KEPT_BYTES),
        "MALLOC_TRIM_THRESHOLD_": str(4 * _KEPT_BYTES),
    }
