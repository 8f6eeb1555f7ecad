"""Ways of not coming to an end, or to a bad one."""

import ctypes
import itertools
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from redwell.core.handler import Options, Source

_libc = ctypes.CDLL(None)
_libc.malloc.restype = ctypes.c_void_p


def hang_in_c(argument: str, source: Source, scratch: Path, options: Options) -> None:
    _libc.sleep(3600)


def slow(argument: str, source: Source, scratch: Path, options: Options) -> None:
    """No death: it takes as many seconds as it is told."""
    time.sleep(float(argument))


def hang_in_a_regex(argument: str, source: Source, scratch: Path, options: Options) -> None:
    re.match(r"(a+)+$", "a" * 60 + "b")


def hang_after_a_file(argument: str, source: Source, scratch: Path, options: Options) -> None:
    (scratch / "begun").touch()
    _libc.sleep(3600)


def eat_memory(argument: str, source: Source, scratch: Path, options: Options) -> None:
    """Native memory, outside Python's view; slowly enough to be watched, fast enough for a test."""
    while True:
        block = _libc.malloc(ctypes.c_size_t(8 << 20))
        ctypes.memset(block, 1, 8 << 20)
        time.sleep(0.005)


def eat_address_space(argument: str, source: Source, scratch: Path, options: Options) -> None:
    bytearray(1 << 45)


def segfault(argument: str, source: Source, scratch: Path, options: Options) -> None:
    ctypes.string_at(0)


def abort(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.abort()


def exit_at_once(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os._exit(int(argument))


def exit_politely(argument: str, source: Source, scratch: Path, options: Options) -> None:
    sys.exit(0)


def panic(argument: str, source: Source, scratch: Path, options: Options) -> None:
    """What a Rust library's panic looks like: no Exception."""
    raise type("PanicException", (BaseException,), {})("called `Option::unwrap()`")


def start_daemon(argument: str, source: Source, scratch: Path, options: Options) -> None:
    """A grandchild in a session of its own, known to the test by `argument` on its command line."""
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)", argument], start_new_session=True)


def start_daemon_and_segfault(argument: str, source: Source, scratch: Path, options: Options) -> None:
    start_daemon(argument, source, scratch, options)
    segfault(argument, source, scratch, options)


def start_daemon_and_hang(argument: str, source: Source, scratch: Path, options: Options) -> None:
    start_daemon(argument, source, scratch, options)
    hang_in_c(argument, source, scratch, options)


def start_processes_without_end(argument: str, source: Source, scratch: Path, options: Options) -> None:
    while True:
        if os.fork() == 0:
            _libc.sleep(3600)
        time.sleep(0.002)


def fill_the_temporary_folder(argument: str, source: Source, scratch: Path, options: Options) -> None:
    """In files that are small enough by themselves."""
    for number in itertools.count():
        Path("/tmp", f"file-{number}").write_bytes(bytes(1 << 20))
        time.sleep(0.05)
