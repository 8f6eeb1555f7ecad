"""When renditions have their turn beside the text of their batch."""

import pytest

from redwell.core.work.text_first import FEW, LOAD_S, ONE, TEXT_S, have_turn, most_beside
from redwell.core.work.transitions import Standing

pytestmark = pytest.mark.requirement("A4")

BEFORE = [Standing.UNREAD, Standing.OPEN, Standing.UNINDEXED]


@pytest.mark.parametrize("standing", BEFORE)
def test_a4_renditions_have_no_turn_before_all_can_be_searched(standing: Standing) -> None:
    assert not have_turn(standing, 0.0)
    assert not have_turn(standing, TEXT_S - 0.1)


@pytest.mark.parametrize("standing", [Standing.RENDERING, Standing.OVER])
def test_a4_they_have_it_at_once_when_all_can_be_searched(standing: Standing) -> None:
    assert have_turn(standing, 0.0)


@pytest.mark.parametrize("standing", BEFORE)
def test_whoever_finds_no_text_for_long_goes_on_with_renditions(standing: Standing) -> None:
    """It may be with a worker that died, or with one that reads a mailbox for hours."""
    assert have_turn(standing, LOAD_S)
    assert have_turn(standing, TEXT_S) == (standing is not Standing.UNINDEXED)


def test_then_it_takes_little_as_long_as_text_is_open() -> None:
    assert most_beside(100, waiting=True, at_work=True, blocked=False) == ONE
    assert most_beside(100, waiting=False, at_work=True, blocked=False) == FEW
    assert most_beside(100, waiting=False, at_work=False, blocked=False) == 100
    assert most_beside(5, waiting=False, at_work=True, blocked=False) == 5


def test_a5_text_that_waits_for_room_gets_the_room() -> None:
    """A large document needs several slots: renditions that took each one as it is free would keep it waiting."""
    assert most_beside(100, waiting=True, at_work=True, blocked=True) == 0
