"""Pages of hits in an order that does not depend on how the index came about. Used by the index adapter.

tantivy sorts by one key and leaves ties as its segments lie. Here they are in the order of control numbers: where
the end of a page falls among equals, these are asked for once more in that order.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from tantivy import DocAddress, Index, Occur, Order, Query, Schema, Searcher

from redwell.adapters.tantivy.documents import EXHIBIT, FAMILY, PLACE, place_key
from redwell.adapters.tantivy.translation import Translation, between, both, unscored
from redwell.core.search.query import is_scored
from redwell.core.search.request import CONTROL_NUMBER, SCORE, Search

_DIGITS = 5  # of a score: beyond them it depends on the order in which its parts were added


@dataclass(frozen=True, slots=True)
class Found:
    key: float | int | None  # what the hits are sorted by
    place: str
    address: DocAddress


State = tuple[Index, Searcher]
_key, _place = attrgetter("key"), attrgetter("place")


class Pager:
    """The hits of one search, on one state of the index."""

    def __init__(self, state: State, schema: Schema, request: Search, translation: Translation) -> None:
        self._index, self._searcher = state
        self._schema = schema
        self._request, self._after = request, request.after
        self.query = translation.filtered(request.query, request.filters)

    def page(self, count: int) -> list[Found]:
        """The first `count` hits behind the cursor."""
        sort = self._request.sort
        if sort.field == SCORE and is_scored(self._request.query):
            return self._by_score(count)
        if sort.field in {SCORE, CONTROL_NUMBER}:
            key = 0.0 if sort.field == SCORE else None
            return self._by_place(self.query, count, self._after.place if self._after else "", key)
        return self._by_field(count)

    def exhibits(self, found: Sequence[Found]) -> list[tuple[int, int]]:
        """Each with the head of its family."""
        addresses = [each.address for each in found]
        columns = (self._searcher.fast_field_values(name, addresses) for name in (EXHIBIT, FAMILY))
        return [(int(exhibit or 0), int(family or 0)) for exhibit, family in zip(*columns, strict=True)]

    def total(self) -> int:
        count: int = self._searcher.search(self.query, 1).count  # type: ignore[attr-defined]  # missing in the stubs
        return count

    def _by_place(self, query: Query, count: int, after: str = "", key: float | int | None = None) -> list[Found]:
        """Those behind `after`, all of the same key."""
        if count < 1:
            return []
        if after:
            query = both(query, unscored(self._index.parse_query(f"{PLACE}:>{place_key(after)}", [PLACE])))
        hits = self._searcher.search(query, count, count=False, order_by_field=PLACE, order=Order.Asc).hits
        return [Found(key, _read_place(value), address) for value, address in hits]

    def _by_score(self, count: int) -> list[Found]:
        """The best ones up to the cursor are found again: tantivy cannot begin behind a score."""
        wanted = (self._after.seen if self._after else 0) + count + 1
        while True:
            hits = self._searcher.search(self.query, wanted).hits
            scored = (Found(float(f"{score:.{_DIGITS}g}"), "", address) for score, address in hits)
            groups = [(key, list(group)) for key, group in groupby(scored, _key)]
            if len(hits) == wanted:
                groups.pop()  # there may be more of this score
            found = self._behind(groups, count)
            if len(hits) < wanted or len(found) >= count:
                return found[:count]
            wanted *= 2

    def _behind(self, groups: Iterable[tuple[float, list[Found]]], count: int) -> list[Found]:
        found: list[Found] = []
        for score, group in groups:
            if len(found) >= count:
                break
            if self._after is None or score < (self._after.key or 0.0):
                found += self._placed(group)
            elif score == self._after.key:
                found += [each for each in self._placed(group) if each.place > self._after.place]
        return found

    def _by_field(self, count: int) -> list[Found]:
        """First those that have a value, then the others."""
        field, after = self._request.sort.field, self._after
        has_value = unscored(Query.exists_query(field))
        found = [] if after and after.key is None else self._with_value(both(self.query, has_value), count)
        without = Query.boolean_query([(Occur.Must, self.query), (Occur.MustNot, has_value)])
        place = after.place if after and after.key is None else ""
        return found + self._by_place(without, count - len(found), place)

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
        hits = self._searcher.search(query, count + 1, count=False, order_by_field=field, order=order).hits
        found = [Found(int(value), "", address) for value, address in hits]
        groups = [self._placed(group) for _, group in groupby(found, _key)]
        if len(found) <= count:
            return [each for group in groups for each in group]
        last = groups.pop()[0].key
        whole = [each for group in groups for each in group]
        return whole + self._equal(query, int(last or 0), count - len(whole))

    def _equal(self, query: Query, key: int, count: int, after: str = "") -> list[Found]:
        same = unscored(between(self._schema, self._request.sort.field, key, key + 1))
        return self._by_place(both(query, same), count, after, key)

    def _placed(self, group: Iterable[Found]) -> list[Found]:
        """By control number."""
        placed = (Found(each.key, self._place_of(each.address), each.address) for each in group)
        return sorted(placed, key=_place)

    def _place_of(self, address: DocAddress) -> str:
        return _read_place(self._searcher.doc(address)[PLACE][0])


def _read_place(key: str) -> str:
    return bytes.fromhex(key).decode("utf-8", "surrogatepass")
