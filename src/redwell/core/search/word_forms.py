"""Which words of a text fit a word of a query. Pure; the same for every index, and what each of them must find."""

import re
from collections.abc import Callable

from redwell.core.search.query import Fuzzy, Pattern, Stem, Word
from redwell.core.search.stems import Stems

Fits = Callable[[str], bool]


def fits(word: Word, prefix: bool, stems: Stems | None) -> Fits:
    """Whether a word in lower case is one that `word` asks for."""
    match word:
        case str():
            return (lambda token: token.startswith(word)) if prefix else (lambda token: token == word)
        case Pattern():
            whole = re.compile(as_regex(word), re.DOTALL)
            return lambda token: whole.fullmatch(token) is not None
        case Fuzzy(text, edits):
            return lambda token: is_similar(text, token, edits)
        case Stem(_, stem, language, kept):
            assert stems is not None, "who asks for stems brings them"
            known, begins = stems, fits(kept, False, None)
            return lambda token: begins(token) and known.stem(token, language) == stem


def as_regex(word: Pattern) -> str:
    """For Python and for engines: words are letters and digits, so none of them means anything to either."""
    return word.text.replace("*", ".*").replace("?", ".")


def is_similar(wanted: str, token: str, edits: int) -> bool:
    """Whether so many changes are enough; two neighbours that changed places are one."""
    if abs(len(wanted) - len(token)) > edits:
        return False
    before: list[int] = []
    row = list(range(len(token) + 1))
    for at, letter in enumerate(wanted, 1):
        older, before, row = before, row, [at]
        for place, other in enumerate(token, 1):
            cost = min(before[place] + 1, row[place - 1] + 1, before[place - 1] + (letter != other))
            if at > 1 and place > 1 and letter == token[place - 2] and wanted[at - 2] == other:
                cost = min(cost, older[place - 2] + 1)
            row.append(cost)
        if min(row) > edits:
            return False
    return row[-1] <= edits
