"""Stems of words by Snowball's rules. Given to whoever parses or checks a query, in the process that searches."""

from collections.abc import Collection
from functools import lru_cache

import snowballstemmer

_OTHER_RULES = {"porter", "dutch_porter"}  # for a language that has newer ones
_AT_ONCE = 100_000


class SnowballStems:
    """Keeps the promises of `core.search.stems.Stems`. Each word gets a stemmer of its own: they keep state."""

    def __init__(self) -> None:
        self.languages: Collection[str] = frozenset(snowballstemmer.algorithms()) - _OTHER_RULES

    def stem(self, word: str, language: str) -> str:
        return _stem(word, language)


@lru_cache(maxsize=_AT_ONCE)
def _stem(word: str, language: str) -> str:
    stem: str = snowballstemmer.stemmer(language).stemWord(word)
    return stem
