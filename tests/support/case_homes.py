"""Homes whose cases are kept in one database or the other; a test of the whole product runs over both."""

from collections.abc import Callable

from tests.support import postgres


def _postgres() -> dict[str, str]:
    return {"REDWELL_DATABASE": postgres.server().url}


# what the environment of the command must say
HOMES: dict[str, Callable[[], dict[str, str]]] = {"sqlite": dict, "postgres": _postgres}
