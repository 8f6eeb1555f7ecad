"""Events as a case keeps them: those of one type and batch that one transaction wrote are one row (ADR 25). Pure.

A row names exhibits or works by their numbers, so that a chunk of documents costs little more than one. Whoever tells
the events looks the rest up (`Known`). An event has the same id each time: the row's, with its place in the row.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from redwell.core.events.event import Event, EventType, Status
from redwell.core.work.kinds import KINDS, TaskType

LONGEST_REASON = 2_000  # an event has to fit into a message
MOST_EXHIBITS = 1_000  # that an event of a task names
_OF_CONTENTS = frozenset({EventType.DOCUMENT_PROCESSED, EventType.DOCUMENT_UPLOADED})
_PLACE = 6  # hexadecimal digits at the end of an id


class About(StrEnum):
    BATCH = "batch"  # one event
    EXHIBITS = "exhibits"  # one for each, or for each content among them
    WORKS = "works"  # one for each


class Group(msgspec.Struct, frozen=True, array_like=True):
    """What has come to the same end for the same reason."""

    keys: tuple[int, ...]
    outcome: str = ""
    reason: str = ""


class PackedEvents(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    timestamp: int  # ms
    source: str
    job: int | None = None
    status: str = Status.SUCCESS.value
    detail: Mapping[str, Any] = {}  # of each
    about: About = About.BATCH
    span: tuple[int, int] | None = None  # instead of groups: the batch's exhibits from the first to the last
    groups: tuple[Group, ...] = ()
    upto: int = 0  # the newest exhibit at that time: an event of a work names none that came later

    def to_json(self) -> str:
        return msgspec.json.encode(self).decode()


class EventRow(NamedTuple):
    """A row of a case's journal."""

    id: int
    type: EventType
    batch: int
    packed: PackedEvents


class KnownWork(NamedTuple):
    document: str
    exhibits: tuple[int, ...]


class Known(NamedTuple):
    """What the ledger says of the numbers in a row; the documents are UUIDs."""

    exhibits: Mapping[int, str | None] = {}
    works: Mapping[int, KnownWork] = {}


def unpacked(row: EventRow, case: int, known: Known) -> Iterator[Event]:
    """The events of a row, in their order."""
    match row.packed.about:
        case About.BATCH:
            yield _event(row, case, 0)
        case About.WORKS:
            yield from _of_works(row, case, known.works)
        case About.EXHIBITS:
            yield from _of_exhibits(row, case, known.exhibits)


def event_id(first: str, place: int) -> str:
    return f"{first[:-_PLACE]}{place:0{_PLACE}x}"


def _event(row: EventRow, case: int, place: int, **about: Any) -> Event:
    packed = row.packed
    return Event(
        event_type=row.type,
        case_id=case,
        batch_id=row.batch,
        job_id=packed.job,
        event_detail={**packed.detail, **about.pop("detail", {})},
        status=packed.status,
        source=packed.source,
        id=event_id(packed.id, place),
        timestamp=packed.timestamp,
        **about,
    )


def _of_works(row: EventRow, case: int, works: Mapping[int, KnownWork]) -> Iterator[Event]:
    place = 0
    for group in row.packed.groups:
        for key in group.keys:
            work = works[key]
            detail = {"number": key, **_ending(row, group)}
            about = {"document_id": work.document, "exhibit_ids": work.exhibits[:MOST_EXHIBITS]}
            yield _event(row, case, place, detail=detail, **about)
            place += 1


def _of_exhibits(row: EventRow, case: int, documents: Mapping[int, str | None]) -> Iterator[Event]:
    """A content that ended is told of once, with all of its exhibits among them; anything else of each exhibit."""
    packed = row.packed
    if packed.span:
        first = packed.span[0]
        for key, document in documents.items():
            yield _event(row, case, key - first, document_id=document, exhibit_ids=(key,))
    place = 0
    for group in packed.groups:
        contents: dict[str | int, list[int]] = {}
        for key in group.keys:
            document = documents.get(key)
            together = row.type in _OF_CONTENTS and document
            contents.setdefault(document if together and document else key, []).append(key)
        detail = _ending(row, group)
        places = {key: place + n for n, key in enumerate(group.keys)}
        for keys in contents.values():
            about = {"document_id": documents.get(keys[0]), "exhibit_ids": tuple(keys)}
            yield _event(row, case, places[keys[0]], detail=detail, **about)
        place += len(group.keys)


def _ending(row: EventRow, group: Group) -> dict[str, str]:
    told = {name: value for name, value in (("outcome", group.outcome), ("reason", group.reason)) if value}
    task = row.packed.detail.get("task") if row.packed.status == Status.ERROR else None
    return {**told, "problem": KINDS[TaskType(task)].giving_up.value} if task else told
