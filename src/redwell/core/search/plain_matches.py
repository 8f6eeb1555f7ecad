"""Words and phrases found in a plain text by regular expressions: what cutting it into words finds, many times as fast.

For ASCII alone, where a word is a run of letters and digits, and nothing changes its length in lower case. Pure.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from redwell.core.search.query import Node, Words

_BETWEEN = "[^a-z0-9]+"
Expression = tuple[re.Pattern[str], int]  # and the column of the query


def expressions(parts: Iterable[Node]) -> list[Expression] | None:
    """None where a part is more than plain words; those that no such text can hold are left out."""
    found = list[Expression]()
    for part in parts:
        if not isinstance(part, Words):
            return None
        words = [word for word in part.words if isinstance(word, str)]
        if len(words) != len(part.words):
            return None
        if "".join(words).isascii():
            found.append((_expression(words, part.prefix), part.column))
    return found


def plain_matches(text: str, wanted: Sequence[Expression]) -> Iterator[tuple[int, int, int]]:
    """Start, end and column of each match, in no order; those of a phrase may overlap."""
    text = text.lower()
    for expression, column in wanted:
        place = 0
        while match := expression.search(text, place):
            yield match.start(), match.end(), column
            place = match.start() + 1


def _expression(words: Sequence[str], prefix: bool) -> re.Pattern[str]:
    """It begins with letters, which are looked for fastest; what stands before them is looked at afterwards."""
    first = re.escape(words[0])
    begun = f"{first}(?<![a-z0-9]{first})"
    following = "".join(f"(?![a-z0-9]){_BETWEEN}{re.escape(word)}" for word in words[1:])
    return re.compile(begun + following + ("[a-z0-9]*" if prefix else "") + "(?![a-z0-9])")
