"""From the query tree to tantivy's query objects. Used by the index adapter.

Its own parser is not used: it has another language and finds nothing, without a word, for `word*`.
"""

from collections.abc import Sequence

from tantivy import FieldType, Occur, Query, Schema

from redwell.adapters.tantivy.documents import MAIN_FIELD
from redwell.core.search.fields import META
from redwell.core.search.query import And, Everything, Node, Not, Or, Range, Value, Words
from redwell.core.search.query_tokens import mistake

_LEAST, _MOST = -(2**63), 2**63 - 1


def translated(node: Node, schema: Schema) -> Query:
    match node:
        case Words():
            return _words(node, schema)
        case Value(field, value, prefix):
            return unscored(_one_word(schema, field, value, prefix))
        case Range(field, low, high):
            return unscored(between(schema, field, low, high))
        case Everything():
            return unscored(Query.all_query())
        case Or(parts):
            return Query.boolean_query([(Occur.Should, translated(part, schema)) for part in parts])
        case And(parts):
            return _all_of(parts, schema)
        case Not():
            return _all_of((node,), schema)


def filtered(node: Node, filters: Sequence[Node], schema: Schema) -> Query:
    return both(translated(node, schema), *(unscored(translated(each, schema)) for each in filters))


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


def _all_of(parts: tuple[Node, ...], schema: Schema) -> Query:
    """Exclusions need something to be taken from, or tantivy finds nothing."""
    wanted = [(Occur.Must, translated(part, schema)) for part in parts if not isinstance(part, Not)]
    excluded = [(Occur.MustNot, translated(part.part, schema)) for part in parts if isinstance(part, Not)]
    return Query.boolean_query((wanted or [(Occur.Must, unscored(Query.all_query()))]) + excluded)


def _words(node: Words, schema: Schema) -> Query:
    fields = [node.field] if node.field else ["text", MAIN_FIELD]
    queries = [_in_field(node, schema, name) for name in fields]
    return Query.boolean_query([(Occur.Should, query) for query in queries]) if len(queries) > 1 else queries[0]


def _in_field(node: Words, schema: Schema, name: str) -> Query:
    words = node.words
    if len(words) == 1:
        return _one_word(schema, name, words[0], node.prefix)
    if not node.prefix:
        return Query.phrase_query(schema, name, [*words])
    if name.startswith(META):
        raise mistake(node.column, "in metadata a * may follow a single word only")
    # Words are letters and digits alone, so none of them means anything to a regular expression.
    return Query.regex_phrase_query(schema, name, [*words[:-1], words[-1] + ".*"])


def _one_word(schema: Schema, name: str, word: str, prefix: bool) -> Query:
    if prefix:
        # Distance 0 makes this a plain prefix; a regex query gives up beyond 1,000 characters and on metadata.
        return Query.fuzzy_term_query(schema, name, word, distance=0, prefix=True)
    return Query.term_query(schema, name, word)
