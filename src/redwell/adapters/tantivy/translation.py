"""From the query tree to tantivy's query objects. Used by the index adapter.

Its own parser is not used: it has another language and finds nothing, without a word, for `word*`. What tantivy
cannot tell (who stands near whom, stems) it narrows down, and `Lookups` checks.
"""

from collections.abc import Sequence
from typing import Protocol

from tantivy import FieldType, Occur, Query, Schema

from redwell.adapters.tantivy.documents import MAIN_FIELD
from redwell.core.search.fields import META, SIDE_BY_SIDE, SPOKEN
from redwell.core.search.narrowing import Sloppy, any_value, is_exact, narrowed, sloppy_pairs
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
    Stem,
    Value,
    Word,
    Words,
    field_of,
)
from redwell.core.search.word_forms import as_regex

_LEAST, _MOST = -(2**63), 2**63 - 1


class Lookups(Protocol):
    """What has to be looked up before a query can be written down."""

    def checked(self, part: Words | Near, candidates: Query) -> Query:
        """Those of the candidates that really have it."""
        ...

    def families_of(self, query: Query) -> Query: ...
    def answers(self, query: Query) -> bool:
        """False where tantivy gives up on it."""
        ...


class Translation:
    def __init__(self, schema: Schema, lookups: Lookups) -> None:
        self._schema, self._lookups = schema, lookups

    def of(self, node: Node) -> Query:
        match node:
            case Words():
                return self._words(node)
            case Near():
                return self._near(node)
            case Value(field, value, prefix):
                return unscored(self._one_word(field, value, prefix))
            case Range(field, low, high):
                return unscored(between(self._schema, field, low, high))
            case Present():
                return self.of(any_value(node))
            case Among(field, values):
                return unscored(Query.term_set_query(self._schema, field, list(values)))
            case Everything():
                return unscored(Query.all_query())
            case Or(parts):
                return either([self.of(part) for part in parts])
            case And(parts):
                return self._all_of(parts)
            case Not():
                return self._all_of((node,))
            case InFamily(part):
                return self._lookups.families_of(self.of(part))

    def filtered(self, node: Node, filters: Sequence[Node]) -> Query:
        return both(self.of(node), *(unscored(self.of(each)) for each in filters))

    def _all_of(self, parts: tuple[Node, ...]) -> Query:
        """Exclusions need something to be taken from, or tantivy finds nothing."""
        wanted = [(Occur.Must, self.of(part)) for part in parts if not isinstance(part, Not)]
        excluded = [(Occur.MustNot, self.of(part.part)) for part in parts if isinstance(part, Not)]
        return Query.boolean_query((wanted or [(Occur.Must, unscored(Query.all_query()))]) + excluded)

    def _words(self, node: Words) -> Query:
        if any(isinstance(word, Stem) for word in node.words):
            return self._checked(node)
        is_plain = all(isinstance(word, str) for word in node.words) and not (node.prefix and len(node.words) > 1)
        if not is_plain and node.field.startswith(META) and not isinstance(node.words[0], Fuzzy):
            return self._checked(node)  # a regular expression does not reach into metadata
        if len(node.words) > 1 and any(isinstance(word, Fuzzy) for word in node.words):
            return self._checked(node)
        query = either([self._in_field(node, name) for name in self._fields(node)])
        return query if is_plain or self._lookups.answers(query) else self._checked(node)

    def _near(self, node: Near) -> Query:
        pairs, field = sloppy_pairs(node), field_of(node)
        if not pairs:
            return self._checked(node)
        names = [field] if field else [*SIDE_BY_SIDE]  # each by itself: the joined field has them side by side
        query = either([self._sloppy(pair, name) for pair in pairs for name in names])
        return query if is_exact(node) else both(query, unscored(self._lookups.checked(node, query)))

    def _checked(self, node: Words | Near) -> Query:
        candidates = self.of(_for_metadata(narrowed(node)))
        return both(candidates, unscored(self._lookups.checked(node, candidates)))

    def _sloppy(self, pair: Sloppy, name: str) -> Query:
        return Query.phrase_query(self._schema, name, [pair.first, pair.second], slop=pair.slop)

    def _fields(self, node: Words) -> list[str]:
        if node.field:
            return [node.field]
        return ["text", MAIN_FIELD, *(SPOKEN if len(node.words) > 1 else ())]

    def _in_field(self, node: Words, name: str) -> Query:
        words = node.words
        if len(words) == 1:
            return self._one_word(name, words[0], node.prefix)
        if all(isinstance(word, str) for word in words) and not node.prefix:
            return Query.phrase_query(self._schema, name, [*map(str, words)])
        patterns = [as_regex(word) if isinstance(word, Pattern) else str(word) for word in words]
        # Words are letters and digits alone, so none of them means anything to a regular expression.
        return Query.regex_phrase_query(self._schema, name, [*patterns[:-1], patterns[-1] + ".*" * node.prefix])

    def _one_word(self, name: str, word: Word, prefix: bool) -> Query:
        match word:
            case Pattern():
                return unscored(Query.regex_query(self._schema, name, as_regex(word)))
            case Fuzzy(text, edits):
                return unscored(Query.fuzzy_term_query(self._schema, name, text, distance=edits))
            case str() if prefix:
                # Distance 0 makes this a plain prefix; a regex query gives up beyond 1,000 states and on metadata.
                return unscored(Query.fuzzy_term_query(self._schema, name, word, distance=0, prefix=True))
            case _:
                return Query.term_query(self._schema, name, str(word))


def _for_metadata(node: Node) -> Node:
    """Wildcards reach into metadata only as beginnings."""
    match node:
        case Words((Pattern(text),), field, _, column) if field.startswith(META):
            begin = text.replace("?", "*").partition("*")[0]
            return Words((begin,), field, prefix=True, column=column)
        case And(parts):
            return And(tuple(map(_for_metadata, parts)))
        case Or(parts):
            return Or(tuple(map(_for_metadata, parts)))
        case _:
            return node


def either(queries: Sequence[Query]) -> Query:
    return Query.boolean_query([(Occur.Should, query) for query in queries]) if len(queries) > 1 else queries[0]


def both(*queries: Query) -> Query:
    return Query.boolean_query([(Occur.Must, query) for query in queries]) if len(queries) > 1 else queries[0]


def unscored(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)


def between(schema: Schema, field: str, low: int | None, high: int | None) -> Query:
    """From `low` on and below `high`."""
    first, last = _LEAST if low is None else low, _MOST if high is None else high - 1
    if first > last:
        return Query.empty_query()
    return Query.range_query(schema, field, FieldType.Integer, lower_bound=first, upper_bound=last)
