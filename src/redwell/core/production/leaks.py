"""What has to be looked for in what goes out, of the words that were hidden in it. Pure.

What is looked for are passages: the words that stood under one box, in a row. Of a long passage every run of four words
counts, every two that are written like a name, in either order, and every number or address by itself; of a short one
all of it. A lone common word proves nothing; a lone word that is written like a name is a hint, which a person judges.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from redwell.core.page_words import Word
from redwell.core.production.leak_finder import folded_words
from redwell.core.production.orders import Box

_RUN = 4
_TELLING_DIGITS = 4
_SHORTEST, _SHORTEST_NAME = 3, 4
_SENTENCE_ENDS = (".", "!", "?", ":", "•", "-")
_COMMON = frozenset(
    "the and for not you are was were with this that from have has had its our your his her their they them will "
    "would shall should can could may might but all any one two who whom which what when where there here been being "
    "than then also into onto upon about over under more most some such only page date".split()
)
_NO_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september "
    "october november december dear sincerely regards attached exhibit section article company agreement".split()
)


@dataclass(frozen=True, slots=True)
class Secret:
    """Words in a row that must not be found, and whose they are."""

    exhibit: int
    words: tuple[str, ...]
    is_hint: bool = False  # found in the family it is a question, and elsewhere nothing

    def __str__(self) -> str:
        return " ".join(self.words)


def secrets_of(exhibit: int, runs: Iterable[Sequence[Word]]) -> set[Secret]:
    """What is to be looked for of the words that were hidden in an exhibit."""
    found = set[Secret]()
    for run in runs:
        texts = [each.text for each in run]
        words = tuple(word for text in texts for word in folded_words(text))
        found |= {Secret(exhibit, name) for name in _names(texts)}
        if len(words) < _RUN:
            if any(_tells(word) for word in words):
                found.add(Secret(exhibit, words))
            continue
        found |= {Secret(exhibit, words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}
        found |= {Secret(exhibit, cut) for text in texts if _is_figure(cut := folded_words(text), text)}
        found |= {Secret(exhibit, (name,), is_hint=True) for name in _lone_names(texts)}
    return found


def _names(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Two words in a row that begin with capitals: Barnaby Quill, who is also Quill, Barnaby."""
    for pair in pairwise(texts):
        one, other = (folded_words(text) for text in pair)
        words = (*one, *other)
        if all(_is_capital(text) for text in pair) and len(words) > 1 and all(map(_tells, words)):
            yield words
            yield (*other, *one)


def _lone_names(texts: Sequence[str]) -> Iterator[str]:
    for before, text in pairwise(texts):
        [word, *more] = folded_words(text) or ("",)
        is_inside = not before.rstrip("\"')").endswith(_SENTENCE_ENDS)
        is_word = not more and word.isalpha() and len(word) >= _SHORTEST_NAME and word not in _COMMON | _NO_NAMES
        if is_inside and is_word and _is_capital(text):
            yield word


def _is_capital(text: str) -> bool:
    first = next((char for char in text if char.isalnum()), "")
    return first.isupper()


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST and word not in _COMMON


def _is_figure(words: Sequence[str], text: str) -> bool:
    """A number, or an address, which is one however it is cut: 4711, 12-34-56, quill@example.org."""
    return sum(char.isdigit() for word in words for char in word) >= _TELLING_DIGITS or (
        "@" in text.strip("@") and len(words) > 1
    )


def still_read(words: Iterable[Word], boxes: Sequence[Box]) -> list[str]:
    """Words that somebody still reads where a box should be, on the page that goes out; labels are none."""
    labels = {word for box in boxes for word in folded_words(box.label)}
    found = []
    for word in words:
        x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
        inside = any(box.left < x < box.right and box.top < y < box.bottom for box in boxes)
        if inside and any(_tells(each) and each not in labels for each in folded_words(word.text)):
            found.append(word.text)
    return found
