"""The way to a PostgreSQL server. Used by those who write, by those who only look, and by `redwell doctor`."""

from typing import Any

import psycopg

from redwell.adapters.postgres.failures import named
from redwell.core.errors import UserError


def connect(url: str) -> psycopg.Connection[Any]:
    """A connection that commits each statement; the URL, which may hold a password, is in no message."""
    try:
        psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        raise UserError("the setting database is no PostgreSQL URL: postgresql://user@host:5432/name") from None
    return psycopg.connect(url, autocommit=True, connect_timeout=10, fallback_application_name="redwell")


def server_version(url: str) -> str:
    """What `redwell doctor` says of the server; DatabaseUnavailable when there is none."""
    try:
        with connect(url) as connection:
            return f"PostgreSQL {connection.info.server_version // 10_000}.{connection.info.server_version % 10_000}"
    except psycopg.Error as error:
        raise named(error, "the database") from error
