"""What PostgreSQL and the way to it can do wrong, as errors whose class decides what happens next."""

from typing import Any

import psycopg

from redwell.core.errors import DatabaseUnavailable, DiskFull, Recoverable, RedwellError, UserError


class Contended(Recoverable):
    """A deadlock or a lock that was not to be had: rolled back, and worth another try."""


_CONTENDED = {"40001", "40P01", "55P03"}
_FULL = {"53100"}
_MISSING = {"3F000", "42P01"}  # schema, table
_REFUSED = {"42501"}  # permission; a connection that is refused has no SQLSTATE
# shut down, crashed, starting, cut off as frozen, out of connections
_AWAY = {"57P01", "57P02", "57P03", "57P05", "25P03", "53300"}


def named(error: Exception, label: str) -> Exception:
    """The driver's error, or SQLAlchemy's around it, by SQLSTATE, never by text. What is none of these stays."""
    cause = _cause(error)
    state = getattr(cause, "sqlstate", None) or ""
    said = str(cause).strip().partition("\n")[0]
    if state in _CONTENDED:
        return Contended(said)
    if _is_loss(error, state):
        return DatabaseUnavailable(f"the PostgreSQL server cannot be reached, refuses or went away: {said}")
    return _refusal(state, said, label) or error


def _refusal(state: str, said: str, label: str) -> RedwellError | None:
    if state in _FULL:
        return DiskFull(f"no space left on the PostgreSQL server: {said}")
    if state in _MISSING:
        return UserError(f"{label} is not in the database that the setting database names: {said}")
    return UserError(f"the PostgreSQL server refuses: {said}") if state in _REFUSED else None


def _cause(error: Exception) -> Any:
    return getattr(error, "orig", None) or error  # SQLAlchemy's has the driver's own inside


def _is_loss(error: Exception, state: str) -> bool:
    lost = getattr(error, "connection_invalidated", False)
    return lost or state in _AWAY or state.startswith("08") or (not state and _is_operational(error))


def _is_operational(error: Exception) -> bool:
    """A failure without a SQLSTATE never came from a server: there is none, or it fell silent."""
    return isinstance(_cause(error), psycopg.OperationalError)
