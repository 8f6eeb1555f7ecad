"""Which events documents and tasks give, as the journal tells them apart, and who publishes those of a batch."""

from functools import cache
from typing import Any, NamedTuple

from redwell.core.events.event import LOADER_EVENTS, UPLOADER_EVENTS, Component, EventType, Status
from redwell.core.events.packed import About
from redwell.core.work.kinds import TaskType


class Kind(NamedTuple):
    """Events that differ in it are never one row."""

    type: EventType
    source: Component
    status: Status = Status.SUCCESS
    about: About = About.EXHIBITS
    detail: tuple[tuple[str, Any], ...] = ()


@cache
def of_task(kind: Kind, task: str) -> Kind:
    return kind._replace(detail=(("task", task),))


ADDED_FILE = Kind(EventType.DOCUMENT_ADDED, Component.INTAKE)
ADDED_MEMBER = Kind(EventType.DOCUMENT_ADDED, Component.EXTRACTOR)
READING_ADDED = of_task(Kind(EventType.TASK_ADDED, Component.INTAKE), TaskType.INTAKE_DOCUMENT.value)
TASK_ADDED = Kind(EventType.TASK_ADDED, Component.EXTRACTOR, about=About.WORKS)
WARNED = Kind(EventType.WARNING, Component.EXTRACTOR, about=About.WORKS)
GIVEN_UP = Kind(EventType.ERROR, Component.EXTRACTOR, Status.ERROR, About.WORKS)
READ = of_task(Kind(EventType.TASK_FINISHED, Component.INTAKE), TaskType.INTAKE_DOCUMENT.value)
UNREAD = READ._replace(status=Status.ERROR)
FINISHED = Kind(EventType.TASK_FINISHED, Component.EXTRACTOR, about=About.WORKS)
FAILED = FINISHED._replace(status=Status.ERROR)
RENDERED = Kind(EventType.RENDITION_ADDED, Component.EXTRACTOR, about=About.WORKS)
PUBLISHED = Kind(EventType.DOCUMENT_UPLOADED, Component.UPLOADER, about=About.WORKS)
PROCESSED = Kind(EventType.DOCUMENT_PROCESSED, Component.EXTRACTOR)
LEFT_OUT = Kind(EventType.DOCUMENT_PROCESSED, Component.INTAKE)
CANCELLED = Kind(EventType.DOCUMENT_PROCESSED, Component.JOBS)
SOURCES = {  # of events about a batch
    EventType.WORKER_STARTED: Component.WORKER,
    EventType.WORKER_FINISHED: Component.WORKER,
    **dict.fromkeys(LOADER_EVENTS, Component.LOADER),
    **dict.fromkeys(UPLOADER_EVENTS, Component.UPLOADER),
}
