"""Whether a page's own text is all that it says, or the page is a picture of text. Pure.

Asked by the reader of PDFs and by recognition, each in its child, so that both name the same pages.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

_FEWEST_CHARS = 12  # less than this is too little to call it junk
_MOST_ODD = 0.3  # of the characters
_MOST_UNMAPPED = 0.5
_FEWEST_WORDS = 20
_MOST_UNSPEAKABLE = 0.6  # of the words
_SPARSE_CHARS = 300  # a page number, a stamp, the line of a fax machine, a court's head line
_PAGE_SHARE = 0.5  # a picture that covers as much is the page
_ANY_SHARE = 0.1
_OUTLINES = 60  # letters that were turned into drawings
_LISTED = 20
_SAMPLE = 3_000  # characters that are looked at
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")  # nothing, or a font's own
_LATIN_WORD = re.compile(r"(?<![^\W_])[A-Za-z\u00c0-\u024f]{4,}(?![^\W_])")
_WITHOUT_VOWEL = re.compile(r"(?i)(?<![^\W_])[b-df-hj-np-tv-xz]{4,}(?![^\W_])")  # a letter with an accent counts as one


class Lack(StrEnum):
    """Why a page has to be read as a picture. Its own text stands where it is stamped, or has pictures beside text."""

    NO_TEXT = "no-text"
    JUNK = "junk"
    STAMPED = "stamped"
    PICTURES = "pictures"


_WORDS = {
    Lack.NO_TEXT: ("has no text", "have no text"),
    Lack.JUNK: ("has text that cannot be read", "have text that cannot be read"),
    Lack.STAMPED: ("is a picture with a line of text", "are pictures with a line of text"),
    Lack.PICTURES: ("has text in a picture", "have text in pictures"),
}


class Drawn(NamedTuple):
    """What a page draws: shares of its area, and numbers of objects."""

    pictures: float = 0.0
    outlines: int = 0
    texts: int = 0
    hidden_texts: int = 0  # put behind the picture by whoever recognised it before


def lack_of(text: str, drawn: Drawn, unmapped: float = 0.0) -> Lack | None:
    """None where the text stands, or where there is nothing to be read: a blank page lacks nothing."""
    if not text.strip():
        is_drawn = drawn.pictures >= _ANY_SHARE or drawn.outlines >= _OUTLINES or drawn.texts
        return Lack.NO_TEXT if is_drawn else None
    if is_junk(text, unmapped):
        return Lack.JUNK
    if is_sparse(text) and drawn.pictures >= _PAGE_SHARE and 2 * drawn.hidden_texts < min(drawn.texts, 100):
        return Lack.STAMPED
    return None


def is_sparse(text: str) -> bool:
    """Whether there is so little that the page may be a picture with a stamp."""
    return len(text) < 2 * _SPARSE_CHARS and len("".join(text.split())) < _SPARSE_CHARS


def is_junk(text: str, unmapped: float = 0.0) -> bool:
    """Characters that stand for nothing, glyphs without a character, or words that nobody could say.

    `unmapped` is the share of the glyphs for which the font names no character.
    """
    chars = "".join(text[:_SAMPLE].split())
    if len(chars) < _FEWEST_CHARS:
        return False
    if len(_ODD.findall(chars)) > _MOST_ODD * len(chars):
        return True
    most = _MOST_UNSPEAKABLE if unmapped < _MOST_UNMAPPED else _MOST_UNSPEAKABLE / 2
    return _unspeakable(text[:_SAMPLE]) > most


def _unspeakable(text: str) -> float:
    """The share of long Latin words without a vowel: of letters that were shifted, most have none."""
    words = len(_LATIN_WORD.findall(text))
    return len(_WITHOUT_VOWEL.findall(text)) / words if words >= _FEWEST_WORDS else 0.0


def told(lacks: Mapping[int, Lack], count: int) -> str:
    """`pages 1-3, 7 of 10 have no text`, from the numbers of the pages that lack it."""
    return "; ".join(
        _told([number for number in sorted(lacks) if lacks[number] is lack], count, *_WORDS[lack])
        for lack in Lack
        if lack in lacks.values()
    )


def _told(numbers: list[int], count: int, of_one: str, of_many: str) -> str:
    ranges = list(_ranges(numbers))
    named = ", ".join(ranges[:_LISTED]) + (" and others" if len(ranges) > _LISTED else "")
    return f"page {named} of {count} {of_one}" if len(numbers) == 1 else f"pages {named} of {count} {of_many}"


def _ranges(numbers: list[int]) -> Iterator[str]:
    for _, run in groupby(enumerate(numbers), key=lambda place: place[1] - place[0]):
        found = [number for _, number in run]
        yield str(found[0]) if len(found) == 1 else f"{found[0]}-{found[-1]}"
