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
    LOADER_FINISHED = "LOADER_FINISHED"
    DOCUMENT_ADDED = "DOCUMENT_ADDED"
    DOCUMENT_PROCESSED = "DOCUMENT_PROCESSED"
    TASK_ADDED = "TASK_ADDED"
    TASK_FINISHED = "TASK_FINISHED"
    RENDITION_ADDED = "RENDITION_ADDED"
    ERROR = "ERROR"
    WARNING = "WARNING"
    NOTIFICATION = "NOTIFICATION"


EVENT_MEANINGS: dict[EventType, str] = {
    EventType.JOB_QUEUED: "the batch has a new job: its sources are registered, or a retry was asked for",
    EventType.JOB_STARTED: "the first worker began with the job",
    EventType.JOB_FINISHED: "every row of the batch is terminal and searchable",
    EventType.IMPORT_CANCELLED: "the import was cancelled and everything that was open has ended as CANCELLED",
    EventType.WORKER_STARTED: "a worker began with the job; its detail names the worker and the sandbox layers",
    EventType.WORKER_FINISHED: "a worker left the job in order",
    EventType.LOADER_FINISHED: "everything of the batch is searchable; here together with JOB_FINISHED",
    EventType.DOCUMENT_ADDED: "exhibits were registered: files of a walk, or members of a container",
    EventType.DOCUMENT_PROCESSED: "exhibits are complete; the detail has their outcome, a count where none is named",
    EventType.TASK_ADDED: "contents wait to be worked on",
    EventType.TASK_FINISHED: "a task on a content or the reading of a file has ended; an ERROR names the problem",
    EventType.RENDITION_ADDED: "a PDF, page images or recognised text arrived later; no release makes any yet",
    EventType.ERROR: "a content was given up after its last attempt; the detail says why",
    EventType.WARNING: "a content failed an attempt and comes again, or stands with a part missing",
    EventType.NOTIFICATION: "something that people may want to know, such as a walk that has ended",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    event_type: EventType
    batch: int
    job: int | None = None
    document: str | None = None
    exhibits: tuple[int, ...] = ()
    detail: dict[str, Any] = field(default_factory=dict)
    status: str = "SUCCESS"
    source: str = "redwell"
    version: int = VERSION
    id: str = field(default_factory=lambda: str(uuid7()))
    timestamp_ms: int = field(default_factory=lambda: time.time_ns() // 1_000_000)

    def to_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))
