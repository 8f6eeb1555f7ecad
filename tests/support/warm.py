"""Starts the `redwell` command out of a process that has imported it: half of what a short command costs is imports.

One such process serves one test worker (`python -m tests.support.warm SOCKET`), and forks a process of its own for
each command: in a session of its own, with the arguments, environment and outputs that it was given. A signal or a
trip point ends it as it ends any other. What is told by environment before Python starts can't be had this way.
"""

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import NoReturn, TextIO

from tests.support.processes import die_with_parent

_AT_START = dict(os.environ)
_BEFORE_PYTHON = ("PYTHONIO", "PYTHONUTF8", "PYTHONW", "LC_", "LANG", "LD_")
_REQUEST = 1 << 20
_COMMANDS = "importing listing maintaining overview retrying scheduling searching".split()
_LIBRARIES = (
    "boto3 botocore.session obstore.store psycopg sqlalchemy.dialects.postgresql.psycopg sqlalchemy.dialects.sqlite"
    " tantivy importlib.metadata redwell.adapters.aws.sqs redwell.adapters.s3.objects rich.live prometheus_client"
).split()


class Started:
    """What the tests need of a `subprocess.Popen` of text."""

    def __init__(self, pid: int, stdout: TextIO, stderr: TextIO, status: int) -> None:
        self.pid, self.stdout, self.stderr = pid, stdout, stderr
        self.returncode: int | None = None
        self._status = status
        self._said: tuple[str, str] | None = None

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self.returncode = os.waitstatus_to_exitcode(int(os.read(self._status, 20)))
            os.close(self._status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None and not select.select([self._status], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("redwell", timeout or 0)
        code = self.poll()
        assert code is not None
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        if self._said is None:
            until = None if timeout is None else time.monotonic() + timeout
            readers = [_Reader(self.stdout), _Reader(self.stderr)]
            for reader in readers:
                reader.join(None if until is None else max(0, until - time.monotonic()))
                if reader.is_alive():
                    raise subprocess.TimeoutExpired("redwell", timeout or 0)
            self._said = readers[0].said, readers[1].said
            self.wait(None if until is None else max(0, until - time.monotonic()))
        return self._said

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


class _Reader(threading.Thread):
    def __init__(self, stream: TextIO) -> None:
        super().__init__(daemon=True)
        self._stream, self.said = stream, ""
        self.start()

    def run(self) -> None:
        if not self._stream.closed:
            self.said = self._stream.read()
            self._stream.close()


class _Starter:
    """The client's end."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.warm", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            preexec_fn=die_with_parent,
        )
        theirs.close()
        atexit.register(self.stop)

    def start(self, args: Sequence[str], env: Mapping[str, str]) -> Started:
        request = json.dumps({"args": args, "env": dict(env), "cwd": os.getcwd()}).encode()
        pipes = [os.pipe() for _ in range(3)]
        with self._lock:
            socket.send_fds(self._socket, [request], [writer for _, writer in pipes])
            for _, writer in pipes:
                os.close(writer)
            pid = int(self._socket.recv(20))
        out, err, status = (reader for reader, _ in pipes)
        return Started(pid, open(out, encoding="utf-8"), open(err, encoding="utf-8"), status)

    def stop(self) -> None:
        self._socket.close()
        self._process.wait()


_starters: dict[int, _Starter] = {}  # by process: what was forked starts one of its own


def can_start(env: Mapping[str, str]) -> bool:
    """Not where something is told that Python, or the loader, looks at before all else."""
    early = [name for name in {*env, *_AT_START} if name.startswith(_BEFORE_PYTHON)]
    return all(env.get(name) == _AT_START.get(name) for name in early)


def start(args: Sequence[str], env: Mapping[str, str]) -> Started:
    if os.getpid() not in _starters:
        _starters[os.getpid()] = _Starter()
    return _starters[os.getpid()].start(args, env)


def serve(requests: socket.socket) -> None:
    """Returns in the process of a command, or when nobody asks any more."""
    for name in (*(f"redwell.entrypoints.cli.{command}" for command in _COMMANDS), *_LIBRARIES):
        importlib.import_module(name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait
    while True:
        message, fds, _, _ = socket.recv_fds(requests, _REQUEST, 3)
        if not message:
            sys.exit()
        if not os.fork():
            _wait_for_command(requests, json.loads(message), fds)
            return
        for fd in fds:
            os.close(fd)


def _wait_for_command(requests: socket.socket, asked: dict[str, object], fds: Sequence[int]) -> None:
    """Returns in the process of the command; the one that is its parent tells how it ended, and ends itself."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if not (pid := os.fork()):
        _become(requests, asked, fds)
        return
    out, err, status = fds
    os.close(out)
    os.close(err)
    requests.close()
    _, ended = os.waitpid(pid, 0)
    os.write(status, str(ended).encode())
    os._exit(0)


def _become(requests: socket.socket, asked: dict[str, object], fds: Sequence[int]) -> None:
    os.setsid()
    requests.send(str(os.getpid()).encode())
    requests.close()
    out, err, status = fds
    os.dup2(out, 1)
    os.dup2(err, 2)
    for fd in (out, err, status):
        os.close(fd)
    sys.stdout = open(1, "w", encoding=sys.stdout.encoding, closefd=False)  # what was there took it for a file
    sys.stderr = open(2, "w", 1, sys.stderr.encoding, "backslashreplace", closefd=False)
    env, args = asked["env"], asked["args"]
    assert isinstance(env, dict) and isinstance(args, list)
    os.chdir(str(asked["cwd"]))
    os.environ.clear()
    os.environ.update(env)
    sys.path[1:1] = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv[1:] = args
    importlib.invalidate_caches()
    importlib.reload(sys.modules["redwell.core.trip"])  # it looks at its environment once
    time.tzset()


def main() -> NoReturn:
    serve(socket.socket(fileno=int(sys.argv[1])))
    from redwell.entrypoints.cli.main import main as command

    sys.exit(command())


if __name__ == "__main__":
    main()
