"""Errors whose class decides what happens next; nobody reads their text to find out (SPEC D2)."""

import errno
from enum import Enum

from redwell.core.outcomes import Outcome


class Fate(Enum):
    RETRY = "retry"  # back off, come again
    PARK = "park"  # dead letter, a person looks
    DONE = "done"  # already done, or no longer needed
    RECORD = "record"  # a named exception on the document; go on


class RedwellError(Exception):
    fate = Fate.PARK


class Recoverable(RedwellError):
    fate = Fate.RETRY


class Permanent(RedwellError):
    fate = Fate.PARK


class SilentSuccess(RedwellError):
    fate = Fate.DONE


class BadInput(RedwellError):
    """The evidence, not the system, is at fault: the document gets this outcome."""

    fate = Fate.RECORD
    outcome = Outcome.INVALID_FILE


class InvalidFile(BadInput):
    outcome = Outcome.INVALID_FILE


class PasswordProtected(BadInput):
    outcome = Outcome.PASSWORD_PROTECTED


class Unsupported(BadInput):
    outcome = Outcome.UNSUPPORTED


class Empty(BadInput):
    outcome = Outcome.EMPTY


class TooLarge(BadInput):
    """A limit stopped the work; the message names the setting."""

    outcome = Outcome.TOO_LARGE


class Restart(RedwellError):
    """A handler asks to begin again: once more at once in the same child, counted as one attempt (SPEC A11)."""

    fate = Fate.RETRY


class UserError(RedwellError):
    """The person at the command line can fix this; the text says how."""


class NotFound(UserError):
    """What the command is about is not there."""


class Forbidden(UserError):
    """Whoever asks is known, and has not the right."""


class Conflict(UserError):
    """Somebody else has changed it since it was looked at."""


class ReadOnly(UserError):
    """Something would have to be written where that is not possible."""


class SandboxUnavailable(UserError):
    """The kernel refuses a layer of the sandbox that the settings require."""


class KeptElsewhere(UserError):
    """Another machine has taken the case over; the text says which."""


def fate_of(error: BaseException) -> Fate:
    """Of the work, message or exhibit that failed so; what nobody foresaw is for a person to look at (SPEC D2)."""
    return error.fate if isinstance(error, RedwellError) else Fate.PARK


def is_of_one_thing(error: BaseException) -> bool:
    """Whether what was worked on is at fault; else the machine is, or the work is another's now, whatever it is on."""
    return fate_of(error) in (Fate.PARK, Fate.RECORD) and not isinstance(error, UserError)


class StaleClaim(SilentSuccess):
    """Somebody else has claimed the work since; the result is dropped."""


class DatabaseUnavailable(Recoverable):
    """The database cannot be reached, or went away; the run stops cleanly and can be resumed."""


class DiskFull(Recoverable):
    """No space left; the run stops cleanly and can be resumed."""


def is_full(error: OSError) -> bool:
    """Whether a disk, or what somebody may have of it, is full."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


class ServiceUnavailable(Recoverable):
    """A queue, bus, registry or object store cannot be reached, or asks for patience."""
