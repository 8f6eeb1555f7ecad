"""How well a page was read: confidence weighed by the words that were found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.page_words import Word
from redwell.handlers.ocr.quality import NOTHING, POOR, is_better, quality_of, says_something

pytestmark = pytest.mark.requirement("B5")

words = st.lists(
    st.builds(lambda text, sure: Word(text, 0, 0, 1, 1, sure), st.text(max_size=12), st.floats(0, 1)), max_size=40
)


def page(*told: tuple[str, float]) -> list[Word]:
    return [Word(text, 0, 0, 1, 1, sure) for text, sure in told]


def test_one_sure_word_on_a_page_is_poor_and_a_page_of_sure_words_is_not() -> None:
    assert quality_of(page(("valve", 0.95))).score < POOR
    assert quality_of(page(*[("valve", 0.95)] * 100)).score > 0.9


def test_signs_without_a_letter_are_no_words() -> None:
    assert quality_of(page(("|", 0.99), ("—~", 0.99))) == NOTHING
    assert not says_something(NOTHING)


def test_long_words_weigh_more_than_specks() -> None:
    assert quality_of(page(("inspection", 0.95), ("i", 0.1))).confidence > 0.85


def test_shapes_that_look_like_words_say_nothing() -> None:
    assert not says_something(quality_of(page(*[("xqzv", 0.3)] * 20)))
    assert says_something(quality_of(page(("EXIT", 0.9))))


def test_a_higher_mean_of_half_a_page_is_not_better() -> None:
    whole, half = quality_of(page(*[("valve", 0.8)] * 100)), quality_of(page(*[("valve", 0.9)] * 50))
    assert half.confidence > whole.confidence
    assert is_better(whole, half) and not is_better(half, whole)


@given(words)
def test_scores_are_shares_and_never_above_the_confidence(found: list[Word]) -> None:
    quality = quality_of(found)
    assert 0 <= quality.score <= quality.confidence + 1e-4 <= 1.001
    assert not is_better(quality, quality)


@given(words, st.floats(0.6, 1))
def test_one_sure_word_more_is_never_worse(found: list[Word], sure: float) -> None:
    more = quality_of([*found, Word("valve", 0, 0, 1, 1, sure)])
    assert not is_better(quality_of(found), more)


def test_words_are_not_given_up_for_a_few_more_among_noise() -> None:
    """A page of logos: strongly cleaned it shows a little more, and a hundred shapes that are no words."""
    plain = quality_of(page(*[("Technologies", 0.8)] * 20))
    noisy = quality_of(page(*[("Technologies", 0.8)] * 22, *[("xqzv", 0.2)] * 120))
    assert is_better(plain, noisy) and not is_better(noisy, plain)
    assert says_something(noisy), "whatever stands around them, words were read"
