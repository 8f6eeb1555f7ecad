"""The words of a query with what may be said about them: wildcards, similar spellings, stems. Called by the parser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from redwell.core.search.query import Fuzzy, Pattern, Word, Words
from redwell.core.search.query_tokens import Token, check_words, mistake
from redwell.core.search.stems import Stems, stem_of
from redwell.core.search.words import cleaned, unspaced, wanted_words

_MOST_EDITS = 2
_LONGEST, _MOST_WILD = 100, 20  # letters and wildcards of a word with these: engines limit what they make of it
_WILD = re.compile(r"[*?]+")


@dataclass(frozen=True, slots=True)
class Scope:
    """What was said before words: the field they are looked for in, and the language of their stems."""

    field: str = ""
    language: str = ""


def read_words(token: Token, scope: Scope, stems: Stems | None) -> Words:
    """A word, or a phrase of several; what cannot be meant is a mistake with its column."""
    check_words(token)
    text = cleaned(token.text)
    # What stands in a quote begins behind it. Where cleaning moved letters, the token's own column is near enough.
    start = token.column + (token.kind == "phrase") if len(text) == len(token.text) else token.column
    found = list(_joined(text, start))
    if not found:
        raise mistake(token.column, f"{token.text} has no letter or digit to search for")
    words = tuple(_word(raw, column, scope, stems) for raw, column in found)
    last = words[-1]
    if isinstance(last, Pattern) and _WILD.search(last.text[:-1]) is None and last.text[-1] == "*":
        return Words((*words[:-1], last.text[:-1]), scope.field, prefix=True, column=token.column)
    return Words(words, scope.field, column=token.column)


def _joined(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Words with their columns; wildcards that stand alone are letters of a script without spaces, or a mistake."""
    for raw, place in wanted_words(text):
        if not _WILD.fullmatch(raw):
            yield raw, start + place
            continue
        before = place > 0 and unspaced.match(text[place - 1]) is not None
        after = place + len(raw) < len(text) and unspaced.match(text[place + len(raw)]) is not None
        if not (before or after):
            raise mistake(
                start + place, f"{raw} stands for letters of a word, and here is none; leave it out or use w/2"
            )
        if (raw.strip("*") and "*" in raw) or (before and after and "*" in raw):
            raise mistake(start + place, "here every character is a word: ? stands for one of them, pre/5 for several")
        yield from ((mark, start + place) for mark in raw if mark == "?")


def _word(raw: str, column: int, scope: Scope, stems: Stems | None) -> Word:
    body, tilde, edits = raw.partition("~")
    is_wild = _WILD.search(body) is not None
    if tilde:
        return _fuzzy(body, edits, column, is_wild or bool(scope.language))
    if scope.language:
        if is_wild:
            raise mistake(column, f"{raw} has wildcards: a word is either stemmed or has those")
        assert stems is not None, "the parser knows no language without them"
        return stem_of(body, scope.language, stems)
    if not is_wild:
        return body
    body = re.sub(r"\*+", "*", body)
    if _WILD.search(body[:-1] + body[-1].replace("*", "")) and (len(body) > _LONGEST or _marks(body) > _MOST_WILD):
        raise mistake(column, f"a word with wildcards may have {_LONGEST} letters and {_MOST_WILD} wildcards")
    return Pattern(body)


def _marks(body: str) -> int:
    return body.count("*") + body.count("?")


def _fuzzy(body: str, edits: str, column: int, is_more: bool) -> Fuzzy:
    count = int(edits[:3] or 1)
    if is_more:
        raise mistake(column, "a word has either a ~, or wildcards, or is stemmed")
    if not 0 < count <= _MOST_EDITS:
        raise mistake(column + len(body), f"~{edits} is no number of changes; write ~1 or ~2")
    if len(body) <= 2 * count:
        raise mistake(column, f"{body} is too short for ~{count}: nearly every short word is similar to it")
    return Fuzzy(body, count)
