"""The uploader of a batch: its life as a table of moves, how many tasks it has, and when it has to wait."""

from itertools import product
from math import ceil

import pytest

from redwell.core.events.event import EventType
from redwell.core.viewing.uploader_life import LIVE, OVER, OWN, UploaderFact, UploaderLife, UploaderPhase, moved
from redwell.core.viewing.uploader_scale import is_throttled, most_tasks, tasks_for

FACT = UploaderFact


def told(*facts: UploaderFact) -> list[EventType | None]:
    life, events = UploaderLife(), []
    for fact in facts:
        life, event = moved(life, fact)
        events.append(event)
    return events


@pytest.mark.requirement("E1")
def test_e1_a_life_from_its_queues_to_its_end_tells_each_step_once() -> None:
    facts = (FACT.PREPARED, FACT.BUSY, FACT.BUSY, FACT.INITIATED, FACT.INITIATED, FACT.RUNNING, FACT.DRAINED)
    assert [each for each in told(*facts, FACT.CLEARED, FACT.CLEARED) if each] == [
        EventType.UPLOADER_THROTTLED,
        EventType.UPLOADER_CREATE_INITIATED,
        EventType.UPLOADER_STARTED,
        EventType.UPLOADER_DELETE_INITIATED,
        EventType.UPLOADER_FINISHED,
    ]


@pytest.mark.requirement("E1")
def test_e1_whatever_is_said_in_whatever_order_a_life_ends_once_and_begins_anew_only_when_it_is_over() -> None:
    for facts in product(FACT, repeat=4):
        life = UploaderLife()
        for fact in facts:
            after, event = moved(life, fact)
            assert event is None or after.phase is not life.phase
            if after.phase is UploaderPhase.PREPARED:
                assert life.phase in {*OVER, UploaderPhase.PREPARED}
            if after.phase in OVER and after.phase is not life.phase:
                assert life.phase not in OVER and fact in (FACT.CLEARED, FACT.GIVEN_UP)
            life = after


@pytest.mark.requirement("E1")
@pytest.mark.parametrize("phase", [*sorted(LIVE), UploaderPhase.DELETING])
def test_e1_an_import_that_is_cancelled_ends_the_uploader_wherever_it_is(phase: UploaderPhase) -> None:
    life, event = moved(UploaderLife(phase=phase), FACT.CANCELLED)
    assert event is EventType.UPLOADER_CANCEL_INITIATED and OWN[life.phase] is event
    assert moved(life, FACT.CLEARED)[1] is EventType.UPLOADER_CANCELLED


@pytest.mark.requirement("E6")
@pytest.mark.parametrize("depth, tasks", [(0, 1), (200, 1), (201, 2), (501, 4), (2001, 6), (5000, 6), (5001, 10)])
def test_e6_the_deeper_the_queue_the_more_tasks(depth: int, tasks: int) -> None:
    assert tasks_for(depth, most=10) == tasks


@pytest.mark.requirement("E6")
def test_e6_what_a_job_may_have_sets_the_most_and_the_steps_follow() -> None:
    assert most_tasks(0, connections=10, otherwise=7) == 7
    for limit in (1, 10, 11, 500):
        most = most_tasks(limit, connections=10, otherwise=7)
        assert most == max(1, ceil(limit / 10)) and tasks_for(5001, most) == most
        steps = [tasks_for(depth, most) for depth in (0, 201, 501, 2001, 5001)]
        assert steps == sorted(steps) and steps[0] == 1


@pytest.mark.requirement("E5")
def test_e5_an_uploader_waits_while_more_connections_are_in_use_than_may_be() -> None:
    assert not is_throttled(running=20, connections=10, ceiling=200)
    assert is_throttled(running=21, connections=10, ceiling=200)
