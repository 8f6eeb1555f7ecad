"""Facts about a batch, written with the rows they speak of (SPEC A18)."""

import json
import time
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from redwell.core.ids import uuid7

VERSION = 1


class EventType(StrEnum):
    JOB_QUEUED = "JOB_QUEUED"
    JOB_STARTED = "JOB_STARTED"
    JOB_FINISHED = "JOB_FINISHED"
    IMPORT_CANCELLED = "IMPORT_CANCELLED"
    WORKER_STARTED = "WORKER_STARTED"
    WORKER_FINISHED = "WORKER_FINISHED"


EVENT_MEANINGS: dict[EventType, str] = {
    EventType.JOB_QUEUED: "the batch and its sources are registered; nothing has been read yet",
    EventType.JOB_STARTED: "a worker began with the batch",
    EventType.JOB_FINISHED: "every row of the batch is terminal and searchable",
    EventType.IMPORT_CANCELLED: "the import was cancelled and everything that was open has ended as CANCELLED",
    EventType.WORKER_STARTED: "a worker process joined; its detail names the sandbox layers",
    EventType.WORKER_FINISHED: "a worker process left in order",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    event_type: EventType
    batch: int
    job: int | None = None
    detail: dict[str, Any] = field(default_factory=dict)
    status: str = "SUCCESS"
    source: str = "redwell"
    version: int = VERSION
    id: str = field(default_factory=lambda: str(uuid7()))
    timestamp_ms: int = field(default_factory=lambda: time.time_ns() // 1_000_000)

    def to_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))
