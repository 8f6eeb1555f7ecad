"""Whether what was hidden can still be read somewhere in what goes out. Pure.

What is looked for are passages: the words that stood under one box, in a row. Of a long passage every run of four words
counts, every two that are written like a name, and every number by itself; of a short one all of it. A lone common word
proves nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from redwell.core.page_words import Word
from redwell.core.production.orders import Box
from redwell.core.search.words import words_of

_RUN = 4
_TELLING_DIGITS = 4
_SHORTEST = 3
_COMMON = frozenset(
    "the and for not you are was were with this that from have has had its our your his her their they them will "
    "would shall should can could may might but all any one two who whom which what when where there here been being "
    "than then also into onto upon about over under more most some such only page date".split()
)


@dataclass(frozen=True, slots=True)
class Secret:
    """Words in a row that must not be found, and whose they are."""

    exhibit: int
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.words)


def secrets_of(exhibit: int, runs: Iterable[Sequence[Word]]) -> set[Secret]:
    """What is to be looked for of the words that were hidden in an exhibit."""
    found = set[Secret]()
    for run in runs:
        words = tuple(word for each in run for word in words_of(each.text))
        if len(words) < _RUN:
            if any(_tells(word) for word in words):
                found.add(Secret(exhibit, words))
            continue
        found |= {Secret(exhibit, words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}
        found |= {Secret(exhibit, (word,)) for word in words if _is_number(word)}
        found |= {Secret(exhibit, name) for name in _names([each.text for each in run])}
    return found


def _names(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Two words in a row that begin with capitals: Barnaby Quill."""
    for pair in pairwise(texts):
        words = tuple(word for text in pair for word in words_of(text))
        if all(_is_capital(text) for text in pair) and len(words) > 1 and all(map(_tells, words)):
            yield words


def _is_capital(text: str) -> bool:
    first = next((char for char in text if char.isalnum()), "")
    return first.isupper()


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST and word not in _COMMON


def _is_number(word: str) -> bool:
    return sum(char.isdigit() for char in word) >= _TELLING_DIGITS


class Finder:
    """Looks for many secrets in a text at once."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self._by_first: dict[str, list[Secret]] = {}
        for secret in secrets:
            self._by_first.setdefault(secret.words[0], []).append(secret)

    def __bool__(self) -> bool:
        return bool(self._by_first)

    def found_in(self, text: str) -> Iterator[Secret]:
        words = words_of(text)
        for at, word in enumerate(words):
            for secret in self._by_first.get(word, ()):
                if words[at : at + len(secret.words)] == secret.words:
                    yield secret


def still_read(words: Iterable[Word], boxes: Sequence[Box]) -> list[str]:
    """Words that somebody still reads where a box should be, on the page that goes out; labels are none."""
    labels = {word for box in boxes for word in words_of(box.label)}
    found = []
    for word in words:
        x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
        inside = any(box.left < x < box.right and box.top < y < box.bottom for box in boxes)
        if inside and any(_tells(each) and each not in labels for each in words_of(word.text)):
            found.append(word.text)
    return found
