"""What every bus promises (ports.messaging.bus), with the queues it delivers to."""

from collections.abc import Iterable

import pytest
from tests.support.services import Services

from redwell.core.errors import Permanent
from redwell.core.events.event import Event, Filter
from redwell.core.events.joined import events_in
from redwell.ports.messaging.bus import Bus
from redwell.ports.messaging.queue import LARGEST_BYTES, Queue, QueueSpec


@pytest.fixture
def bus(services: Services) -> Bus:
    return services.bus()


def make_queue(services: Services, queue: Queue, name: str) -> str:
    queue.create(QueueSpec(name=services.name(name), lease_s=60))
    return services.name(name)


def event(kind: str = "DOCUMENT_PROCESSED", case: int = 7, batch: int | None = 1, **more: object) -> Event:
    return Event(event_type=kind, case_id=case, batch_id=batch, **more)


def by_id(events: Iterable[Event]) -> list[Event]:
    return sorted(events, key=lambda each: each.id)


def received(queue: Queue, name: str) -> list[Event]:
    return by_id(event for each in queue.receive(name, 50, wait_s=1) for event in events_in(each.body))


@pytest.mark.requirement("A18", "D9")
def test_an_event_arrives_as_it_was_published(services: Services, queue: Queue, bus: Bus) -> None:
    """Nothing is left of what it was wrapped into on the way."""
    name = make_queue(services, queue, "all")
    bus.subscribe(name, Filter())
    sent = event(
        job_id=3,
        document_id="01890a5d-ac96-774b-bcce-b302099a8057",
        exhibit_ids=(4, 5),
        event_detail={"startPos": 0, "endPos": 100, "name": "Prüfstand"},
        status="ERROR",
        source="loader",
    )
    bus.publish([sent])
    assert received(queue, name) == [sent]


FILTERS = {
    "type": Filter(event_types=frozenset({"JOB_FINISHED"})),
    "types": Filter(event_types=frozenset({"JOB_FINISHED", "JOB_STARTED"})),
    "case": Filter(case_ids=frozenset({7})),
    "batch": Filter(batch_ids=frozenset({1, 20})),
    "all three": Filter(
        event_types=frozenset({"DOCUMENT_PROCESSED"}), case_ids=frozenset({7, 70}), batch_ids=frozenset({1})
    ),
    "none": Filter(),
}


@pytest.mark.requirement("A2", "A18")
@pytest.mark.parametrize("wanted", FILTERS.values(), ids=FILTERS)
def test_a_subscription_gets_what_its_filter_lets_through_and_nothing_else(
    services: Services, queue: Queue, bus: Bus, wanted: Filter
) -> None:
    """Filters on eventType, caseId and batchId, the last two as numbers."""
    name = make_queue(services, queue, "filtered")
    bus.subscribe(name, wanted)
    kinds = ("JOB_STARTED", "DOCUMENT_PROCESSED", "JOB_FINISHED")
    sent = [event(kind, case, batch) for kind in kinds for case in (7, 70) for batch in (1, 10, None)]
    bus.publish(sent)
    assert received(queue, name) == by_id(each for each in sent if wanted.matches(each))


def test_each_subscribed_queue_gets_its_own_copy(services: Services, queue: Queue, bus: Bus) -> None:
    first, second = (make_queue(services, queue, name) for name in ("first", "second"))
    for name in (first, second):
        bus.subscribe(name, Filter(case_ids=frozenset({7})))
    sent = event()
    bus.publish([sent])
    assert received(queue, first) == received(queue, second) == [sent]


@pytest.mark.requirement("A2")
def test_subscribing_again_adds_nothing_and_replaces_the_filter(services: Services, queue: Queue, bus: Bus) -> None:
    """Subscribed idempotently."""
    name = make_queue(services, queue, "again")
    old, new = Filter(case_ids=frozenset({7})), Filter(case_ids=frozenset({8}), event_types=frozenset({"ERROR"}))
    references = {bus.subscribe(name, old), services.bus().subscribe(name, old)}
    bus.publish([event(case=7)])
    assert len(received(queue, name)) == 1
    references.add(bus.subscribe(name, new))
    assert len(references) == 1
    assert bus.subscriptions() == {name: new}
    wanted = event("ERROR", 8)
    bus.publish([event(case=7), event(case=8), wanted])
    assert received(queue, name) == [wanted]


