"""Cuts a query into tokens and refuses what it would misread; called by core.search.query_parser only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from redwell.core.errors import UserError

_QUOTES = '"\u201c\u201d\u201e'  # also the curly ones that word processors make
_VALUE = (
    rf"[{_QUOTES}](?P<phrase>[^{_QUOTES}]*)(?P<closed>[{_QUOTES}])?"
    rf"|(?P<open>\()|(?P<close>\))|(?P<word>[^\s(){_QUOTES}]+)"
)
_FIELD = re.compile(r"(?P<field>[^\W\d][\w.-]*):")
_ANY_VALUE = re.compile(_VALUE)
_SPACE = re.compile(r"\s*")
_OPERATORS = ("AND", "OR", "NOT")

_INNER_STAR = re.compile(r"\w\*.|\*+\w", re.DOTALL)
_FOREIGN = [  # operators of other search programs
    (re.compile(r"^\*."), "a * is understood only at the end of a word or phrase"),
    (re.compile(r"(?<=\w)\?\w"), "a ? inside a word is no wildcard; put the word in quotes to search for it as text"),
    (re.compile(r"^-(?=[^\W\d])"), "write NOT {text} to leave out a word"),
    (
        re.compile(r"^(?:w|pre|near)/\d+$", re.IGNORECASE),
        "words near each other cannot be asked for; use a phrase or AND",
    ),
    (re.compile(r"(?:^|(?<=\w))~\d*$"), "similar spellings and words near each other cannot be asked for with ~"),
    (re.compile(r"(?<=\w)\^\d"), "words cannot be given weights with ^; put it in quotes to search for it as text"),
]


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # word, phrase, field, open, close, AND, OR, NOT, end
    text: str
    column: int


def mistake(column: int, text: str) -> UserError:
    return UserError(f"query, column {column}: {text}")


def tokens(query: str) -> Iterator[Token]:
    """Every token of the query, the end last."""
    position = _skip_space(query, 0)
    while position < len(query):
        if name := _FIELD.match(query, position):
            yield Token("field", name["field"], position + 1)
            position = name.end()
        value = _ANY_VALUE.match(query, position)
        if value is None or (name and value["close"]):
            raise mistake(position + 1, "expected a word or a phrase directly after the colon")
        yield _value(value, is_free=name is None)
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
    kind = match[0] if is_free and match[0] in _OPERATORS else "word"
    return Token(kind, match[0], column)


def check_words(token: Token) -> None:
    """Refuse what other search programs understand and this one would silently misread."""
    text, column = token.text, token.column
    if not any(char.isalnum() for char in text):
        raise mistake(column, f"{text or 'an empty phrase'} has no letter or digit to search for")
    if _INNER_STAR.search(text):
        raise mistake(column, "a * is understood only at the end of a word or phrase")
    if text.endswith("*") and not text[-2].isalnum():
        raise mistake(column, "a * must follow a letter or digit")
    if token.kind == "word":
        for pattern, explanation in _FOREIGN:
            if found := pattern.search(text):
                raise mistake(column + found.start(), explanation.format(text=text[1:]))
