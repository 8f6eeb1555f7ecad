"""Rows of the journal and the events they stand for (core.events.packed)."""

from typing import Any

import msgspec
import pytest

from redwell.core.events.event import EVENT_FIELDS, EVENT_MEANINGS, Event, EventType, Status
from redwell.core.events.packed import About, EventRow, Group, Known, KnownWork, PackedEvents, unpacked

ID = "01890a5d-ac96-774b-bcce-b302099a8057"


def row(kind: EventType, **said: Any) -> EventRow:
    return EventRow(5, kind, 3, PackedEvents(id=ID, timestamp=9, source="extractor", job=4, **said))


def told(packed: EventRow, known: Known) -> list[Event]:
    return list(unpacked(packed, 7, known))


def test_a_row_about_a_batch_is_one_event() -> None:
    [event] = told(row(EventType.JOB_STARTED, detail={"a": 1}), Known())
    assert (event.case_id, event.batch_id, event.job_id, event.timestamp) == (7, 3, 4, 9)
    assert (event.event_detail, event.source, event.id) == ({"a": 1}, "extractor", ID[:-6] + "000000")


def test_exhibits_of_one_content_that_ended_are_told_of_together() -> None:
    ended = row(
        EventType.DOCUMENT_PROCESSED,
        about=About.EXHIBITS,
        groups=(Group((1, 2, 3), "SUCCESS"), Group((4,), "INVALID_FILE", "gone")),
    )
    events = told(ended, Known(exhibits={1: "a", 2: "b", 3: "a"}))
    assert [(e.document_id, e.exhibit_ids, dict(e.event_detail)) for e in events] == [
        ("a", (1, 3), {"outcome": "SUCCESS"}),
        ("b", (2,), {"outcome": "SUCCESS"}),
        (None, (4,), {"outcome": "INVALID_FILE", "reason": "gone"}),
    ]
    assert [e.id[-6:] for e in events] == ["000000", "000001", "000003"]


def test_an_exhibit_keeps_its_id_when_more_is_known_of_others() -> None:
    """A member that had no bytes may get some from a later reading."""
    ended = row(EventType.DOCUMENT_PROCESSED, about=About.EXHIBITS, groups=(Group((1, 2), "SUCCESS"),))
    before = {e.exhibit_ids[0]: e.id for e in told(ended, Known(exhibits={1: "a"}))}
    after = {e.exhibit_ids[0]: e.id for e in told(ended, Known(exhibits={1: "a", 2: "b"}))}
    assert before == after


def test_a_span_is_an_event_for_each_exhibit_in_it() -> None:
    added = row(EventType.DOCUMENT_ADDED, about=About.EXHIBITS, span=(10, 40))
    events = told(added, Known(exhibits={10: None, 12: "a", 40: "a"}))
    assert [(e.exhibit_ids, e.document_id, int(e.id[-6:], 16)) for e in events] == [
        ((10,), None, 0),
        ((12,), "a", 2),
        ((40,), "a", 30),
    ]


@pytest.mark.requirement("A17")
def test_a17_a_task_that_failed_names_its_problem_and_all_places_of_its_content() -> None:
    failed = row(
        EventType.TASK_FINISHED,
        about=About.WORKS,
        status=Status.ERROR.value,
        detail={"task": "extract-text"},
        groups=(Group((8,), "CRASHED", "it died"),),
    )
    [event] = told(failed, Known(works={8: KnownWork("a", (1, 2))}))
    assert (event.document_id, event.exhibit_ids, event.status) == ("a", (1, 2), "ERROR")
    assert event.event_detail == {
        "task": "extract-text",
        "number": 8,
        "outcome": "CRASHED",
        "reason": "it died",
        "problem": "TEXT_UNAVAILABLE",
    }


def test_a_content_with_very_many_places_fits_into_a_message() -> None:
    many = row(EventType.TASK_ADDED, about=About.WORKS, detail={"task": "extract-text"}, groups=(Group((8,)),))
    [event] = told(many, Known(works={8: KnownWork("a", tuple(range(5_000)))}))
    assert len(event.exhibit_ids) == 1_000


def test_every_key_and_type_of_an_event_is_explained() -> None:
    assert list(msgspec.to_builtins(Event(event_type="X", case_id=1))) == list(EVENT_FIELDS)
    assert set(EVENT_MEANINGS) == set(EventType)
