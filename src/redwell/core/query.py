"""The query language of docs/search.md: text in, a small tree out. Pure; every search index starts here."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from redwell.core.errors import UserError
from redwell.core.query_tokens import Token, check, mistake, tokens


class Cut(Enum):
    """How a field's value is cut into what can be found."""

    WORDS = "words"
    WHOLE = "the whole value"
    START = "the start of the value"  # of dates: 2024 and 2024-05 find 2024-05-17T09:30:00Z


FIELDS: dict[str, Cut] = {
    "text": Cut.WORDS,
    "name": Cut.WORDS,
    "path": Cut.WORDS,
    "subject": Cut.WORDS,
    "from": Cut.WORDS,
    "to": Cut.WORDS,
    "cc": Cut.WORDS,
    "bcc": Cut.WORDS,
    "title": Cut.WORDS,
    "author": Cut.WORDS,
    "keywords": Cut.WORDS,
    "custodian": Cut.WORDS,
    "media_type": Cut.WORDS,
    "kind": Cut.WHOLE,
    "outcome": Cut.WHOLE,
    "batch": Cut.WHOLE,
    "control_number": Cut.WHOLE,
    "sha256": Cut.WHOLE,
    "md5": Cut.WHOLE,
    "date": Cut.START,
    "created": Cut.START,
    "modified": Cut.START,
}
ALIASES = {"type": "kind"}
# Where a word without a field is looked for, besides the text.
MAIN = frozenset({"name", "subject", "from", "to", "cc", "bcc", "title", "author", "keywords"})
META = "meta."  # meta.<name> is any other metadata


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase; `field` is empty for the text and the main fields."""

    text: str
    field: str = ""
    prefix: bool = False
    column: int = 0  # where it stands in the query


@dataclass(frozen=True, slots=True)
class Everything:
    pass


@dataclass(frozen=True, slots=True)
class And:
    parts: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Or:
    parts: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Not:
    part: "Node"


Node = Term | Everything | And | Or | Not


def parse(query: str) -> Node:
    """The tree of a query, or a UserError that names the column and what was expected there."""
    return _Parser(query).parse()


@lru_cache(maxsize=4096)
def metadata_key(name: str) -> str:
    """A metadata name as it is indexed and asked for: `X-Mailer` and `x_mailer` are one."""
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_")


_MAX_DEPTH = 50
_ENDS_OF_ALL = ("OR", "close", "end")


class _Parser:
    """Recursive descent; NOT binds closer than AND, AND closer than OR."""

    def __init__(self, query: str) -> None:
        self._tokens = tokens(query)
        self._token = next(self._tokens)
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
                return _term(token, field)
        raise _unexpected(token, "a word, a phrase or (")

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


def _term(token: Token, field: str) -> Node:
    if token == Token("word", "*", token.column) and not field:
        return Everything()
    check(token, cut_into_words=FIELDS.get(field, Cut.WORDS) is Cut.WORDS)
    text = token.text.removesuffix("*")
    return Term(text, field, prefix=text != token.text, column=token.column)


def _field_name(token: Token) -> str:
    name = token.text.lower()
    key = metadata_key(name.removeprefix(META))
    if name.startswith(META) and key:
        return META + key
    name = ALIASES.get(name, name)
    if name in FIELDS:
        return name
    known = ", ".join([*FIELDS, META + "<name>"])
    raise mistake(token.column, f'there is no field "{token.text}"; put it in quotes if it is text. Fields: {known}')


def _unexpected(token: Token, expected: str) -> UserError:
    found = "the query ends here" if token.kind == "end" else f"found {token.text}"
    return mistake(token.column, f"expected {expected}, but {found}")
