"""Homes whose cases are kept in one place or another; a test of the whole product runs over all of them."""

from collections.abc import Callable

from tests.support import aws, postgres


def _postgres() -> dict[str, str]:
    return {"REDWELL_DATABASE": postgres.server().url}


def _postgres_s3() -> dict[str, str]:
    server = aws.server()
    return {**_postgres(), **server.environment(), "REDWELL_BLOBS": f"s3://{server.new_bucket()}/cases"}


# what the environment of the command must say
HOMES: dict[str, Callable[[], dict[str, str]]] = {"sqlite": dict, "postgres": _postgres, "postgres-s3": _postgres_s3}
