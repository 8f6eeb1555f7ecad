"""The ledger's rules by name; under disturbance they are in test_ledger_disturbed.py."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.core.errors import StaleClaim
from redwell.core.outcomes import Outcome
from redwell.core.work import transitions
from redwell.core.work.kinds import Attempts
from redwell.core.work.lanes import Lane
from redwell.core.work.transitions import ADVANCE, CLAIM, FINISH, RELEASE, Derivation, OpenRows, Work

TABLE = Attempts()
DEATHS_OF_A_CHILD = (Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)
GREEDY = {Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY}
SMALL, LARGE = Lane.SMALL, Lane.LARGE


def blamed(outcome: Outcome, row: Derivation | None = None, *, member: bool = False) -> tuple[list[Lane], Derivation]:
    """Blame a row each time it is claimed until it ends; the lanes it was tried in, and the end."""
    row = row or Derivation()
    lanes: list[Lane] = []
    while row.state is not Work.DONE:
        assert len(lanes) < 100
        row = transitions.moved(row, CLAIM, "w")
        lanes.append(row.lane)
        row = transitions.blame(row, row.attempt, outcome, TABLE, member=member)
    return lanes, row


def held(**changes: object) -> Derivation:
    return replace(transitions.moved(Derivation(), CLAIM, "w"), **changes)  # type: ignore[arg-type]


@pytest.mark.requirement("A5")
def test_a_document_that_crashes_is_tried_twice_small_twice_large_and_ends_crashed() -> None:
    lanes, end = blamed(Outcome.CRASHED)
    assert lanes == [SMALL, SMALL, LARGE, LARGE]
    assert end.outcome is Outcome.CRASHED


@pytest.mark.requirement("A11")
def test_a_document_that_times_out_is_tried_once_small_and_once_large() -> None:
    lanes, end = blamed(Outcome.TIMED_OUT)
    assert lanes == [SMALL, LARGE]
    assert end.outcome is Outcome.TIMED_OUT


@pytest.mark.requirement("A11", "A5")
def test_a_document_out_of_memory_goes_to_large_at_once_and_has_two_tries_there() -> None:
    lanes, end = blamed(Outcome.OUT_OF_MEMORY)
    assert lanes == [SMALL, LARGE, LARGE]
    assert end.outcome is Outcome.OUT_OF_MEMORY


def test_a_document_that_begins_large_never_becomes_small() -> None:
    assert blamed(Outcome.CRASHED, Derivation(lane=LARGE))[0] == [LARGE, LARGE]
    assert blamed(Outcome.TIMED_OUT, Derivation(lane=LARGE))[0] == [LARGE]


def test_failures_in_the_small_lane_do_not_count_in_the_large_one() -> None:
    row = transitions.blame(held(tries=1), 1, Outcome.CRASHED, TABLE)
    assert (row.lane, row.tries, row.state) == (LARGE, 0, Work.QUEUED)


def test_the_last_failure_names_the_end() -> None:
    row = transitions.blame(held(lane=LARGE, tries=1), 1, Outcome.OUT_OF_MEMORY, TABLE)
    assert row.outcome is Outcome.OUT_OF_MEMORY
    row = transitions.blame(held(lane=LARGE, tries=0), 1, Outcome.TIMED_OUT, TABLE)
    assert row.outcome is Outcome.TIMED_OUT


@pytest.mark.parametrize("lane", Lane)
def test_a_member_that_crashes_a_child_is_lost_and_its_container_blameless(lane: Lane) -> None:
    row = transitions.blame(held(lane=lane, tries=1), 1, Outcome.CRASHED, TABLE, member=True)
    assert (row.state, row.lost, row.tries, row.lane) == (Work.QUEUED, 1, 1, lane)


@pytest.mark.requirement("A11")
@pytest.mark.parametrize("outcome", sorted(GREEDY))
def test_a_member_that_needs_more_gets_the_large_lane_before_it_is_lost(outcome: Outcome) -> None:
    row = transitions.blame(held(), 1, outcome, TABLE, member=True)
    assert (row.lane, row.lost) == (LARGE, 0)
    row = transitions.blame(transitions.moved(row, CLAIM, "w"), 2, outcome, TABLE, member=True)
    assert (row.lane, row.lost, row.state) == (LARGE, 1, Work.QUEUED)


def test_a_container_that_loses_too_many_members_ends_by_the_table() -> None:
    lanes, end = blamed(Outcome.CRASHED, member=True)
    assert lanes == [SMALL] * (TABLE.lost_members + 2) + [LARGE] * 2
    assert (end.outcome, end.lost) == (Outcome.CRASHED, TABLE.lost_members)


def test_a_row_that_ten_workers_died_on_ends_crashed() -> None:
    row = Derivation()
    for death in range(1, TABLE.deaths + 1):
        row = transitions.sweep(transitions.moved(row, CLAIM, f"w{death}"), TABLE)
        assert (row.state is Work.DONE) == (death == TABLE.deaths)
    assert row.outcome is Outcome.CRASHED


def test_being_given_back_often_is_not_held_against_a_row() -> None:
    row = Derivation()
    for _ in range(TABLE.deaths * 2):
        row = transitions.moved(row, CLAIM, "w")
        row = transitions.fenced(row, row.attempt, RELEASE)
    assert transitions.sweep(transitions.moved(row, CLAIM, "w"), TABLE).state is Work.QUEUED


def test_a_container_that_gets_ahead_survives_any_number_of_dead_workers() -> None:
    row = Derivation()
    for _ in range(TABLE.deaths * 2):
        row = transitions.moved(row, CLAIM, "w")
        row = transitions.sweep(transitions.fenced(row, row.attempt, ADVANCE), TABLE)
    assert row.state is Work.QUEUED


def test_a_sweep_leaves_rows_alone_that_nobody_holds() -> None:
    for row in (Derivation(), replace(transitions.fenced(held(), 1, FINISH), outcome=Outcome.SUCCESS)):
        assert transitions.sweep(row, TABLE) == row


def test_a_reopened_row_begins_again_in_the_next_generation() -> None:
    row = held(lane=LARGE, tries=1, lost=7, deaths=3)
    row = transitions.reopen(replace(transitions.fenced(row, 1, FINISH), outcome=Outcome.PASSWORD_PROTECTED), SMALL)
    assert row == Derivation(attempt=1, generation=2)


def test_only_finished_work_is_reopened() -> None:
    for row in (Derivation(), held()):
        with pytest.raises(StaleClaim):
            transitions.reopen(row, SMALL)


adversities = st.one_of(st.just("kill"), st.tuples(st.sampled_from(DEATHS_OF_A_CHILD), st.booleans()))


@pytest.mark.requirement("A19")
@given(
    lane=st.sampled_from(Lane),
    misfortunes=st.lists(adversities, min_size=80, max_size=80),
    table=st.builds(
        Attempts,
        small=st.integers(1, 3),
        large=st.integers(1, 3),
        deaths=st.integers(1, 12),
        lost_members=st.integers(0, 60),
    ),
)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_whatever_happens_a_row_ends_after_a_bounded_number_of_claims(
    lane: Lane, misfortunes: list[str | tuple[Outcome, bool]], table: Attempts
) -> None:
    row, claims = Derivation(lane=lane), 0
    for misfortune in misfortunes:
        row, claims = transitions.moved(row, CLAIM, "w"), claims + 1
        if isinstance(misfortune, str):
            row = transitions.sweep(row, table)
        else:
            row = transitions.blame(row, row.attempt, misfortune[0], table, member=misfortune[1])
        if row.state is Work.DONE:
            break
    assert row.state is Work.DONE and row.outcome in DEATHS_OF_A_CHILD
    assert claims <= table.small + table.large + table.deaths + table.lost_members


def test_a_difference_to_the_containers_own_index_is_told_and_its_absence_is_not() -> None:
    assert transitions.discrepancy(5, 3) == "the container declares 5 members, 3 were listed"
    assert transitions.discrepancy(3, 3) == transitions.discrepancy(None, 3) == ""


@pytest.mark.requirement("A19")
@given(st.tuples(*[st.integers(0, 2)] * 4))
@settings(deadline=None, derandomize=True)
def test_a_batch_is_searchable_and_finished_only_when_nothing_at_all_is_open(counts: tuple[int, int, int, int]) -> None:
    left = OpenRows(*counts)
    assert left.searchable == left.finished == (counts == (0, 0, 0, 0))
