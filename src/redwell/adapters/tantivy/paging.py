"""Pages of hits in an order that does not depend on how the index came about. Used by the index adapter.

tantivy sorts by one key and leaves ties as its segments lie. Here they are in the order of control numbers: where
the end of a page falls among equals, these are asked for once more in that order. Scores can't be asked for, so of many
hits with one score (copies, say) the first ones are looked for along the control numbers: nobody reads all of them.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from tantivy import DocAddress, Occur, Order, Query, Schema

from redwell.adapters.tantivy.counted import CountedSearches
from redwell.adapters.tantivy.documents import EXHIBIT, FAMILY
from redwell.adapters.tantivy.places import Found, Places, State
from redwell.adapters.tantivy.translation import Translation, between, both, unscored
from redwell.core.search.query import is_scored
from redwell.core.search.request import CONTROL_NUMBER, SCORE, Search

_DIGITS = 5  # of a score: beyond them it depends on the order in which its parts were added
_MANY = 1_000  # hits of one score: fewer are read at once
_WINDOW = 200  # hits along the control numbers that are looked through first
_AT_FIRST = 500  # of the best hits: to ask for fewer takes as long, and ties seldom reach over them

_key = attrgetter("key")


class Pager:
    """The hits of one search, on one state of the index."""

    def __init__(
        self, state: State, schema: Schema, request: Search, translation: Translation, total: int | None = None
    ) -> None:
        self.query = translation.filtered(request.query, request.filters)
        self._searches, self._schema = CountedSearches(state[1], self.query, total), schema
        self._places = Places(state[0], self._searches, schema)
        self._request, self._after = request, request.after

    def page(self, count: int) -> list[Found]:
        """The first `count` hits behind the cursor."""
        sort = self._request.sort
        if sort.field == SCORE and is_scored(self._request.query):
            return self._by_score(count)
        if sort.field in {SCORE, CONTROL_NUMBER}:
            key = 0.0 if sort.field == SCORE else None
            return self._places.first(self.query, count, self._after.place if self._after else "", key)
        return self._by_field(count)

    def exhibits(self, found: Sequence[Found]) -> list[tuple[int, int]]:
        """Each with the head of its family."""
        addresses = [each.address for each in found]
        columns = (self._searches.searcher.fast_field_values(name, addresses) for name in (EXHIBIT, FAMILY))
        return [(int(exhibit or 0), int(family or 0)) for exhibit, family in zip(*columns, strict=True)]

    def total(self) -> int:
        """Costs nothing behind the first page."""
        return self._searches.total()

    def _by_score(self, count: int) -> list[Found]:
        """The best ones up to the cursor are found again: tantivy cannot begin behind a score."""
        after = self._after
        if after and len(found := self._tied(float(after.key or 0), after.place, count, _WINDOW)) == count:
            return found
        wanted = max(_AT_FIRST, (after.seen if after else 0) + count + 1)
        while True:
            hits = self._searches.hits(self.query, wanted)
            groups = [(key, list(group)) for key, group in groupby(_scored(hits), _key)]
            last = groups.pop() if len(hits) == wanted else None  # there may be more of this score
            found = self._behind(groups, count)
            if last and len(found) < count and len(last[1]) > _MANY:
                found += self._tied_behind(last[0], count - len(found))
            if last is None or len(found) >= count:
                return found[:count]
            wanted *= 2

    def _tied_behind(self, score: float, count: int) -> list[Found]:
        after = self._after
        if after is None or score < (after.key or 0.0):
            return self._tied(score, "", count)
        return self._tied(score, after.place, count) if score == after.key else []

    def _tied(self, score: float, after: str, count: int, most: float = math.inf) -> list[Found]:
        """The first `count` hits of this score behind a control number, as far as the next `most` hits have them."""
        found: list[Found] = []
        window, seen = max(_WINDOW, count), 0
        while seen < most:
            part = self._places.first(self.query, window, after)
            if part:
                same = self._of_score(score, self._places.among(after, part[-1].place))
                found += [Found(score, each.place, each.address) for each in part if each.spot in same]
            if len(found) >= count or len(part) < window:
                break
            after, seen, window = part[-1].place, seen + window, 4 * window
        return found[:count]

    def _of_score(self, score: float, among: Query) -> set[tuple[int, int]]:
        within = both(self.query, among)
        hits = self._searches.hits(within, max(1, self._searches.count(within)))
        return {each.spot for each in _scored(hits) if each.key == score}

    def _behind(self, groups: Iterable[tuple[float, list[Found]]], count: int) -> list[Found]:
        found: list[Found] = []
        for score, group in groups:
            if len(found) >= count:
                break
            if self._after is None or score < (self._after.key or 0.0):
                found += self._places.placed(group)
            elif score == self._after.key:
                found += [each for each in self._places.placed(group) if each.place > self._after.place]
        return found

    def _by_field(self, count: int) -> list[Found]:
        """First those that have a value, then the others."""
        field, after = self._request.sort.field, self._after
        has_value = unscored(Query.exists_query(field))
        found = [] if after and after.key is None else self._with_value(both(self.query, has_value), count)
        without = Query.boolean_query([(Occur.Must, self.query), (Occur.MustNot, has_value)])
        place = after.place if after and after.key is None else ""
        return found + self._places.first(without, count - len(found), place)

    def _with_value(self, query: Query, count: int) -> list[Found]:
        if self._after is None:
            return self._in_order(query, count)
        key = int(self._after.key or 0)
        found = self._equal(query, key, count, self._after.place)
        low, high = (None, key) if self._request.sort.descending else (key + 1, None)
        rest = both(query, unscored(between(self._schema, self._request.sort.field, low, high)))
        return found + self._in_order(rest, count - len(found))

    def _in_order(self, query: Query, count: int) -> list[Found]:
        """One more than is wanted tells whether the last ones are all that are equal to them."""
        if count < 1:
            return []
        order = Order.Desc if self._request.sort.descending else Order.Asc
        field = self._request.sort.field
        hits = self._searches.hits(query, count + 1, order_by_field=field, order=order)
        found = [Found(int(value), "", address) for value, address in hits]
        groups = [self._places.placed(group) for _, group in groupby(found, _key)]
        if len(found) <= count:
            return [each for group in groups for each in group]
        last = groups.pop()[0].key
        whole = [each for group in groups for each in group]
        return whole + self._equal(query, int(last or 0), count - len(whole))

    def _equal(self, query: Query, key: int, count: int, after: str = "") -> list[Found]:
        same = unscored(between(self._schema, self._request.sort.field, key, key + 1))
        return self._places.first(both(query, same), count, after, key)


def _scored(hits: Iterable[tuple[float, DocAddress]]) -> Iterator[Found]:
    return (Found(float(f"{score:.{_DIGITS}g}"), "", address) for score, address in hits)