def test_an_event_from_before_the_subscription_is_not_delivered(services: Services, queue: Queue, bus: Bus) -> None:
    """It costs time, never work: whoever starts reads the rows first."""
    name = make_queue(services, queue, "late")
    bus.publish([event()])
    bus.subscribe(name, Filter())
    assert received(queue, name) == []


def test_nothing_comes_after_unsubscribing_and_doing_so_twice_is_harmless(
    services: Services, queue: Queue, bus: Bus
) -> None:
    name = make_queue(services, queue, "gone")
    bus.subscribe(name, Filter())
    bus.unsubscribe(name)
    bus.unsubscribe(name)
    bus.publish([event()])
    assert (received(queue, name), bus.subscriptions()) == ([], {})


def test_a_subscription_that_outlives_its_queue_stops_nobody(services: Services, queue: Queue, bus: Bus) -> None:
    gone, here = (make_queue(services, queue, name) for name in ("gone", "here"))
    for name in (gone, here):
        bus.subscribe(name, Filter())
    queue.delete(gone)
    sent = event()
    bus.publish([sent])
    assert received(queue, here) == [sent]
    bus.unsubscribe(gone)


def test_any_number_of_events_goes_out_in_one_call(services: Services, queue: Queue, bus: Bus) -> None:
    name = make_queue(services, queue, "many")
    bus.subscribe(name, Filter(batch_ids=frozenset({1})))
    sent = [event(event_detail={"n": n}) for n in range(33)]
    bus.publish(sent)
    assert sorted(each.event_detail["n"] for each in received(queue, name)) == list(range(33))


def test_events_of_documents_travel_together_where_they_may(services: Services, queue: Queue) -> None:
    """And filters hold for each of them: they are of one type, case and batch."""
    name, bus = make_queue(services, queue, "together"), services.bus(together=20)
    bus.subscribe(name, Filter(batch_ids=frozenset({1})))
    sent = [event(batch=batch, exhibit_ids=(n,)) for batch in (1, 2) for n in range(33)]
    bus.publish(sent)
    messages = [events_in(each.body) for each in queue.receive(name, 50, wait_s=1)]
    assert sorted(map(len, messages)) == [13, 20]
    assert by_id(each for some in messages for each in some) == by_id(sent[:33])


def test_a_bus_knows_what_is_wanted_of_it(services: Services, queue: Queue, bus: Bus) -> None:
    """A subscription that is new counts at once: whoever publishes less than is wanted would lose events."""
    first, second, third = (make_queue(services, queue, name) for name in ("one", "two", "three"))
    assert bus.wanted() is None
    other = services.bus()
    other.subscribe(first, Filter(event_types=frozenset({"ERROR"}), case_ids=frozenset({7})))
    assert bus.wanted() == Filter(event_types=frozenset({"ERROR"}), case_ids=frozenset({7}))
    other.subscribe(second, Filter(event_types=frozenset({"WARNING"}), case_ids=frozenset({8})))
    assert bus.wanted() == Filter(event_types=frozenset({"ERROR", "WARNING"}), case_ids=frozenset({7, 8}))
    other.subscribe(third, Filter())
    assert bus.wanted() == Filter()
    for name in (first, second, third):
        other.unsubscribe(name)
    assert bus.wanted() is None


def test_an_event_that_one_bus_refuses_is_refused_by_all(bus: Bus) -> None:
    with pytest.raises(ValueError):
        bus.publish([event(), event(event_detail={"text": "x" * LARGEST_BYTES})])


@pytest.mark.parametrize("body", ["", "no JSON", "[]", '{"eventType": "X"}', '{"eventType": "X", "caseId": "seven"}'])
def test_a_message_that_is_no_event_is_named(body: str) -> None:
    with pytest.raises(Permanent, match="no event"):
        Event.from_json(body)


def test_what_a_later_version_adds_to_an_event_is_left_alone() -> None:
    found = Event.from_json('{"eventType": "NEW_KIND", "caseId": 7, "version": 2, "colour": "red"}')
    assert (found.event_type, found.version) == ("NEW_KIND", 2)
