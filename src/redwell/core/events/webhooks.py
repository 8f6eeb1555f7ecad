"""What the webhook says of an event, where to, and how it proves who says it (SPEC A14). Pure."""

import base64
import hmac
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from redwell.core.errors import UserError
from redwell.core.events.event import Event, EventType, Status

LISTENER = "webhook"  # by which a case remembers how far it has heard
STATUSES: dict[EventType, str] = {
    EventType.JOB_QUEUED: "queued",
    EventType.WORKER_STARTED: "processing",
    EventType.JOB_FINISHED: "extractor_complete",
    EventType.LOADER_FINISHED: "complete",
    EventType.IMPORT_CANCELLED: "cancelled",
}  # of no other events it is told
FAILED = "failed"
ALARM = "alarm"  # of the monitor; it is about no batch, so it goes where batch 0 would
BODY_FIELDS: dict[str, str] = {
    "status": "what has become of the batch: one of the words below",
    "case": "the case's name",
    "event": "the event, with all the keys that it has on the bus; `eventDetail.outcomes` has the counts at the end",
}
_DEFAULT_PATH = "/batches/update/{batch}"
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_KNOWN = {"{case}", "{batch}"}


def status_of(event: Event) -> str | None:
    """A job that ends in error is told as failed; an error of one document is none of its batch (A14)."""
    if event.event_type == EventType.WARNING and "alarm" in event.event_detail:
        return ALARM
    status = STATUSES.get(EventType(event.event_type))
    is_failed = event.event_type == EventType.JOB_FINISHED and event.status == Status.ERROR
    return FAILED if is_failed else status


def body_of(event: Event, case: str) -> Mapping[str, Any]:
    return {"status": status_of(event), "case": case, "event": event}


class Address(NamedTuple):
    """Where events of a case and batch are told: a URL that may name `{case}` and `{batch}`."""

    template: str

    @classmethod
    def of(cls, url: str) -> "Address":
        """Without `{batch}` the path of A14 is put behind it; what is no good is the user's to mend."""
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.fragment:
            raise UserError(f"setting webhook is an http or https URL, not {url!r}")
        if parts.username or parts.password:
            raise UserError("setting webhook has a user or a password in it, which reports would show: leave them out")
        if unknown := sorted(set(_PLACEHOLDER.findall(url)) - _KNOWN):
            raise UserError(f"setting webhook names {', '.join(unknown)}; it may name {{case}} and {{batch}}")
        if "{" in parts.netloc:
            raise UserError("setting webhook names {case} or {batch} in its host: they belong into the path")
        if "{batch}" in url:
            return cls(url)
        if parts.query:
            raise UserError("setting webhook has a query and no {batch}: say where the batch belongs")
        return cls(url.rstrip("/") + _DEFAULT_PATH)

    def url(self, case: int, batch: int) -> str:
        return self.template.replace("{case}", str(case)).replace("{batch}", str(batch))


def iso_date(timestamp_ms: int) -> str:
    return datetime.fromtimestamp(timestamp_ms / 1000, UTC).isoformat(timespec="seconds")


def signature(secret: str, method: str, path: str, date: str, digest: str) -> str:
    """HMAC over method, path and date, a line each, in Base64."""
    message = "\n".join((method, path, date)).encode()
    return base64.b64encode(hmac.new(secret.encode(), message, digest).digest()).decode()
