"""Windows of a long document: all of it is in one at least, and where images go along, within so many pages."""

import pytest

from redwell.core.understanding.windows import Span, page_windows, pages_of, windows

PAGES = "one\n\ftwo\n\fthree\n\ffour\n"


@pytest.mark.parametrize(
    ("pages", "touched"), [(1, [[1], [2], [3], [4]]), (2, [[1, 2], [2, 3], [3, 4]]), (9, [[1, 2, 3, 4]])]
)
def test_windows_of_pages_overlap_by_a_page(pages: int, touched: list[list[int]]) -> None:
    spans = list(page_windows(PAGES, 1_000, pages))
    assert [list(pages_of(PAGES, span)) for span in spans] == touched
    assert spans[0].start == 0 and spans[-1].stop == len(PAGES)


@pytest.mark.parametrize("pages", [1, 2, 3])
def test_every_sign_is_in_a_window_however_small_they_are(pages: int) -> None:
    text = PAGES * 40
    covered = {place for span in page_windows(text, 50, pages) for place in range(span.start, span.stop)}
    assert covered == set(range(len(text)))


def test_a_text_without_pages_is_one_page() -> None:
    assert list(page_windows("", 10, 2)) == list(windows("", 10)) == [Span(0, 0)]
    assert list(pages_of("a\f", Span(0, 2))) == [1], "what ends a page begins no other"
