"""Events that travel as one message."""

import pytest

from redwell.core.errors import Permanent
from redwell.core.events.event import Event, EventType
from redwell.core.events.joined import LARGEST, events_in, joined


def processed(exhibit: int, batch: int = 1, **more: object) -> Event:
    return Event(event_type=EventType.DOCUMENT_PROCESSED, case_id=7, batch_id=batch, exhibit_ids=(exhibit,), **more)


def test_nothing_gives_no_message() -> None:
    assert list(joined([], 100)) == []


def test_an_event_alone_is_a_message_as_it_always_was() -> None:
    [message] = joined([event := processed(1)], 100)
    assert message.body == event.to_json()
    assert events_in(message.body) == [event]


def test_every_event_comes_out_again_in_its_order() -> None:
    events = [processed(n, batch) for batch in (1, 2) for n in range(7)]
    messages = list(joined(events, 3))
    assert [len(each.positions) for each in messages] == [3, 3, 1, 3, 3, 1]
    assert [event for each in messages for event in events_in(each.body)] == events
    assert [position for each in messages for position in each.positions] == list(range(14))


def test_what_tells_of_a_batch_goes_alone() -> None:
    """Whoever takes it may put it back to hear it later."""
    ends = [Event(event_type=EventType.JOB_FINISHED, case_id=7, batch_id=1) for _ in range(3)]
    assert [len(each.positions) for each in joined(ends, 100)] == [1, 1, 1]


def test_a_message_stays_below_what_a_service_takes_in_one() -> None:
    events = [processed(n, event_detail={"reason": "ü" * 2_000}) for n in range(100)]
    messages = list(joined(events, 100))
    assert max(len(each.body.encode()) for each in messages) <= LARGEST
    assert sum(len(each.positions) for each in messages) == 100


def test_a_line_that_is_no_event_makes_the_message_none() -> None:
    with pytest.raises(Permanent, match="no event"):
        events_in(f"{processed(1).to_json()}\nno event")
