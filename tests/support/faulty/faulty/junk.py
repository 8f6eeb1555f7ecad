"""Things written where they do not belong, or without end."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from redwell.core import wire
from redwell.core.handler import Child, Options, Source
from redwell.core.outcomes import Outcome

_PIPE = int(sys.argv[2]) if len(sys.argv) == 5 else -1


def print_ten_gigabytes(argument: str, source: Source, scratch: Path, options: Options) -> None:
    block = b"junk" * (1 << 20)
    for _ in range(1280):
        os.write(1, block)
        os.write(2, block)


def write_junk_to_the_pipe(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.write(_PIPE, b"junk" * 1000)


def announce_a_giant_frame(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.write(_PIPE, (0x7FFFFFFF).to_bytes(4, "big"))
    time.sleep(3600)


def send_frames_without_end(argument: str, source: Source, scratch: Path, options: Options) -> None:
    while True:
        os.write(_PIPE, wire.encode(wire.Opened(task=int(argument), locator="x", name="")) * 100)


def finish_another_document(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.write(_PIPE, wire.encode(wire.Done(task=int(argument), outcome=Outcome.SUCCESS)))
    time.sleep(3600)


def name_bytes_that_are_not_there(argument: str, source: Source, scratch: Path, options: Options) -> None:
    data = wire.Slice(offset=1 << 30, length=1)
    os.write(_PIPE, wire.encode(wire.Member(task=int(argument), locator="x", name="x", data=data)))
    time.sleep(3600)


def close_the_pipe(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.close(_PIPE)


def close_the_pipe_and_hang(argument: str, source: Source, scratch: Path, options: Options) -> None:
    os.close(_PIPE)
    time.sleep(3600)


def fill_the_spool(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Child]:
    number = 0
    while True:
        yield Child(locator=str(number), name="more", data=bytes(1 << 20))
        number += 1


def fill_one_file(argument: str, source: Source, scratch: Path, options: Options) -> None:
    with (scratch / "big").open("wb") as out:
        while True:
            out.write(bytes(1 << 20))


def fill_many_files(argument: str, source: Source, scratch: Path, options: Options) -> None:
    for number in range(1_000_000):
        (scratch / str(number)).write_bytes(bytes(1 << 19))
        time.sleep(0.005)


def leave_a_maze_and_die(argument: str, source: Source, scratch: Path, options: Options) -> None:
    """Folders inside folders, too deep for a path, the last of them closed to everyone."""
    for number in range(700):
        os.mkdir("deeper")
        os.chdir("deeper")
        Path(str(number)).touch()
    os.mkdir("closed", 0)
    os._exit(3)
