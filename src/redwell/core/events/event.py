"""Events: facts about a batch, as the bus and the webhook tell them (SPEC A18).

A case keeps them packed (core.events.packed), written with the rows they speak of.
"""

import time
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from redwell.core.errors import Permanent
from redwell.core.ids import uuid7

VERSION = 2


class EventType(StrEnum):
    JOB_QUEUED = "JOB_QUEUED"
    JOB_STARTED = "JOB_STARTED"
    JOB_FINISHED = "JOB_FINISHED"
    IMPORT_CANCELLED = "IMPORT_CANCELLED"
    WORKER_STARTED = "WORKER_STARTED"
    WORKER_FINISHED = "WORKER_FINISHED"
    LOADER_STARTED = "LOADER_STARTED"
    BATCH_END_START = "BATCH_END_START"
    BATCH_DOCUMENT_RELATIONS = "BATCH_DOCUMENT_RELATIONS"
    BATCH_ATTACHMENTS = "BATCH_ATTACHMENTS"
    BATCH_END_FINISHED = "BATCH_END_FINISHED"
    LOADER_FINISHED = "LOADER_FINISHED"
    LOADER_CANCELLED = "LOADER_CANCELLED"
    UPLOADER_THROTTLED = "UPLOADER_THROTTLED"
    UPLOADER_CREATE_INITIATED = "UPLOADER_CREATE_INITIATED"
    UPLOADER_STARTED = "UPLOADER_STARTED"
    UPLOADER_DELETE_INITIATED = "UPLOADER_DELETE_INITIATED"
    UPLOADER_FINISHED = "UPLOADER_FINISHED"
    UPLOADER_CANCEL_INITIATED = "UPLOADER_CANCEL_INITIATED"
    UPLOADER_CANCELLED = "UPLOADER_CANCELLED"
    UPLOADER_FAILED = "UPLOADER_FAILED"
    UPLOADER_WARNING = "UPLOADER_WARNING"
    DOCUMENT_UPLOADED = "DOCUMENT_UPLOADED"
    DOCUMENT_ADDED = "DOCUMENT_ADDED"
    DOCUMENT_PROCESSED = "DOCUMENT_PROCESSED"
    TASK_ADDED = "TASK_ADDED"
    TASK_FINISHED = "TASK_FINISHED"
    RENDITION_ADDED = "RENDITION_ADDED"
    ERROR = "ERROR"
    WARNING = "WARNING"
    NOTIFICATION = "NOTIFICATION"


LOADER_EVENTS = tuple(kind for kind in EventType if kind.startswith(("LOADER_", "BATCH_")))
UPLOADER_EVENTS = tuple(kind for kind in EventType if kind.startswith("UPLOADER_"))


class Status(StrEnum):
    SUCCESS = "SUCCESS"
    ERROR = "ERROR"


class Component(StrEnum):
    """Who publishes: the `source` of an event."""

    JOBS = "jobs"
    WORKER = "worker"
    INTAKE = "intake"
    EXTRACTOR = "extractor"
    LOADER = "loader"
    UPLOADER = "uploader"
    MONITOR = "monitor"


class Meaning(NamedTuple):
    says: str
    detail: str  # its keys


