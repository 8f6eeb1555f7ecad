"""Homes whose cases are kept in one place or another; a test of the whole product runs over all of them."""

import uuid
from collections.abc import Callable

from tests.support import aws, postgres


def _postgres() -> dict[str, str]:
    return {"REDWELL_DATABASE": postgres.server().url}


def _aws() -> dict[str, str]:
    """PostgreSQL, S3, SQS and SNS."""
    server = aws.server()
    return {
        **_postgres(),
        **server.environment(),
        "REDWELL_BLOBS": f"s3://{server.new_bucket()}/cases",
        "REDWELL_QUEUE": "sqs",
        "REDWELL_BUS": "sns",
        "REDWELL_NAME_PREFIX": f"t{uuid.uuid4().hex[:10]}",
    }


# what the environment of the command must say
HOMES: dict[str, Callable[[], dict[str, str]]] = {"sqlite": dict, "postgres": _postgres, "aws": _aws}
