"""A document's text with its hits marked, and the list of them. Pure; the templates escape."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC

from redwell.core.search.explanation import explained
from redwell.core.search.matches import Span
from redwell.core.search.query import Node
from redwell.review.marking import colours, marked_words

MOST_CHARS = 300_000  # that one page shows
MOST_MARKS = 3_000
MOST_LINES = 200  # of the list of hits
BEFORE, BEHIND = 18, 40  # characters that it shows around one


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    text: str
    colour: str = ""  # empty: no hit
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    label: str
    colour: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A hit in the text: which one of its colour on its page, where the text says where pages end."""

    number: int  # from 1 on
    start: int
    end: int
    colour: str
    page: int = 0  # 0: not known
    nth: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HitLine:
    """A hit in the list of a document's hits, and what stands around it."""

    hit: Mark
    text: str
    before: str
    after: str


def marks(node: Node, spans: Sequence[Span], sets: Sequence[tuple[str, Sequence[Span]]]) -> list[Mark]:
    """Of the query, and of sets of terms, each of which has a colour; where two begin together the query's is first.
    None is inside another: where terms overlap, the first one's colour shows."""
    of_query = colours(node)
    found = [(each, of_query.get(each.column, "a")) for each in spans]
    found += [(each, f"set {colour}") for colour, of_set in sets for each in of_set]
    kept, seen, place = list[Mark](), dict[tuple[int, str], int](), 0
    for span, colour in sorted(found, key=lambda each: each[0].start):
        on_page = span.page or 0, colour
        nth = seen[on_page] = seen.get(on_page, -1) + 1
        if span.start < place or len(kept) >= MOST_MARKS:
            continue
        number, place = len(kept) + 1, span.end
        kept.append(Mark(number=number, start=span.start, end=span.end, colour=colour, page=on_page[0], nth=nth))
    return kept


def terms(node: Node, spans: Sequence[Span]) -> list[Term]:
    """Each term of the query in its colour, with the number of its hits."""
    labels = {words.column: explained(words, UTC) for words in marked_words(node)}
    counts = Counter(span.column for span in spans)
    return [Term(label=labels[column], colour=colour, count=counts[column]) for column, colour in colours(node).items()]


def pieces(text: str, marked: Sequence[Mark]) -> Iterator[Piece]:
    place = 0
    shown = text[:MOST_CHARS]
    for mark in marked:
        if mark.end > len(shown):
            break
        yield Piece(text=shown[place : mark.start])
        yield Piece(text=shown[mark.start : mark.end], colour=mark.colour, number=mark.number)
        place = mark.end
    yield Piece(text=shown[place:])


def hit_lines(text: str, marked: Sequence[Mark]) -> list[HitLine]:
    """The first of them, in the order of the text."""
    return [
        HitLine(
            hit=mark,
            text=text[mark.start : mark.end],
            before=" ".join(text[max(0, mark.start - BEFORE) : mark.start].split()),
            after=" ".join(text[mark.end : mark.end + BEHIND].split()),
        )
        for mark in marked[:MOST_LINES]
    ]


def places(marked: Sequence[Mark]) -> str:
    """Page, colour and which one of it, hit by hit: what a script needs to go from one to the next on page images."""
    return ";".join(f"{mark.page},{mark.colour},{mark.nth}" for mark in marked if mark.page)


def snippet(marked: str) -> Iterator[Piece]:
    """Of the index's plain text with [[ and ]] around its matches."""
    head, *others = marked.split("[[")
    yield Piece(text=head)
    for other in others:
        hit, _, rest = other.partition("]]")
        yield Piece(text=hit, colour="a")
        yield Piece(text=rest)
