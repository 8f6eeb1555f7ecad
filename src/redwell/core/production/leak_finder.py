"""Finds words in a text however they are written there: in another case, without accents, cut at the end of a line,
with signs or nothing between them. Pure.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from redwell.core.search.words import words_of

_DROPPED = re.compile("[\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")  # accents, what is not seen
_CUT = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011=][ \t]*\r?\n[ \t>|]*(?=[^\W\d_])")
_NO_LETTER = re.compile(r"[\W_]+")
_JOINED, _JOINED_DIGITS, _JOINED_RUN = 8, 7, 16  # letters from which on words are also found inside of others
_RUN = 4


Words = tuple[str, ...]


def folded(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _DROPPED.sub("", unicodedata.normalize("NFKD", text)))


def folded_words(text: str) -> tuple[str, ...]:
    return words_of(folded(text))


class Finder:
    """Looks for many runs of words in a text at once."""

    def __init__(self, wanted: Iterable[Words]) -> None:
        self._by_first: dict[str, set[Words]] = {}
        self._joined: dict[str, set[Words]] = {}
        for words in wanted:
            self._by_first.setdefault(words[0], set()).add(words)
            if _can_be_joined(words):
                self._joined.setdefault("".join(words), set()).add(words)

    def __bool__(self) -> bool:
        return bool(self._by_first)

    def found_in(self, text: str) -> set[Words]:
        plain = folded(text)
        found = set(self._in_a_row(words_of(plain)))
        whole = _CUT.sub("", plain)
        if whole != plain:
            found.update(self._in_a_row(words_of(whole)))
        dense = _NO_LETTER.sub("", plain).lower()
        return found.union(*(words for joined, words in self._joined.items() if joined in dense))

    def _in_a_row(self, words: Words) -> Iterator[Words]:
        for at, word in enumerate(words):
            for wanted in self._by_first.get(word, ()):
                if words[at : at + len(wanted)] == wanted:
                    yield wanted


def _can_be_joined(words: Words) -> bool:
    """Short ones are parts of other words too often, and so is a lone one."""
    joined = "".join(words)
    if joined.isdigit():
        return len(joined) >= _JOINED_DIGITS
    return len(words) > 1 and len(joined) >= (_JOINED_RUN if len(words) >= _RUN else _JOINED)
