"""The query language of docs/search.md: text in, a tree (core.search.query) out. Pure; every search starts here."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, tzinfo
from difflib import get_close_matches

from redwell.core.errors import UserError
from redwell.core.search.fields import ALIASES, FIELDS, META, FieldType, metadata_field, metadata_key, type_of
from redwell.core.search.given import GIVEN
from redwell.core.search.query import And, Everything, Near, Node, Not, Or, Present, Value, Words, leaves
from redwell.core.search.query_tokens import NEAR, Token, mistake, tokens
from redwell.core.search.query_values import read_value
from redwell.core.search.query_words import Scope, read_words
from redwell.core.search.stems import ENGLISH, Stems, language_of
from redwell.core.understanding.data_query import DATA

_MAX_DEPTH = 50
_MOST_WORDS = 1000  # between two that are near each other
_ENDS_OF_ALL = ("OR", "close", "end")
_STEM = "stem"


def parse(query: str, zone: tzinfo = UTC, stems: Stems | None = None) -> Node:
    """The tree of a query, or a UserError that names the column and what was expected there.

    `zone`: the one in which days begin and end. `stems`: what stems of words are made by.
    """
    return _Parser(query, zone, stems).parse()


class _Parser:
    """Recursive descent; w/ and pre/ bind closest, then NOT, then AND, then OR."""

    def __init__(self, query: str, zone: tzinfo, stems: Stems | None) -> None:
        self._tokens = tokens(query)
        self._token = next(self._tokens)
        self._zone, self._stems = zone, stems
        self._depth = 0

    def parse(self) -> Node:
        if self._token.kind == "end":
            raise mistake(1, "the query is empty; expected words to search for")
        node = self._any(Scope())
        self._require("end", "AND, OR or the end")
        return node

    def _any(self, scope: Scope) -> Node:
        parts = [self._all(scope)]
        while self._token.kind == "OR":
            self._take()
            parts.append(self._all(scope))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _all(self, scope: Scope) -> Node:
        parts = [self._one(scope)]
        while self._token.kind not in _ENDS_OF_ALL:
            if self._token.kind == "AND":
                self._take()
            parts.append(self._one(scope))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _one(self, scope: Scope) -> Node:
        if self._token.kind == "NOT":
            token = self._take()
            with self._deeper(token):
                return Not(self._one(scope))
        node, count = self._side(scope), 0
        while self._token.kind == "near":
            count += 1
            if count > _MAX_DEPTH:
                raise mistake(self._token.column, f"more than {_MAX_DEPTH} w/ and pre/ in a row")
            node = self._near(node, self._take(), scope)
        return node

    def _near(self, left: Node, operator: Token, scope: Scope) -> Near:
        """Of three in a row, the third is near the first two."""
        found = NEAR.fullmatch(operator.text)
        assert found is not None, "the tokens say so"
        distance = int(found["distance"])
        if not 0 < distance <= _MOST_WORDS:
            raise mistake(operator.column, f"{operator.text}: a number of words from 1 to {_MOST_WORDS}")
        with self._deeper(operator):
            right = self._side(scope)
        for side in (left, right):
            _require_place(side, operator)
        if len({leaf.field for side in (left, right) for leaf in leaves(side)}) > 1:
            raise mistake(
                operator.column, f"both sides of {operator.text} must be in one field, as in subject:(a w/5 b)"
            )
        return Near(left, right, distance, ordered=found["order"].lower() == "pre", column=operator.column)

    def _side(self, scope: Scope) -> Node:
        token = self._take()
        match token.kind:
            case "open":
                with self._deeper(token):
                    return self._group(scope)
            case "field":
                return self._side(self._named(token, scope))
            case "word" | "phrase":
                return self._leaf(token, scope)
        raise _unexpected(token, "a word, a phrase or (")

    def _named(self, token: Token, scope: Scope) -> Scope:
        name, _, language = token.text.lower().partition(".")
        if name != _STEM:
            return Scope(_field_name(token), scope.language)
        if scope.language:
            raise mistake(token.column, "stem: is said once")
        known = self._stems.languages if self._stems else ()
        wanted = language_of(language or ENGLISH)
        if wanted not in known:
            raise mistake(token.column, f'there are no stems for "{wanted}"; there are {", ".join(sorted(known))}')
        return Scope(scope.field, wanted)

    def _leaf(self, token: Token, scope: Scope) -> Node:
        if token.kind == "word" and token.text == "*" and scope == Scope():
            return Everything()
        if token.kind == "word" and token.text == "*" and scope.field and not scope.language:
            return _any_value(scope.field, token)
        if scope.field.startswith(DATA):
            return Value(scope.field, token.text, column=token.column)
        if type_of(scope.field) is FieldType.TEXT:
            return read_words(token, scope, self._stems)
        if scope.language:
            raise mistake(token.column, f"{scope.field} is matched by whole values, which have no stems")
        return read_value(scope.field, token, self._zone)

    def _group(self, scope: Scope) -> Node:
        node = self._any(scope)
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


def _any_value(field: str, token: Token) -> Node:
    """What people give is looked up by its value, and data have their own."""
    if field in GIVEN or field.startswith(DATA):
        return Value(field, "*" if field.startswith(DATA) else "", prefix=field in GIVEN, column=token.column)
    return Present(field, column=token.column)


def _require_place(side: Node, operator: Token) -> None:
    match side:
        case Words() | Near():
            return
        case Or(parts):
            for part in parts:
                _require_place(part, operator)
            return
    raise mistake(
        operator.column,
        f"beside {operator.text} stand words, phrases, or several of them joined by OR, as in (a OR b) w/5 c",
    )


def _field_name(token: Token) -> str:
    name = token.text.lower()
    key = metadata_key(name.removeprefix(META))
    if name.startswith(META) and key:
        return metadata_field(key)
    is_short, name = name in ALIASES, ALIASES.get(name, name)
    if name in FIELDS or is_short or (name.startswith(DATA) and len(name) > len(DATA)):
        return name
    known = [*FIELDS, META + "<name>", DATA + "<schema>.<field>"]
    near = get_close_matches(name, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"Fields: {', '.join(known)}"
    raise mistake(token.column, f'there is no field "{token.text}"; put it in quotes if it is text. {hint}')


def _unexpected(token: Token, expected: str) -> UserError:
    found = "the query ends here" if token.kind == "end" else f"found {token.text}"
    return mistake(token.column, f"expected {expected}, but {found}")
