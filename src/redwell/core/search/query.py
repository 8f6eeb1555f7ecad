"""The tree of a query: what the reviewers' language means, before any search index has seen it. Pure.

core.search.query_parser makes it, an index translates it. Words are cut and values are read already, so that
every index is asked for the same. An operator more is a node more.
"""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """A word, or several next to each other in this order; `field` is empty for the text and the main fields."""

    words: tuple[str, ...]
    field: str = ""
    prefix: bool = False  # the last word need only begin so
    column: int = dataclasses.field(default=0, compare=False, repr=False)  # where it stands in the query


@dataclass(frozen=True, slots=True)
class Value:
    """The whole value of a keyword field, or with `prefix` its beginning; in lower case."""

    field: str
    value: str
    prefix: bool = False
    column: int = dataclasses.field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Range:
    """From `low` on and below `high`, either may be open; dates are seconds since 1970, in UTC."""

    field: str
    low: int | None = None
    high: int | None = None
    column: int = dataclasses.field(default=0, compare=False, repr=False)


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


Node = Words | Value | Range | Everything | And | Or | Not


def leaves(node: Node) -> Iterator[Words | Value | Range]:
    """What is asked for, also what is excluded, from left to right."""
    match node:
        case And(parts) | Or(parts):
            for part in parts:
                yield from leaves(part)
        case Not(part):
            yield from leaves(part)
        case Words() | Value() | Range():
            yield node


def visible_words(node: Node) -> Iterator[Words]:
    """Those that may stand in the text of a hit; what is excluded cannot."""
    match node:
        case Words(field="" | "text"):
            yield node
        case And(parts) | Or(parts):
            for part in parts:
                yield from visible_words(part)


def is_scored(node: Node) -> bool:
    """Whether one hit can fit better than another; only words tell that."""
    return any(isinstance(leaf, Words) for leaf in leaves(node))
