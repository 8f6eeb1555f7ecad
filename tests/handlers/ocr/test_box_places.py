"""Boxes of a picture that was turned, straightened or made larger come back to where the words are shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.page_words import Word
from redwell.handlers.ocr.box_places import Affine, direction_of, moved_back, turned

pytestmark = pytest.mark.requirement("B5", "A7")

share = st.floats(0.05, 0.45)
quarter = st.sampled_from([0, 90, 180, 270])


@given(quarter, share, share, st.integers(10, 4000), st.integers(10, 4000), st.floats(0.2, 5))
def test_what_was_done_to_a_picture_is_undone_to_its_words(
    degrees: int, left: float, top: float, width: int, height: int, scale: float
) -> None:
    done = turned(degrees, width, height).then(Affine(scale, 0, 0, 0, scale, 0))
    size = (height, width) if degrees in (90, 270) else (width, height)
    read = (size[0] * scale, size[1] * scale)
    (x0, y0), (x1, y1) = done.at(left * width, top * height), done.at((left + 0.5) * width, (top + 0.5) * height)
    seen = Word("w", min(x0, x1) / read[0], min(y0, y1) / read[1], max(x0, x1) / read[0], max(y0, y1) / read[1])
    [word] = moved_back([seen], done, read, (width, height))  # type: ignore[arg-type]
    found = (word.left, word.top, word.right, word.bottom)
    assert found == pytest.approx((left, top, left + 0.5, top + 0.5), abs=1e-4)


@given(quarter, st.integers(1, 4000), st.integers(1, 4000))
def test_a_turned_page_lies_within_its_own_frame(degrees: int, width: int, height: int) -> None:
    corners = [turned(degrees, width, height).at(x, y) for x in (0, width) for y in (0, height)]
    assert (min(x for x, _ in corners), min(y for _, y in corners)) == (0, 0)


def test_a_turn_by_a_quarter_brings_the_upper_left_corner_to_the_upper_right() -> None:
    assert turned(90, 300, 200).at(0, 0) == (200, 0)


@given(st.tuples(*[st.floats(-3, 3)] * 6).filter(lambda m: abs(m[0] * m[4] - m[1] * m[3]) > 0.1), share, share)
def test_an_inverse_undoes(matrix: tuple[float, ...], x: float, y: float) -> None:
    done = Affine(*matrix)
    assert done.then(done.inverse()).at(x, y) == pytest.approx((x, y), abs=1e-6)


def test_lines_that_run_down_or_up_the_page_are_turned() -> None:
    across = [Word("valve", 0.1 * n, 0.1, 0.1 * n + 0.08, 0.12) for n in range(5)]
    down = [Word("valve", 0.1, 0.1 * n, 0.12, 0.1 * n + 0.08) for n in range(5)]
    assert [direction_of(words, (1000, 1000)) for words in (across, down, down[::-1], [])] == [0, 90, 270, 0]
