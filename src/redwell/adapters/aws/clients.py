"""Clients of AWS services, and what these and the way to them can do wrong. Used by the adapters beside it.

Region, credentials and endpoint come from where AWS's own tools look for them: environment, profile, machine role.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, CredentialRetrievalError, HTTPClientError
from botocore.exceptions import ConnectionError as NotConnected

from redwell.core.errors import Permanent, RedwellError, ServiceUnavailable, UserError
from redwell.core.patience import USUAL, Patience

BATCH = 10  # entries of one call
BATCH_BYTES = 256 << 10
_PATIENCE = {
    "InternalError",
    "InternalFailure",
    "OverLimit",
    "ProvisionedThroughputExceededException",
    "QueueDeletedRecently",
    "RequestLimitExceeded",
    "RequestThrottled",
    "ServiceUnavailable",
    "SlowDown",
    "Throttled",
    "Throttling",
    "ThrottlingException",
    "TooManyRequestsException",
    "TransactionInProgressException",
}
_REFUSED = {"AccessDenied", "AccessDeniedException", "AuthorizationError", "InvalidClientTokenId", "ExpiredToken"}
_OUTAGES = (HTTPClientError, NotConnected, CredentialRetrievalError)  # the network's, and of who gives the keys
T = TypeVar("T")


def client(service: str, patience: Patience = USUAL) -> Any:
    """Calls of a client are safe from several threads."""
    config = Config(
        connect_timeout=patience.connect_s,
        read_timeout=patience.read_s,
        retries={"total_max_attempts": patience.tries, "mode": "standard"},
    )
    with named_failures(service):
        return boto3.session.Session().client(service, config=config)


@contextmanager
def named_failures(what: str) -> Iterator[None]:
    """By code, never by text; what it names has been tried as often as may be."""
    try:
        yield
    except ClientError as error:
        raise _named(error, what) from error
    except _OUTAGES as error:
        raise ServiceUnavailable(f"{what} cannot be reached or went away: {error}") from error
    except BotoCoreError as error:
        raise UserError(f"{what}: {error}; see docs/aws.md for what has to be set") from error


def code_of(error: ClientError) -> str:
    """Without what older protocols put before it."""
    return str(error.response["Error"].get("Code", "")).rpartition(".")[2]


def _named(error: ClientError, what: str) -> RedwellError:
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    code = code_of(error)
    if code in _PATIENCE or status >= 500 or status == 429:
        return ServiceUnavailable(f"{what} asks for patience: {error}")
    return UserError(f"{what} refuses: {error}") if code in _REFUSED else Permanent(f"{what}: {error}")


def batches(items: Sequence[T], size: Callable[[T], int] = lambda _: 0) -> Iterator[list[tuple[int, T]]]:
    """With their positions, as many together as one call takes."""
    group: list[tuple[int, T]] = []
    total = 0
    for position, item in enumerate(items):
        if group and (len(group) == BATCH or total + size(item) > BATCH_BYTES):
            yield group
            group, total = [], 0
        group.append((position, item))
        total += size(item)
    if group:
        yield group
