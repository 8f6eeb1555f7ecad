"""Passwords that a person gave to a job. They stay in memory: the ledger knows the file alone.

Used by the command line, for its own job, and by every process that serves the job of another.
"""

import os
from dataclasses import dataclass, field

from redwell.core.errors import UserError

_ELSEWHERE = "given to the process that began the job"  # by a pipe: nobody else can read them


@dataclass(frozen=True, slots=True)
class Passwords:
    file: str = ""
    words: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, path: str | None) -> "Passwords":
        if path is None:
            return cls()
        try:
            return cls(os.path.abspath(path) if os.path.isfile(path) else _ELSEWHERE, _words(path))
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"can't read the passwords in {path}: {error}") from None


def words_in(file: str) -> tuple[str, ...] | None:
    """Of a job's file; None where this process can't read them, so that it leaves the job to others."""
    if not file:
        return ()
    try:
        return _words(file)
    except (OSError, UnicodeDecodeError):
        return None


def _words(path: str) -> tuple[str, ...]:
    with open(path, encoding="utf-8") as lines:
        return tuple(line for line in lines.read().splitlines() if line)
