"""The query language of docs/search.md: text in, a tree (core.search.query) out. Pure; every search starts here."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, tzinfo
from difflib import get_close_matches

from redwell.core.errors import UserError
from redwell.core.search.fields import ALIASES, FIELDS, META, FieldType, metadata_field, metadata_key, type_of
from redwell.core.search.query import And, Everything, Node, Not, Or, Words
from redwell.core.search.query_tokens import Token, check_words, mistake, tokens
from redwell.core.search.query_values import read_value
from redwell.core.search.words import words_of

_MAX_DEPTH = 50
_ENDS_OF_ALL = ("OR", "close", "end")


def parse(query: str, zone: tzinfo = UTC) -> Node:
    """The tree of a query, or a UserError that names the column and what was expected there.

    `zone`: the one in which days begin and end.
    """
    return _Parser(query, zone).parse()


class _Parser:
    """Recursive descent; NOT binds closer than AND, AND closer than OR."""

    def __init__(self, query: str, zone: tzinfo) -> None:
        self._tokens = tokens(query)
        self._token = next(self._tokens)
        self._zone = zone
        self._depth = 0

    def parse(self) -> Node:
        if self._token.kind == "end":
            raise mistake(1, "the query is empty; expected words to search for")
        node = self._any("")
        self._require("end", "AND, OR or the end")
        return node

    def _any(self, field: str) -> Node:
        parts = [self._all(field)]
        while self._token.kind == "OR":
            self._take()
            parts.append(self._all(field))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _all(self, field: str) -> Node:
        parts = [self._one(field)]
        while self._token.kind not in _ENDS_OF_ALL:
            if self._token.kind == "AND":
                self._take()
            parts.append(self._one(field))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _one(self, field: str) -> Node:
        token = self._take()
        match token.kind:
            case "NOT":
                with self._deeper(token):
                    return Not(self._one(field))
            case "open":
                with self._deeper(token):
                    return self._group(field)
            case "field":
                return self._one(_field_name(token))
            case "word" | "phrase":
                return self._leaf(token, field)
        raise _unexpected(token, "a word, a phrase or (")

    def _leaf(self, token: Token, field: str) -> Node:
        if token.kind == "word" and token.text == "*" and not field:
            return Everything()
        if type_of(field) is FieldType.TEXT:
            return _words(token, field)
        return read_value(field, token, self._zone)

    def _group(self, field: str) -> Node:
        node = self._any(field)
        self._require("close", "AND, OR or )")
        self._take()
        return node

    def _require(self, kind: str, expected: str) -> None:
        if self._token.kind != kind:
            raise _unexpected(self._token, expected)

    @contextmanager
    def _deeper(self, token: Token) -> Iterator[None]:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise mistake(token.column, f"more than {_MAX_DEPTH} groups inside each other")
        yield
        self._depth -= 1

    def _take(self) -> Token:
        token = self._token
        self._token = next(self._tokens, token)
        return token


def _words(token: Token, field: str) -> Words:
    check_words(token)
    words = words_of(token.text)
    if not words:
        raise mistake(token.column, f"{token.text} has no letter or digit to search for")
    return Words(words, field, prefix=token.text.endswith("*"), column=token.column)


def _field_name(token: Token) -> str:
    name = token.text.lower()
    key = metadata_key(name.removeprefix(META))
    if name.startswith(META) and key:
        return metadata_field(key)
    name = ALIASES.get(name, name)
    if name in FIELDS:
        return name
    known = [*FIELDS, META + "<name>"]
    near = get_close_matches(name, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"Fields: {', '.join(known)}"
    raise mistake(token.column, f'there is no field "{token.text}"; put it in quotes if it is text. {hint}')


def _unexpected(token: Token, expected: str) -> UserError:
    found = "the query ends here" if token.kind == "end" else f"found {token.text}"
    return mistake(token.column, f"expected {expected}, but {found}")
