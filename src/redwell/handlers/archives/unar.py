"""The program `unar`, which unpacks every RAR archive there is. Used by rar_data in a child that may start programs."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from redwell.core.errors import InvalidFile, Unsupported

_CHUNK = 1 << 18
_COMMAND = ("unar", "-quiet", "-no-recursion", "-forks", "skip", "-output-directory", "-")


def unpacked(archive: Path, sizes: Sequence[int]) -> Iterator[Iterator[bytes]]:
    """The members one after the other; it writes them without a gap, and only their sizes tell where one ends."""
    try:
        process = subprocess.Popen(  # a program of the system, no shell, no word of the evidence among its arguments
            [*_COMMAND, str(archive)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(archive.parent.parent.parent.parent.parent / "unar.err", "ab") if 0 else subprocess.DEVNULL
        )
    except OSError as error:
        raise Unsupported(f"this kind of RAR needs the program unar: {error.strerror}") from None
    assert process.stdout is not None
    try:
        for size in sizes:
            yield _read(process.stdout, size)
    finally:
        process.stdout.close()  # ends it where it is not done
        with suppress(ProcessLookupError, PermissionError):
            process.kill()
        process.wait()


def _read(pipe: IO[bytes], left: int) -> Iterator[bytes]:
    while left > 0:
        chunk = pipe.read(min(left, _CHUNK))
        if not chunk:
            raise InvalidFile("the member's bytes are damaged")
        left -= len(chunk)
        yield chunk
