"""From the query tree to OpenSearch's query language. Used by the index adapter.

Only what Lucene tells exactly is asked of it: words, whole phrases, two words near each other. Anything else it
narrows down, and `Lookups` checks.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from redwell.adapters.opensearch.documents import EXHIBIT, FAMILY, KEY_END, MAIN_FIELD, META_FIELD
from redwell.core.search.fields import META, SIDE_BY_SIDE, SPOKEN
from redwell.core.search.narrowing import any_value, is_exact, narrowed, sloppy_pairs
from redwell.core.search.query import (
    Among,
    And,
    Everything,
    Fuzzy,
    InFamily,
    Near,
    Node,
    Not,
    Or,
    Pattern,
    Present,
    Range,
    Value,
    Word,
    Words,
    field_of,
)

Dsl = dict[str, Any]
_MANY = 100  # parts of a list
EVERYTHING: Dsl = {"match_all": {}}


class Lookups(Protocol):
    """What has to be looked up before a query can be written down."""

    def checked(self, part: Words | Near, candidates: Dsl) -> Sequence[int]:
        """The exhibits among the candidates that really have it."""
        ...

    def families_of(self, query: Dsl) -> Sequence[int]: ...


class Translation:
    def __init__(self, lookups: Lookups) -> None:
        self._lookups = lookups

    def of(self, node: Node) -> Dsl:
        match node:
            case Words():
                return self._words(node)
            case Near():
                return self._near(node)
            case Value(field, value, prefix):
                return unscored({"prefix" if prefix else "term": {field: {"value": value}}})
            case Range(field, low, high):
                return unscored({"range": {field: _bounds(low, high)}})
            case Present():
                return self.of(any_value(node))
            case Among(field, values):
                return unscored({"terms": {field: list(values)}})
            case Everything():
                return unscored(EVERYTHING)
            case Or(parts) if len(parts) > _MANY:
                return self._long_list(parts)
            case Or(parts):
                return either([self.of(part) for part in parts])
            case And(parts):
                return self._all_of(parts)
            case Not():
                return self._all_of((node,))
            case InFamily(part):
                return unscored({"terms": {FAMILY: self._lookups.families_of(self.of(part))}})

    def filtered(self, node: Node, filters: Sequence[Node]) -> Dsl:
        return {"bool": {"must": [self.of(node)], "filter": [self.of(each) for each in filters]}}

    def _all_of(self, parts: Sequence[Node]) -> Dsl:
        wanted = [self.of(part) for part in parts if not isinstance(part, Not)]
        excluded = [self.of(part.part) for part in parts if isinstance(part, Not)]
        return {"bool": {"must": wanted or [unscored(EVERYTHING)], "must_not": excluded}}

    def _long_list(self, parts: Sequence[Node]) -> Dsl:
        """Plain words of one field together, without scores: a cluster takes about a thousand clauses."""
        words: dict[str, list[str]] = {}
        others = []
        for part in parts:
            match part:
                case Words((str(word),), field, prefix=False):
                    words.setdefault(field, []).append(word)
                case _:
                    others.append(self.of(part))
        lists = [_any_of(name, some) for field, some in words.items() for name in _names(field)]
        return either(lists + others)

    def _words(self, node: Words) -> Dsl:
        names = _names(node.field)
        if len(node.words) == 1 and isinstance(node.words[0], str | Pattern | Fuzzy):
            return either([_one_word(name, node.words[0], node.prefix) for name in names])
        plain = [word for word in node.words if isinstance(word, str)]
        if len(plain) == len(node.words) and not node.prefix:
            return either([_phrase(name, plain) for name in (names if node.field else [*names, *SPOKEN])])
        return self._checked(node, self.of(narrowed(node)))

    def _near(self, node: Near) -> Dsl:
        pairs, field = sloppy_pairs(node), field_of(node)
        if not pairs:
            return self._checked(node, self.of(narrowed(node)))
        names = [field] if field else [*SIDE_BY_SIDE]  # each by itself: the joined field has them side by side
        query = either([_phrase(name, [pair.first, pair.second], pair.slop) for pair in pairs for name in names])
        return query if is_exact(node) else self._checked(node, query)

    def _checked(self, node: Words | Near, candidates: Dsl) -> Dsl:
        fitting = {"terms": {EXHIBIT: self._lookups.checked(node, candidates)}}
        return {"bool": {"must": [candidates], "filter": [fitting]}}


def _names(field: str) -> list[str]:
    return [field] if field else ["text", MAIN_FIELD]


def _any_of(name: str, words: Sequence[str]) -> Dsl:
    field, begin = _field(name)
    return unscored({"terms": {field: [begin + word for word in words]}})


def either(queries: Sequence[Dsl]) -> Dsl:
    return {"bool": {"should": list(queries), "minimum_should_match": 1}} if len(queries) > 1 else queries[0]


def unscored(query: Dsl) -> Dsl:
    return {"constant_score": {"filter": query, "boost": 0.0}}


def _one_word(name: str, word: Word, prefix: bool) -> Dsl:
    field, begin = _field(name)
    match word:
        case Pattern(text):
            return unscored({"wildcard": {field: {"value": begin + text, "rewrite": "constant_score"}}})
        case Fuzzy(text, edits):
            # Rewritten like this, no similar word is left out, however many there are.
            how = {"fuzziness": edits, "prefix_length": len(begin), "rewrite": "constant_score"}
            return unscored({"fuzzy": {field: {"value": begin + text, **how}}})
        case str() if prefix:
            return unscored({"prefix": {field: {"value": begin + word}}})
        case _:
            return {"term": {field: {"value": begin + str(word)}}}


def _phrase(name: str, words: Sequence[str], slop: int = 0) -> Dsl:
    field, begin = _field(name)
    return {"match_phrase": {field: {"query": " ".join(begin + word for word in words), "slop": slop}}}


def _field(name: str) -> tuple[str, str]:
    """Where a field's words are, and what each begins with there."""
    return (META_FIELD, name.removeprefix(META) + KEY_END) if name.startswith(META) else (name, "")


def _bounds(low: int | None, high: int | None) -> dict[str, int]:
    return {sign: value for sign, value in (("gte", low), ("lt", high)) if value is not None}
