"""Homes whose cases are kept in one place or another; a test of the whole product runs over all of them."""

import uuid
from collections.abc import Callable

from tests.support import aws, opensearch, postgres


def _postgres() -> dict[str, str]:
    return {"REDWELL_DATABASE": postgres.server().url}


def _prefix() -> dict[str, str]:
    """What names of this home's queues, topic, tables and indexes begin with."""
    return {"REDWELL_NAME_PREFIX": f"t{uuid.uuid4().hex[:10]}"}


def _bucket() -> dict[str, str]:
    server = aws.server()
    return {**server.environment(), "REDWELL_BLOBS": f"s3://{server.new_bucket()}/cases"}


def _aws() -> dict[str, str]:
    """PostgreSQL, S3, SQS and SNS."""
    return {**_postgres(), **_bucket(), **_prefix(), "REDWELL_QUEUE": "sqs", "REDWELL_BUS": "sns"}


# what the environment of the command must say
HOMES: dict[str, Callable[[], dict[str, str]]] = {"sqlite": dict, "postgres": _postgres, "aws": _aws}

# Each has what the ones before it have, and one thing more: from a laptop to everything elsewhere.
STEPS: dict[str, Callable[[], dict[str, str]]] = {
    "sqlite": dict,
    "postgres": lambda: {**_postgres(), **_prefix()},
    "s3": _bucket,
    "sqs-sns": lambda: {"REDWELL_QUEUE": "sqs", "REDWELL_BUS": "sns"},
    "dynamodb": lambda: {"REDWELL_REGISTRY": "dynamodb"},
    "opensearch": lambda: {"REDWELL_SEARCH": "opensearch", "REDWELL_OPENSEARCH": opensearch.url()},
}


def home_up_to(last: str) -> dict[str, str]:
    """The environment of the home at this step, with places of its own."""
    env: dict[str, str] = {}
    for name, more in STEPS.items():
        env.update(more())
        if name == last:
            return env
    raise KeyError(last)
