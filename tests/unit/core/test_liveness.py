"""Whether a worker lives, without comparing two clocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.jobs.liveness import Pulses, next_check_s

pytestmark = pytest.mark.requirement("A10")

LEASE_S = 300.0


def test_a10_a_worker_whose_number_stands_still_for_a_lease_is_dead_and_lives_again_when_it_rises() -> None:
    pulses = Pulses(LEASE_S)
    assert pulses.alive("w", 1, 0)
    assert pulses.alive("w", 1, LEASE_S - 1)
    assert not pulses.alive("w", 1, LEASE_S)
    assert pulses.alive("w", 2, LEASE_S + 1)


def test_the_first_look_gives_a_whole_lease_and_so_does_the_first_after_it_was_forgotten() -> None:
    pulses = Pulses(LEASE_S)
    assert pulses.alive("w", 7, 10_000)
    assert not pulses.alive("w", 7, 10_000 + LEASE_S)
    pulses.forget("w")
    assert pulses.alive("w", 7, 10_000 + LEASE_S)


@given(st.lists(st.tuples(st.floats(0, 100), st.booleans()), min_size=1, max_size=50))
def test_a_worker_is_taken_for_dead_only_after_a_lease_without_a_sign(looks: list[tuple[float, bool]]) -> None:
    pulses, now, beat, last = Pulses(LEASE_S), 0.0, 0, 0.0
    pulses.alive("w", beat, now)
    for pause, rises in looks:
        now += pause
        if rises:
            beat, last = beat + 1, now
        assert pulses.alive("w", beat, now) == (now - last < LEASE_S)


@given(st.floats(1, 10_000))
def test_a10_a_lease_is_extended_often_enough_that_a_late_check_finds_it(lease_s: float) -> None:
    assert 0 < next_check_s(lease_s) <= lease_s / 5
    assert lease_s < 75 or next_check_s(lease_s) + 30 <= lease_s
