"""What the webhook says of an event, and how it proves who says it (SPEC A14). Pure."""

import base64
import hmac
from datetime import UTC, datetime

from redwell.core.events import EventType

STATUSES = {
    EventType.JOB_QUEUED: "queued",
    EventType.WORKER_STARTED: "processing",
    EventType.JOB_FINISHED: "extractor_complete",
    EventType.LOADER_FINISHED: "complete",
    EventType.IMPORT_CANCELLED: "cancelled",
    EventType.ERROR: "failed",
}  # of no other events it is told


def path_of(batch: int) -> str:
    return f"/batches/update/{batch}"


def iso_date(timestamp_ms: int) -> str:
    return datetime.fromtimestamp(timestamp_ms / 1000, UTC).isoformat(timespec="seconds")


def signature(secret: str, method: str, path: str, date: str, digest: str) -> str:
    """HMAC over method, path and date, a line each, in Base64."""
    message = "\n".join((method, path, date)).encode()
    return base64.b64encode(hmac.new(secret.encode(), message, digest).digest()).decode()
