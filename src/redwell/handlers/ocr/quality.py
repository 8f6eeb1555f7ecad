"""How well a page was read, as one number, and which of two readings is the better one. Pure.

Confidence alone lies: a page of noise with one sure word has 95%. So it is weighed by the words that were found.
"""

from collections.abc import Sequence
from typing import NamedTuple

from redwell.core.page_words import Word

POOR = 0.7  # below it a page is cleaned and read again
_GOOD = 0.85
_EVEN = 0.5
_COARSE = 150  # dots an inch
_DOUBT = 2.0  # so many words are wanting of certainty, however sure those are that were found
_GUESS = 0.5  # what a machine is no surer of is noise
_COST_OF_NOISE = 0.25
_LONGEST = 30  # letters of a word that count
_SENTENCE = 40  # letters that nobody reads into noise, however much of it there is around them


class Quality(NamedTuple):
    score: float  # 0 to 1
    confidence: float  # the mean, by letters
    words: int  # that have a letter or a digit
    sure_letters: float  # letters, as far as each is surer than a guess
    noise: float = 0.0  # letters, as far as each is less sure than that


NOTHING = Quality(0.0, 0.0, 0, 0.0)


def quality_of(words: Sequence[Word]) -> Quality:
    told = [(letters, word.confidence) for word in words if (letters := _letters(word.text))]
    total = sum(letters for letters, _ in told)
    if not total:
        return NOTHING
    confidence = sum(letters * sure for letters, sure in told) / total
    sure_letters = sum(letters * max(0.0, sure - _GUESS) for letters, sure in told) / (1 - _GUESS)
    noise = sum(letters * max(0.0, _GUESS - sure) for letters, sure in told) / _GUESS
    score = confidence * len(told) / (len(told) + _DOUBT)
    return Quality(round(score, 4), round(confidence, 4), len(told), round(sure_letters, 2), round(noise, 2))


def is_doubtful(quality: Quality, ground: float, dpi: int) -> bool:
    """Whether the page is worth another try. `ground` is the share of it that is plain paper.

    What was read of a page in shadow, or of a coarse one, may be sure while the rest of it was not even seen.
    """
    if quality.score < POOR or ground < _EVEN:
        return True
    return dpi < _COARSE and quality.score < _GOOD


def is_better(second: Quality, first: Quality) -> bool:
    """More is surely read, and not among noise. A higher mean alone may come of half a page that was lost."""
    return (_worth(second), second.score) > (_worth(first), first.score)


def _worth(quality: Quality) -> float:
    return quality.sure_letters - _COST_OF_NOISE * quality.noise


def says_something(quality: Quality) -> bool:
    """Whether any word was read, rather than shapes that look like some."""
    return quality.sure_letters >= 2 and (quality.confidence > _GUESS or quality.sure_letters >= _SENTENCE)


def _letters(text: str) -> int:
    return min(_LONGEST, sum(char.isalnum() for char in text))
