"""How a program that has no token proves that a file comes from it: HMAC over what is sent, and when. Pure."""

import base64
import hmac
from datetime import UTC, datetime, timedelta

import msgspec

WINDOW = timedelta(minutes=5)  # that a signature holds, either way
_DIGEST = "sha256"


class SignedPost(msgspec.Struct, frozen=True, kw_only=True):
    """What is signed. `key` is the sender's own for this arrival: one that comes again is the same arrival."""

    method: str
    path: str
    date: str  # ISO 8601, with its offset
    key: str
    name: str  # of the file
    sha256: str  # of the body, in hex


def signature(secret: str, post: SignedPost) -> str:
    """A line for each value, HMAC-SHA-256, Base64."""
    message = "\n".join(msgspec.structs.astuple(post)).encode()
    return base64.b64encode(hmac.new(secret.encode(), message, _DIGEST).digest()).decode()


def is_signed(secret: str, post: SignedPost, given: str) -> bool:
    """Compared in constant time. An empty secret signs nothing."""
    return bool(secret) and hmac.compare_digest(signature(secret, post).encode(), given.strip().encode())


def is_recent(date: str, now: datetime) -> bool:
    try:
        said = datetime.fromisoformat(date)
    except ValueError:
        return False
    return said.tzinfo is not None and abs(now.astimezone(UTC) - said) <= WINDOW
