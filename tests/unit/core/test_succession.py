"""When a machine that keeps a case counts as gone."""

import pytest

from redwell.core.jobs.succession import KeeperWatch

pytestmark = pytest.mark.requirement("A10")


def test_a_keeper_whose_numbers_rise_is_there_however_long() -> None:
    watch = KeeperWatch(10)
    assert not any(watch.is_gone({"a": beat}, now_s=9.0 * beat) for beat in range(20))


def test_a_keeper_is_gone_a_lease_after_its_last_sign_of_life() -> None:
    watch = KeeperWatch(10)
    watch.is_gone({"a": 1}, 0)
    watch.is_gone({"a": 2}, 5)
    assert not watch.is_gone({"a": 2}, 14.9)
    assert watch.is_gone({"a": 2}, 15)


def test_rows_that_are_taken_away_are_no_sign_of_life() -> None:
    watch = KeeperWatch(10)
    watch.is_gone({"a": 1, "b": 1}, 0)
    assert not watch.is_gone({"a": 1}, 9)
    assert watch.is_gone({}, 10)


def test_where_nobody_is_there_at_first_it_has_a_lease_to_come() -> None:
    watch = KeeperWatch(10)
    assert not watch.is_gone({}, 100)
    assert not watch.is_gone({"a": 1}, 109)
    assert not watch.is_gone({"a": 1}, 118)
    assert watch.is_gone({"a": 1}, 119)
