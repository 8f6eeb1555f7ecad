"""The letters of a text are those that an expression finds, in less time."""

import random
import re

import pytest

from redwell.core.case.letters import letters_of

pytestmark = pytest.mark.requirement("D6")
_NO_WORD = re.compile(r"[\W_]+")


@pytest.mark.parametrize(
    "text", ["", "Dear Bob,\n_12.50_", "Grüße \u2013 «Ärger» \u2019s", "日本語、です。", "a\ud800b", "x²½٣"]
)
def test_letters_and_digits_stay_in_their_order(text: str) -> None:
    assert letters_of(text) == _NO_WORD.sub("", text)


def test_every_character_is_judged_as_an_expression_does() -> None:
    for start in range(0, 0x110000, 0x100):
        text = "a".join(map(chr, range(start, start + 0x100)))
        assert letters_of(text) == _NO_WORD.sub("", text)


def test_texts_of_any_mixture_are_judged_alike() -> None:
    chance = random.Random(7)
    for _ in range(200):
        text = "".join(chr(chance.randrange(chance.choice((0x80, 0x250, 0x3000, 0x11000)))) for _ in range(100))
        assert letters_of(text) == _NO_WORD.sub("", text)
