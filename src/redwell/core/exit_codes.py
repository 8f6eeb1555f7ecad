"""Every exit code of the command line, in one place (docs/exit-codes.md explains them)."""

from enum import IntEnum


class ExitCode(IntEnum):
    OK = 0  # everything is accounted for; exceptions are listed, they are not failures
    INTERNAL_ERROR = 1
    USAGE = 2
    NOT_FOUND = 3  # no such case, batch or source
    UNBALANCED = 4  # verify found something wrong
    SANDBOX_UNAVAILABLE = 5
    DISK_FULL = 6
    DATABASE_UNAVAILABLE = 7
    CANCELLED = 8  # somebody cancelled the import while it ran
    SERVICE_UNAVAILABLE = 9
    INCOMPLETE = 10  # verify: all in order, but a cancelled import never read its source to the end
    DEFECTS = 11  # loadfile lint found errors
    INTERRUPTED = 130
