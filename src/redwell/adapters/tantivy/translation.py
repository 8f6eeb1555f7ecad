"""From the query tree to tantivy's query objects. Used by the index adapter.

Its own parser is not used: it has another language and finds nothing, without a word, for `word*`.
"""

from tantivy import Occur, Query, Schema

from redwell.adapters.tantivy.documents import MAIN_FIELD
from redwell.adapters.tantivy.words import cleaned, spaced, whole, words
from redwell.core.query import FIELDS, META, And, Cut, Everything, Node, Not, Or, Term
from redwell.core.query_tokens import mistake

_words = words()
_whole = whole()


def translated(node: Node, schema: Schema) -> Query:
    match node:
        case Term():
            return _term(node, schema)
        case Everything():
            return Query.all_query()
        case Or(parts):
            return Query.boolean_query([(Occur.Should, translated(part, schema)) for part in parts])
        case And(parts):
            return _all_of(parts, schema)
        case Not():
            return _all_of((node,), schema)


def term_words(term: Term) -> list[str]:
    """The words of a term, cut as the indexed text is."""
    found = _words.analyze(spaced(term.text))
    if not found:
        raise mistake(term.column, f"{term.text} has no letter or digit to search for")
    return found


def _all_of(parts: tuple[Node, ...], schema: Schema) -> Query:
    """Exclusions need something to be taken from, or tantivy finds nothing."""
    wanted = [(Occur.Must, translated(part, schema)) for part in parts if not isinstance(part, Not)]
    excluded = [(Occur.MustNot, translated(part.part, schema)) for part in parts if isinstance(part, Not)]
    return Query.boolean_query((wanted or [(Occur.Must, Query.all_query())]) + excluded)


def _term(term: Term, schema: Schema) -> Query:
    cut = FIELDS.get(term.field, Cut.WORDS)
    if cut is not Cut.WORDS:
        (value,) = _whole.analyze(cleaned(term.text.strip()))
        return _one_word(schema, term.field, value, term.prefix or cut is Cut.START)
    found = term_words(term)
    fields = [term.field] if term.field else ["text", MAIN_FIELD]
    queries = [_in_field(term, found, schema, name) for name in fields]
    return Query.boolean_query([(Occur.Should, query) for query in queries]) if len(queries) > 1 else queries[0]


def _in_field(term: Term, found: list[str], schema: Schema, name: str) -> Query:
    if len(found) == 1:
        return _one_word(schema, name, found[0], term.prefix)
    if not term.prefix:
        return Query.phrase_query(schema, name, [*found])
    if name.startswith(META):
        raise mistake(term.column, "in metadata a * may follow a single word only")
    # Words are letters and digits alone, so none of them means anything to a regular expression.
    return Query.regex_phrase_query(schema, name, [*found[:-1], found[-1] + ".*"])


def _one_word(schema: Schema, name: str, word: str, prefix: bool) -> Query:
    if prefix:
        # Distance 0 makes this a plain prefix; a regex query gives up beyond 1,000 characters and on metadata.
        return Query.fuzzy_term_query(schema, name, word, distance=0, prefix=True)
    return Query.term_query(schema, name, word)
