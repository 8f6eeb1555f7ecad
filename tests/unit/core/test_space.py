"""What a case will take is estimated from what was measured."""

import pytest

from redwell.core.case.space import ROWS, space_for

MB = 1 << 20


@pytest.mark.parametrize(
    ("name", "size", "took"),
    [("box.pst", 477 * MB, 1_800 * MB), ("Box.MBOX", 21 * MB, 76 * MB), ("a.txt", 21 * MB, 34 * MB)],
)
def test_the_estimate_is_no_less_than_what_was_measured_and_not_far_above(name: str, size: int, took: int) -> None:
    assert took <= space_for(name, size) <= 1.25 * took


def test_a_large_file_of_another_kind_takes_little_more_than_its_bytes() -> None:
    assert 8_000 * MB <= space_for("disk.bin", 8_000 * MB) <= 8_500 * MB


def test_many_empty_files_take_room_too() -> None:
    assert space_for("empty", 0) == ROWS
