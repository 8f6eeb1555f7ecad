"""Homes whose cases are kept in one database or the other; a test of the whole product runs over both."""

from collections.abc import Callable

import psycopg
from tests.support import postgres


def _postgres() -> dict[str, str]:
    return {"REDWELL_DATABASE": postgres.server().url}


# what the environment of the command must say
HOMES: dict[str, Callable[[], dict[str, str]]] = {"sqlite": dict, "postgres": _postgres}


def tables() -> set[str]:
    """Every table of a case that is in the server, as schema.table."""
    query = "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname LIKE 'redwell_case_%'"
    with psycopg.connect(postgres.server().url) as connection:
        return {name for (name,) in connection.execute(query)}
