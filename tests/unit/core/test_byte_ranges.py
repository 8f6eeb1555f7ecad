"""Parts of files that requests ask for."""

import pytest

from redwell.core.viewing.byte_ranges import NoSuchPart, Part, asked_part


@pytest.mark.requirement("E3")
@pytest.mark.parametrize(
    "header, part",
    [
        ("bytes=0-0", Part(0, 1)),
        ("bytes=0-99", Part(0, 10)),
        ("bytes=3-5", Part(3, 3)),
        ("bytes=9-", Part(9, 1)),
        ("bytes=-3", Part(7, 3)),
        ("bytes=-99", Part(0, 10)),
        ("", None),
        ("bytes=-", None),
        ("bytes=5-3", None),
        ("bytes=0-1,3-4", None),
        ("lines=1-2", None),
        ("bytes=a-b", None),
    ],
)
def test_a_part_lies_within_the_file_and_what_nobody_knows_is_all_of_it(header: str, part: Part | None) -> None:
    assert asked_part(header, 10) == part


@pytest.mark.parametrize("header, size", [("bytes=10-", 10), ("bytes=0-", 0), ("bytes=-0", 10), ("bytes=-5", 0)])
def test_a_part_behind_the_end_is_none(header: str, size: int) -> None:
    with pytest.raises(NoSuchPart):
        asked_part(header, size)
