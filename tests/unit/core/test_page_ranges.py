"""Pages are shared out in ranges (SPEC C1), and a context says which, of which reading, made of what."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.core.work.kinds import TaskType
from redwell.core.work.page_ranges import AT_ONCE, WHOLE, PageRange, range_in, ranges_of, reading_in, rendition_context

PAGES = TaskType.RENDER_PAGE_IMAGES


@pytest.mark.requirement("C1")
@given(st.integers(1, 5_000))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_c1_every_page_is_in_one_range_and_none_is_longer_than_a_hundred(pages: int) -> None:
    ranges = ranges_of(PAGES, pages)
    if pages <= AT_ONCE:
        assert ranges == [WHOLE]
    else:
        assert [n for r in ranges for n in range(r.first, r.last + 1)] == list(range(1, pages + 1))
        assert max(r.last - r.first + 1 for r in ranges) == AT_ONCE


def test_what_is_made_in_one_go_has_no_ranges() -> None:
    assert ranges_of(TaskType.RENDER_PDF, 5_000) == ranges_of(PAGES, None) == [WHOLE]


@pytest.mark.parametrize("reading", ["", "html"])
@pytest.mark.parametrize("made_of", [None, bytes(range(32))])
@pytest.mark.parametrize("pages", [WHOLE, PageRange(101, 200)])
def test_a_context_is_read_as_it_was_written(reading: str, made_of: bytes | None, pages: PageRange) -> None:
    context = rendition_context(reading, made_of, pages)
    assert (reading_in(context), range_in(context)) == (reading, pages)
