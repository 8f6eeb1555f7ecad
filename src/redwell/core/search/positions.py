"""Where the parts of a query stand among the words of a text. Pure; for whatever an index cannot tell by itself.

One evaluator serves every index: it checks what an engine has only narrowed down, and finds what is marked in a hit.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from redwell.core.search.query import Near, Node, Or, Word, Words
from redwell.core.search.stems import Stems
from redwell.core.search.word_forms import Fits, fits

Mark = tuple[int, int, int]  # the first and last word of a match, and the column of the query that it fits


@dataclass(frozen=True, slots=True)
class Spot:
    """Words from the first up to and with the last, and the single matches among them."""

    first: int
    last: int
    marks: tuple[Mark, ...]


class Wording:
    """The words of a text by where they stand. An empty word is a place where nothing is."""

    def __init__(self, words: Iterable[str]) -> None:
        self._places: dict[str, list[int]] = {}
        for place, word in enumerate(words):
            if word:
                self._places.setdefault(word, []).append(place)

    def of(self, word: str) -> Sequence[int]:
        return self._places.get(word, ())

    def fitting(self, fit: Fits) -> list[int]:
        return sorted(place for word, places in self._places.items() if fit(word) for place in places)


class Positions:
    """Made once per query: what a word of it fits is remembered from text to text."""

    def __init__(self, stems: Stems | None) -> None:
        self._stems = stems
        self._fits: dict[tuple[Word, bool], Fits] = {}

    def spots(self, node: Node, wording: Wording) -> list[Spot]:
        """Of words, of several joined by Or, or of words near each other; by where they begin, none twice."""
        match node:
            case Words():
                return self._phrase(node, wording)
            case Or(parts):
                return _once(spot for part in parts for spot in self.spots(part, wording))
            case Near():
                return _once(self._near(node, wording))
            case _:
                raise TypeError(f"{type(node).__name__} has no place in a text")

    def stands_in(self, node: Node, wording: Wording) -> bool:
        if isinstance(node, Near):
            return next(self._near(node, wording), None) is not None
        return bool(self.spots(node, wording))

    def _phrase(self, node: Words, wording: Wording) -> list[Spot]:
        last = len(node.words) - 1
        at = [self._places(word, node.prefix and number == last, wording) for number, word in enumerate(node.words)]
        if not all(at):
            return []
        following = [frozenset(places) for places in at[1:]]
        starts = (p for p in at[0] if all(p + gap in places for gap, places in enumerate(following, 1)))
        return [Spot(p, p + last, ((p, p + last, node.column),)) for p in starts]

    def _places(self, word: Word, prefix: bool, wording: Wording) -> Sequence[int]:
        if isinstance(word, str) and not prefix:
            return wording.of(word)
        known = self._fits.get((word, prefix))
        if known is None:
            known = self._fits[word, prefix] = _remembering(fits(word, prefix, self._stems))
        return wording.fitting(known)

    def _near(self, node: Near, wording: Wording) -> Iterator[Spot]:
        left = self.spots(node.left, wording)
        right = self.spots(node.right, wording) if left else []
        yield from _followed(left, right, node.distance)
        if not node.ordered:
            yield from _followed(right, left, node.distance)


def _followed(before: Sequence[Spot], after: Sequence[Spot], distance: int) -> Iterator[Spot]:
    """Pairs of which the second begins behind the first, at most so many words on. Both are sorted."""
    begins = [spot.first for spot in after]
    for one in before:
        low, high = bisect_right(begins, one.last), bisect_right(begins, one.last + distance)
        for other in after[low:high]:
            yield Spot(one.first, max(one.last, other.last), one.marks + other.marks)


def _once(spots: Iterable[Spot]) -> list[Spot]:
    """By where they begin and end; what is marked in those of the same words is put together."""
    found: dict[tuple[int, int], dict[Mark, None]] = {}
    for spot in spots:
        found.setdefault((spot.first, spot.last), {}).update(dict.fromkeys(spot.marks))
    return [Spot(first, last, tuple(sorted(marks))) for (first, last), marks in sorted(found.items())]


def _remembering(fit: Fits) -> Fits:
    known: dict[str, bool] = {}

    def remembered(token: str) -> bool:
        answer = known.get(token)
        if answer is None:
            answer = known[token] = fit(token)
        return answer

    return remembered
