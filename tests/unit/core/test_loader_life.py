"""The life of a batch's loader: whatever comes, in whatever order and how often, each end is told once."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.events.event import EventType
from redwell.core.jobs.loader_life import Fact, Life, Phase, again_after_s, is_leftover, moved

USUAL = (Fact.JOB_STARTED, Fact.JOB_FINISHED, Fact.ALL_LOADED, Fact.CHECKED, Fact.CLEARED)
ENDS = (EventType.LOADER_FINISHED, EventType.LOADER_CANCELLED)


def lived(facts: list[Fact] | tuple[Fact, ...], life: Life | None = None) -> tuple[Life, list[EventType]]:
    life, told = life or Life(), list[EventType]()
    for fact in facts:
        life, more = moved(life, fact)
        told += more
    return life, told


@pytest.mark.requirement("D7")
def test_d7_a_batch_that_runs_through_tells_every_event_of_the_loader_in_order() -> None:
    life, told = lived(USUAL)
    assert life.phase is Phase.COMPLETE
    assert told == [
        EventType.LOADER_STARTED,
        EventType.BATCH_END_START,
        EventType.BATCH_END_FINISHED,
        EventType.LOADER_FINISHED,
    ]


@given(st.lists(st.sampled_from(Fact)))
def test_a_fact_that_comes_again_at_once_changes_nothing_and_is_not_told(facts: list[Fact]) -> None:
    twice = [fact for fact in facts for _ in range(2)]
    assert lived(twice) == lived(facts)


@given(st.lists(st.sampled_from(Fact)))
def test_every_start_has_one_end_at_most_and_only_what_was_started_ends(facts: list[Fact]) -> None:
    life, told = lived(facts)
    counts = Counter(told)
    begun, ended = counts[EventType.LOADER_STARTED], sum(counts[kind] for kind in ENDS)
    cancelled_unbegun = counts[EventType.LOADER_CANCELLED]
    assert ended <= begun + cancelled_unbegun
    assert counts[EventType.BATCH_END_FINISHED] <= counts[EventType.BATCH_END_START] <= begun
    assert counts[EventType.LOADER_FINISHED] <= counts[EventType.BATCH_END_FINISHED]
    if life.phase in (Phase.COMPLETE, Phase.CANCELLED):
        assert ended and not is_leftover(life)


@pytest.mark.requirement("D7")
@given(st.integers(0, len(USUAL) - 1), st.lists(st.sampled_from(USUAL)))
def test_d7_cancelled_at_any_stage_it_ends_as_cancelled_whatever_comes_late(stage: int, late: list[Fact]) -> None:
    life, before = lived(USUAL[:stage])
    unstarted = [fact for fact in late if fact is not Fact.JOB_STARTED]
    life, told = lived([Fact.IMPORT_CANCELLED, *unstarted, Fact.CLEARED], life)
    assert life.phase is Phase.CANCELLED and EventType.LOADER_FINISHED not in before + told
    assert told.count(EventType.LOADER_CANCELLED) == 1


def test_a_retry_starts_the_loader_anew_and_forgets_the_redrives_before() -> None:
    life, _ = lived(USUAL)
    again, told = moved(Life(phase=life.phase, redrives=2), Fact.JOB_STARTED)
    assert (again.phase, again.redrives, told) == (Phase.STARTED, 0, (EventType.LOADER_STARTED,))


@pytest.mark.requirement("D5")
def test_d5_a_message_that_failed_waits_120_s_doubling_to_900() -> None:
    assert [again_after_s(received, 120, 900) for received in (1, 2, 3, 4, 9)] == [120, 240, 480, 900, 900]