_END = "`outcomes`: how many exhibits of the batch have each outcome"
_FAMILIES = (
    "`startId`, `endId` (the one behind the last), `chunkSize`: exhibits that belong to others, a hundred at most"
)
_PAGES = "`exhibit`, `startPos`, `endPos` (the one behind the last): a hundred of its pages at most, from 1 on"
_TASK = "`task`, `number` of the content's work"
EVENT_MEANINGS: dict[EventType, Meaning] = {
    EventType.JOB_QUEUED: Meaning("the batch has a new job: an import, or a retry that was asked for", "`workerLimit`"),
    EventType.JOB_STARTED: Meaning("the first worker began with the job", "`workerLimit`"),
    EventType.JOB_FINISHED: Meaning("every row of the batch is terminal and searchable", _END),
    EventType.IMPORT_CANCELLED: Meaning("the import was cancelled; what was open has ended as CANCELLED", _END),
    EventType.WORKER_STARTED: Meaning("a worker began with the job", "`worker`, `layers` of its sandbox"),
    EventType.WORKER_FINISHED: Meaning("a worker left the job in order", "`worker`"),
    EventType.LOADER_STARTED: Meaning(
        "whoever loads the batch listens; before its first task where it has a queue", "`queue`, where it has one"
    ),
    EventType.BATCH_END_START: Meaning("every row of the job is terminal: the end of the load begins", ""),
    EventType.BATCH_DOCUMENT_RELATIONS: Meaning(
        "families in these are to be looked through: a message for each chunk", _FAMILIES
    ),
    EventType.BATCH_ATTACHMENTS: Meaning(
        "of a document of more than a hundred pages, a message for each hundred that was asked for", _PAGES
    ),
    EventType.BATCH_END_FINISHED: Meaning("nothing of the batch waits for its load", ""),
    EventType.LOADER_FINISHED: Meaning("everything of the batch is searchable, and its queue is gone", _END),
    EventType.LOADER_CANCELLED: Meaning("the import was cancelled, and the loader's queue is gone", ""),
    EventType.UPLOADER_THROTTLED: Meaning("the batch's uploader waits: too many connections are in use", ""),
    EventType.UPLOADER_CREATE_INITIATED: Meaning("the uploader has its queues, and its compute is being made", ""),
    EventType.UPLOADER_STARTED: Meaning("the uploader hands PDFs of the batch to the viewing engine", ""),
    EventType.UPLOADER_DELETE_INITIATED: Meaning("nothing is left to hand over; the uploader is taken down", ""),
    EventType.UPLOADER_FINISHED: Meaning("the uploader is gone, with its queues", ""),
    EventType.UPLOADER_CANCEL_INITIATED: Meaning("the import was cancelled; the uploader is taken down", ""),
    EventType.UPLOADER_CANCELLED: Meaning("the import was cancelled, and the uploader is gone", ""),
    EventType.UPLOADER_FAILED: Meaning("the uploader could not be made or taken down; the load goes on", "`what`"),
    EventType.UPLOADER_WARNING: Meaning("something of the uploader that people may want to know", "`what`"),
    EventType.DOCUMENT_UPLOADED: Meaning("the PDF of a content can be viewed", "`file`, its name at the engine"),
    EventType.DOCUMENT_ADDED: Meaning("an exhibit was registered: a file of a walk, or a member of a container", ""),
    EventType.DOCUMENT_PROCESSED: Meaning(
        "exhibits of one content are complete: text, metadata and members are known, or why not",
        "`outcome`; `reason` of a file that was not worked on",
    ),
    EventType.TASK_ADDED: Meaning("a file waits to be read, or a content to be worked on", _TASK),
    EventType.TASK_FINISHED: Meaning(
        "a task has ended; with the status ERROR after its last attempt",
        f"{_TASK}, `outcome`; of an ERROR `reason` and `problem`",
    ),
    EventType.RENDITION_ADDED: Meaning(
        "a PDF, page images or recognised text was made, with the import or later",
        f"{_TASK}, `outcome`, `rendition`",
    ),
    EventType.ERROR: Meaning(
        "a content was given up after its last attempt", f"{_TASK}, `outcome`, `reason`, `problem`"
    ),
    EventType.WARNING: Meaning(
        "a content failed an attempt and comes again, or stands with a part missing", f"{_TASK}, `outcome`, `reason`"
    ),
    EventType.NOTIFICATION: Meaning("something that people may want to know", "`what`; `files` of a walk that ended"),
}

EVENT_FIELDS: dict[str, str] = {
    "eventType": "one of the types below; a text attribute for filters",
    "caseId": "number of the case; a number attribute for filters",
    "batchId": "number of the batch; a number attribute for filters",
    "jobId": "the batch's job that it belongs to",
    "documentId": "the content, a UUID; null where the event is about none, or its bytes are not read yet",
    "exhibitIds": "exhibits that it is about; of a task at most 1,000 of those that the content has in the batch",
    "eventDetail": "an object; its keys are told below",
    "status": "`SUCCESS` or `ERROR`",
    "source": "the component that publishes: " + ", ".join(f"`{each}`" for each in Component),
    "version": f"of this form: {VERSION}; a later one may add keys",
    "id": "a UUID, the same each time the event is told: drop what you have seen",
    "timestamp": "when it was written, in milliseconds since 1970 (UTC)",
}


class Event(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`event_type`, `case_id` and `batch_id` are what subscriptions filter on."""

    event_type: str
    case_id: int
    batch_id: int | None = None
    job_id: int | None = None
    document_id: str | None = None
    exhibit_ids: tuple[int, ...] = ()
    event_detail: Mapping[str, Any] = {}
    status: str = Status.SUCCESS.value
    source: str = Component.JOBS.value
    version: int = VERSION
    id: str = msgspec.field(default_factory=lambda: str(uuid7()))
    timestamp: int = msgspec.field(default_factory=lambda: time.time_ns() // 1_000_000)  # ms

    def to_json(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, body: str) -> "Event":
        """Unknown fields of a later version are left alone; what is no event at all is Permanent."""
        try:
            return msgspec.json.decode(body, type=cls)
        except msgspec.MsgspecError as error:
            raise Permanent(f"a message that is no event: {error}") from None


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """What a subscription lets through: one of each set; an empty set lets all through."""

    event_types: frozenset[str] = frozenset()
    case_ids: frozenset[int] = frozenset()
    batch_ids: frozenset[int] = frozenset()

    def matches(self, event: Event) -> bool:
        return self.lets_through(event.event_type, event.case_id, event.batch_id)

    def lets_through(self, kind: str, case: int, batch: int | None) -> bool:
        return (
            (not self.event_types or kind in self.event_types)
            and (not self.case_ids or case in self.case_ids)
            and (not self.batch_ids or batch in self.batch_ids)
        )

    @classmethod
    def covering(cls, filters: Iterable["Filter"]) -> "Filter | None":
        """Lets through what any of them does, and perhaps more; None where there is none."""
        known = list(filters)
        parts = {name: [getattr(each, name) for each in known] for name in cls.__struct_fields__}
        return (
            cls(**{name: frozenset().union(*sets) if all(sets) else frozenset() for name, sets in parts.items()})
            if known
            else None
        )
