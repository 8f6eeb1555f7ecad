"""The tree of a query: what the reviewers' language means, before any search index has seen it. Pure.

core.search.query_parser makes it, an index translates it. Words are cut and values are read already, so that
every index is asked for the same. An operator more is a node more.
"""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from redwell.core.search.fields import SPOKEN


@dataclass(frozen=True, slots=True)
class Pattern:
    """A word with wildcards: `*` is any letters or none, `?` one letter."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """A word that becomes this one by so many changes: a letter more, less, another, or two that changed places."""

    text: str
    edits: int

    def __str__(self) -> str:
        return f"{self.text}~{self.edits}"


@dataclass(frozen=True, slots=True)
class Stem:
    """A word of the same stem that also fits `kept`, which is what forms of this word begin with."""

    text: str
    stem: str
    language: str
    kept: Pattern

    def __str__(self) -> str:
        return f"stem.{self.language}:{self.text}"


Word = str | Pattern | Fuzzy | Stem


@dataclass(frozen=True, slots=True)
class Words:
    """A word, or several next to each other in this order; `field` is empty for the text and the main fields."""

    words: tuple[Word, ...]
    field: str = ""
    prefix: bool = False  # the last word, which is plain then, need only begin so
    column: int = dataclasses.field(default=0, compare=False, repr=False)  # where it stands in the query


@dataclass(frozen=True, slots=True)
class Near:
    """Both in one field, at most `distance` words from the end of the one to the beginning of the other.

    Each side is words, several of them joined by Or, or Near again.
    """

    left: "Node"
    right: "Node"
    distance: int
    ordered: bool = False
    column: int = dataclasses.field(default=0, compare=False, repr=False)


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
class Present:
    """Any value of this field; of words, at least one."""

    field: str
    column: int = dataclasses.field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Among:
    """Any of these values of a keyword field, however many. What was asked tells one from another, not the values:
    documents may be tagged between two pages of a search."""

    field: str
    values: tuple[str, ...] = dataclasses.field(repr=False)
    asked: str


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


@dataclass(frozen=True, slots=True)
class InFamily:
    """Exhibits with a member of their family, themselves included, that fits."""

    part: "Node"


Node = Words | Near | Value | Range | Present | Among | Everything | And | Or | Not | InFamily


def children(node: Node) -> "tuple[Node, ...]":
    match node:
        case And(parts) | Or(parts):
            return parts
        case Not(part) | InFamily(part):
            return (part,)
        case Near(left, right):
            return (left, right)
        case _:
            return ()


def leaves(node: Node) -> Iterator[Words | Value | Range | Present]:
    """What is asked for, also what is excluded, from left to right."""
    if isinstance(node, Words | Value | Range | Present):
        yield node
    for child in children(node):
        yield from leaves(child)


_IN_TEXT = frozenset({"", "text", *SPOKEN})


def visible_parts(node: Node) -> Iterator[Words | Near]:
    """Those that may stand in the text of a hit; what is excluded cannot."""
    match node:
        case Words() | Near():
            if field_of(node) in _IN_TEXT:
                yield node
        case And(parts) | Or(parts):
            for part in parts:
                yield from visible_parts(part)
        case InFamily(part):
            yield from visible_parts(part)


def field_of(node: Node) -> str:
    """Of words that are near each other: all of them are in one."""
    return next((leaf.field for leaf in leaves(node)), "")


def by_family(node: Node) -> Node:
    """The same query, with a family as one document: what is asked for may stand in any of its members."""
    match node:
        case And(parts):
            return And(tuple(map(by_family, parts)))
        case Or(parts):
            return Or(tuple(map(by_family, parts)))
        case Not(part):
            return Not(by_family(part))
        case Everything() | InFamily():
            return node
        case _:
            return InFamily(node)


def is_scored(node: Node) -> bool:
    """Whether one hit can fit better than another; only words tell that, and none that stand for many."""
    return any(isinstance(leaf, Words) and _has_plain_word(leaf) for leaf in leaves(node))


def _has_plain_word(leaf: Words) -> bool:
    plain = leaf.words[:-1] if leaf.prefix else leaf.words
    return any(isinstance(word, str) for word in plain)
