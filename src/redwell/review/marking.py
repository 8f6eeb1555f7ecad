"""What is marked on a document: the words of a query, and those of the case's sets of terms, each in its colour."""

import contextlib
import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from redwell.core.errors import UserError
from redwell.core.page_words import PageWords, Word
from redwell.core.review.values import TermSet
from redwell.core.search.matches import Matches, Span
from redwell.core.search.query import And, Everything, Near, Node, Or, Words, leaves, visible_parts
from redwell.core.search.stems import Stems
from redwell.ports.review import ReviewStore
from redwell.review.searching import Searched, tree

COLOURS = "abcdef"


class Box(NamedTuple):
    """A word of a page that is a hit, or a part of one."""

    word: Word
    colour: str
    nth: int  # of the hits in this colour on the page; one of several words has several boxes


def marked_query(query: str, case: Searched) -> Node:
    """A query that can't be read marks nothing; the list says what is wrong with it."""
    try:
        return tree(query, case)
    except UserError:
        return Everything()


def term_sets(case: Searched, review: ReviewStore) -> list[tuple[TermSet, Node]]:
    """Each as one query; a line that can't be read any more is left out."""
    found = []
    for each in review.term_sets():
        parts = list[Node]()
        for line in filter(None, map(str.strip, each.terms.splitlines())):
            with contextlib.suppress(UserError):
                parts.append(tree(line, case))
        if parts:
            found.append((each, _apart(parts)))
    return found


def _apart(parts: Sequence[Node]) -> Node:
    """Each line has columns of its own, by which its hits are counted."""
    return Or(tuple(_moved(part, 10_000 * (place + 1)) for place, part in enumerate(parts)))


def _moved(node: Node, by: int) -> Node:
    match node:
        case Words() | Near():
            moved = dataclasses.replace(node, column=node.column + by)
            if isinstance(moved, Near):
                return dataclasses.replace(moved, left=_moved(moved.left, by), right=_moved(moved.right, by))
            return moved
        case And(parts):
            return And(tuple(_moved(part, by) for part in parts))
        case Or(parts):
            return Or(tuple(_moved(part, by) for part in parts))
        case _:
            return node


def marked_words(node: Node) -> Iterator[Words]:
    for part in visible_parts(node):
        yield from (leaf for leaf in leaves(part) if isinstance(leaf, Words))


def colours(node: Node) -> dict[int, str]:
    """Of each term of a query, by its column."""
    columns = dict.fromkeys(word.column for word in marked_words(node))
    return {column: COLOURS[n % len(COLOURS)] for n, column in enumerate(columns)}


def page_boxes(words: PageWords, node: Node, sets: Sequence[tuple[TermSet, Node]], stems: Stems | None) -> list[Box]:
    """On one page: the query's hits, then those of the sets."""
    found = _boxes(words, node, stems)
    for each, of_set in sets:
        found += _boxes(words, of_set, stems, f"set {each.colour}")
    return found


def _boxes(words: PageWords, node: Node, stems: Stems | None, colour: str = "") -> list[Box]:
    starts, text = list[int](), ""
    for word in words.words:
        starts.append(len(text))
        text += word.text + " "
    own, seen, found = colours(node), dict[str, int](), list[Box]()
    for span in Matches(node, stems).spans(text):
        shown = colour or own.get(span.column, "a")
        nth = seen[shown] = seen.get(shown, -1) + 1
        found += [Box(word, shown, nth) for word in _within(span, starts, words.words)]
    return found


def _within(span: Span, starts: Sequence[int], words: Sequence[Word]) -> Iterable[Word]:
    return (
        word
        for start, word in zip(starts, words, strict=True)
        if start < span.end and start + len(word.text) > span.start
    )
