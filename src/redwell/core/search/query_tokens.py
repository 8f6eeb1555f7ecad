"""Cuts a query into tokens and refuses what it would misread; called by core.search.query_parser only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from redwell.core.errors import UserError

# Also those that word processors and other languages make: curly, guillemets, corner brackets, full-width.
_QUOTES = '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\uff02'
_VALUE = (
    rf"[{_QUOTES}](?P<phrase>[^{_QUOTES}]*)(?P<closed>[{_QUOTES}])?"
    rf"|(?P<open>\()|(?P<close>\))|(?P<word>[^\s(){_QUOTES}]+)"
)
_FIELD = re.compile(r"(?P<field>[^\W\d][\w.-]*):")
_STEM = re.compile(r"(?P<field>stem(?:\.\w+)?):", re.IGNORECASE)
_ANY_VALUE = re.compile(_VALUE)
_SPACE = re.compile(r"\s*")
_OPERATORS = ("AND", "OR", "NOT")
NEAR = re.compile(r"(?P<order>w|pre)/(?P<distance>\d{1,9})", re.IGNORECASE)

_SINGLE = "['\u2018\u2019\u201a\u2039\u203a]"
_FOREIGN = [  # operators of other search programs
    (re.compile(r"^-(?=[^\W\d])"), "write NOT {text} to leave out a word"),
    (re.compile(r"^(?:near|n|within)/\d*$", re.IGNORECASE), "words near each other are written a w/5 b or a pre/5 b"),
    (re.compile(r"^(?:w|pre)/(?!\d{1,9}$)", re.IGNORECASE), "expected a number of words, as in w/5"),
    (re.compile(r"^~\d*$"), "words near each other are written a w/5 b; a ~ follows a single word, for similar ones"),
    (re.compile(r"^~"), "a ~ follows a word, as in contract~; put it in quotes if it is text"),
    (re.compile(r"(?<=\w)~(?=\d*[^\W\d]|[-+.])"), "behind a ~ is 1, 2 or nothing; put it in quotes if it is text"),
    (re.compile(r"^!(?=\w)"), "write NOT {text} to leave out a word"),
    (re.compile(r"^\+(?=[^\W\d])"), "every word is required unless there is an OR: leave out the +"),
    (re.compile(r"^:(?=\w)"), "a field is written directly before its colon and in one word, as in subject:{text}"),
    (re.compile(r"(?<=\w)\|+(?=\w)"), "write OR for either of two words"),
    (re.compile(r"(?<=\w)&&(?=\w)"), "write AND for both words, or nothing"),
    (re.compile(r"^[\[{](?![^\]}]*[\]}])"), "groups are written (a OR b), ranges 2001..2002"),
    (
        re.compile(rf"^{_SINGLE}(?=\w)(?:(?!{_SINGLE}).)*$"),
        "a phrase stands in double quotes; for a word, leave out the sign",
    ),
    (re.compile(r"(?<=\w)\^\d"), "words cannot be given weights with ^; put it in quotes to search for it as text"),
]


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # word, phrase, field, open, close, AND, OR, NOT, near, end
    text: str
    column: int


def mistake(column: int, text: str) -> UserError:
    return UserError(f"query, column {column}: {text}")


def tokens(query: str) -> Iterator[Token]:
    """Every token of the query, the end last."""
    position = _skip_space(query, 0)
    while position < len(query):
        is_named, is_stemmed = False, False
        # A second name is one only beside `stem:`, in either order: `subject:re:budget` is text in the subject.
        while name := (_FIELD if is_stemmed or not is_named else _STEM).match(query, position):
            yield Token("field", name["field"], position + 1)
            is_named, is_stemmed = True, not is_named and _STEM.match(query, position) is not None
            position = name.end()
        value = _ANY_VALUE.match(query, position)
        if value is None or (is_named and value["close"]):
            raise mistake(position + 1, "expected a word or a phrase directly after the colon")
        yield _value(value, is_free=not is_named)
        position = _skip_space(query, value.end())
    yield Token("end", "", len(query) + 1)


def _skip_space(query: str, position: int) -> int:
    space = _SPACE.match(query, position)
    return space.end() if space else position


def _value(match: re.Match[str], is_free: bool) -> Token:
    column = match.start() + 1
    if match["phrase"] is not None:
        if not match["closed"]:
            raise mistake(column, "this quote is not closed; expected another one")
        return Token("phrase", match["phrase"], column)
    if match["word"] is None:
        return Token("open" if match["open"] else "close", match[0], column)
    if is_free and NEAR.fullmatch(match[0]):
        return Token("near", match[0], column)
    return Token(match[0] if is_free and match[0] in _OPERATORS else "word", match[0], column)


def check_words(token: Token) -> None:
    """Refuse what other search programs understand and this one would silently misread."""
    text, column = token.text, token.column
    if token.kind == "word":
        for pattern, explanation in _FOREIGN:
            if found := pattern.search(text):
                raise mistake(column + found.start(), explanation.format(text=text[1:]))
    if not any(char.isalnum() for char in text):
        raise mistake(column, f"{text or 'an empty phrase'} has no letter or digit to search for")
