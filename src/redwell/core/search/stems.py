"""Forms of one word, where a query asks for them: which words share a stem, and in which language. Pure.

The stems themselves are those of a library, which the caller brings (`Stems`).
"""

from collections.abc import Collection
from itertools import takewhile
from typing import Protocol

from redwell.core.search.query import Pattern, Stem
from redwell.core.search.words import unaccented

ENGLISH = "english"
_CODES = dict(
    pair.split("=")
    for pair in (
        "ar=arabic ca=catalan cs=czech da=danish de=german el=greek en=english es=spanish et=estonian eu=basque "
        "fa=persian fi=finnish fr=french ga=irish hi=hindi hu=hungarian hy=armenian id=indonesian it=italian "
        "lt=lithuanian ne=nepali nl=dutch no=norwegian pl=polish pt=portuguese ro=romanian ru=russian sr=serbian "
        "sv=swedish ta=tamil tr=turkish yi=yiddish"
    ).split()
)
_CHANGED = 2  # letters at the end of a stem that may be others in the word itself: capabl, capability
_LONGEST = 12  # letters that narrow enough
# may bear an accent in one form of a word and none in another: vowels of three alphabets, and c n s
_ACCENTED = frozenset("aeiouycns") | frozenset(map(chr, (*range(0x3B1, 0x3CA), *range(0x430, 0x450))))
_FROM_THE_FRONT = frozenset({"arabic", "indonesian", "irish", "nepali", "tamil"})  # take something off there as well


class Stems(Protocol):
    @property
    def languages(self) -> Collection[str]: ...

    def stem(self, word: str, language: str) -> str: ...


def language_of(name: str) -> str:
    """By its name or its code of two letters."""
    return _CODES.get(name, name)


def stem_of(word: str, language: str, stems: Stems) -> Stem:
    """What a query asks for with this word; the word itself always fits."""
    stem = stems.stem(word, language)
    surely = unaccented(stem)[: min(max(1, len(stem) - _CHANGED), _LONGEST)]
    shared = 0 if language in _FROM_THE_FRONT else _alike(unaccented(word), surely)
    begin = word[:shared] if language == ENGLISH else "".join(map(_any_accent, word[:shared]))
    return Stem(text=word, stem=stem, language=language, kept=Pattern(begin + "*"))


def _alike(one: str, other: str) -> int:
    """How many letters both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _any_accent(letter: str) -> str:
    return "?" if unaccented(letter) in _ACCENTED else letter
