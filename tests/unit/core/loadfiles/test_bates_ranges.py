"""A number inside of a range is found by its own."""

import pytest

from redwell.core.loadfiles.bates import MOST_WITHIN, numbers_within


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("A001 - A004", ["A002", "A003"]),
        ("X-8_REV - X-11_REV", ["X-9_REV", "X-10_REV"]),
        ("A001", []),
        ("A001 - A002", []),
        ("A001 - B003", []),
        ("A009 - A003", []),
        ("none", []),
        ("", []),
        (f"A1 - A{MOST_WITHIN + 1}", []),
    ],
)
def test_numbers_between_the_ends(text: str, numbers: list[str]) -> None:
    assert numbers_within(text) == numbers
