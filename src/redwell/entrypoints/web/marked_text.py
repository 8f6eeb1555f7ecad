"""A document's text with its hits marked, and its pages with boxes over them. Pure; the templates escape."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC

from redwell.core.page_words import PageWords, Word
from redwell.core.search.explanation import explained
from redwell.core.search.matches import Matches, Span
from redwell.core.search.query import Node, Words, leaves, visible_parts

MOST_CHARS = 300_000  # that one page shows
MOST_MARKS = 3_000
MOST_LINES = 200  # of the list of hits
BEFORE, BEHIND = 18, 40  # characters that it shows around one
COLOURS = "abcdef"


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
class HitLine:
    """A hit in the list of a document's hits: which one of its colour, and what stands around it."""

    hit: Piece
    nth: int
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    start: int
    end: int
    colour: str


def marks(node: Node, spans: Sequence[Span], sets: Sequence[tuple[str, Sequence[Span]]]) -> list[Mark]:
    """Of the query, and of sets of terms, each of which has a colour; where two begin together the query's is first."""
    colours = _colours(node)
    found = [Mark(start=each.start, end=each.end, colour=colours.get(each.column, "a")) for each in spans]
    for colour, of_set in sets:
        found += [Mark(start=each.start, end=each.end, colour=f"set {colour}") for each in of_set]
    return sorted(found, key=lambda each: each.start)


def terms(node: Node, spans: Sequence[Span]) -> list[Term]:
    """Each term of the query in its colour, with the number of its hits."""
    colours = _colours(node)
    labels = {words.column: explained(words, UTC) for words in _marked(node)}
    return [
        Term(label=labels[column], colour=colour, count=sum(span.column == column for span in spans))
        for column, colour in colours.items()
    ]


def _marked(node: Node) -> Iterator[Words]:
    for part in visible_parts(node):
        yield from (leaf for leaf in leaves(part) if isinstance(leaf, Words))


def _colours(node: Node) -> dict[int, str]:
    columns = dict.fromkeys(word.column for word in _marked(node))
    return {column: COLOURS[n % len(COLOURS)] for n, column in enumerate(columns)}


def pieces(text: str, marked: Sequence[Mark]) -> Iterator[Piece]:
    """None inside another: where terms overlap, the first one's colour shows."""
    place, number = 0, 0
    shown = text[:MOST_CHARS]
    for mark in marked:
        if mark.start < place or mark.end > len(shown) or number >= MOST_MARKS:
            continue
        yield Piece(text=shown[place : mark.start])
        number += 1
        yield Piece(text=shown[mark.start : mark.end], colour=mark.colour, number=number)
        place = mark.end
    yield Piece(text=shown[place:])


def hit_lines(found: Sequence[Piece]) -> list[HitLine]:
    """The first of them, in the order of the text."""
    lines, seen = list[HitLine](), dict[str, int]()
    for place, piece in enumerate(found):
        if not piece.colour or len(lines) >= MOST_LINES:
            continue
        nth = seen[piece.colour] = seen.get(piece.colour, -1) + 1
        before, after = found[place - 1].text[-BEFORE:], found[place + 1].text[:BEHIND]
        lines.append(HitLine(hit=piece, nth=nth, before=" ".join(before.split()), after=" ".join(after.split())))
    return lines


def hits_by_colour(found: Iterable[Piece]) -> dict[str, int]:
    return Counter(piece.colour for piece in found if piece.colour)


def snippet(marked: str) -> Iterator[Piece]:
    """Of the index's plain text with [[ and ]] around its matches."""
    head, *others = marked.split("[[")
    yield Piece(text=head)
    for other in others:
        hit, _, rest = other.partition("]]")
        yield Piece(text=hit, colour="a")
        yield Piece(text=rest)


def boxes(words: PageWords, node: Node, colour: str = "") -> list[tuple[Word, str, int]]:
    """The words of a page that are hits, each with its colour, or all in one, and which hit of the page it is."""
    starts, text = [], ""
    for word in words.words:
        starts.append(len(text))
        text += word.text + " "
    colours = _colours(node)
    found = list[tuple[Word, str, int]]()
    for number, span in enumerate(Matches(node).spans(text)):
        hit = _within(span, starts, words.words)
        found += [(word, colour or colours.get(span.column, "a"), number) for word in hit]
    return found


def _within(span: Span, starts: Sequence[int], words: Sequence[Word]) -> Iterable[Word]:
    return (
        word
        for start, word in zip(starts, words, strict=True)
        if start < span.end and start + len(word.text) > span.start
    )
