"""Hits in the order of their control numbers. Used by the pager.

tantivy sorts strings thirty times more slowly than numbers. So a number that keeps the order of what a control number
begins with is sorted by, and only what shares that number is compared by the whole control number.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from tantivy import DocAddress, Index, Order, Query, Schema, Searcher

from redwell.adapters.tantivy.counted import CountedSearches
from redwell.adapters.tantivy.documents import PLACE, PLACE_ORDER, order_of, place_key
from redwell.adapters.tantivy.translation import between, both, unscored

_MANY = 1_000  # that share a number: fewer are read and compared here
State = tuple[Index, Searcher]


@dataclass(frozen=True, slots=True)
class Found:
    key: float | int | None  # what the hits are sorted by
    place: str
    address: DocAddress

    @property
    def spot(self) -> tuple[int, int]:
        return self.address.segment_ord, self.address.doc


_key, _place = attrgetter("key"), attrgetter("place")


class Places:
    """On one state of the index."""

    def __init__(self, index: Index, searches: CountedSearches, schema: Schema) -> None:
        self._index, self._searches = index, searches
        self._schema = schema

    def first(self, query: Query, count: int, after: str = "", key: float | int | None = None) -> list[Found]:
        """The first `count` hits behind `after`, all of the same key."""
        found: list[Found] = []
        if after and count > 0:
            found = self._sharing(query, order_of(after), count, after)
            query = both(query, unscored(between(self._schema, PLACE_ORDER, order_of(after) + 1, None)))
        found += self._in_order(query, count - len(found))
        return [Found(key, each.place, each.address) for each in found]

    def among(self, after: str, last: str) -> Query:
        """All between these two, and what shares a number with them."""
        return unscored(between(self._schema, PLACE_ORDER, order_of(after), order_of(last) + 1))

    def placed(self, group: Iterable[Found]) -> list[Found]:
        """By control number."""
        return sorted((Found(each.key, self._read(each.address), each.address) for each in group), key=_place)

    def _in_order(self, query: Query, count: int) -> list[Found]:
        """One more than is wanted tells whether the last ones are all that share their number."""
        if count < 1:
            return []
        hits = self._searches.hits(query, count + 1, order_by_field=PLACE_ORDER, order=Order.Asc)
        groups = [list(group) for _, group in groupby((Found(key, "", address) for key, address in hits), _key)]
        last = groups.pop()[0].key if len(hits) > count else None
        whole = [each for group in groups for each in self.placed(group)]
        return whole if last is None else whole + self._sharing(query, int(last), count - len(whole))

    def _sharing(self, query: Query, number: int, count: int, after: str = "") -> list[Found]:
        """Those of one number behind `after`."""
        if count < 1:
            return []
        query = both(query, unscored(between(self._schema, PLACE_ORDER, number, number + 1)))
        hits = self._searches.hits(query, _MANY + 1, order_by_field=PLACE_ORDER)
        if len(hits) <= _MANY:
            placed = self.placed(Found(None, "", address) for _, address in hits)
            return [each for each in placed if each.place > after][:count]
        if after:
            query = both(query, unscored(self._index.parse_query(f"{PLACE}:>{place_key(after)}", [PLACE])))
        hits = self._searches.hits(query, count, order_by_field=PLACE, order=Order.Asc)
        return [Found(None, _read_place(value), address) for value, address in hits]

    def _read(self, address: DocAddress) -> str:
        return _read_place(self._searches.searcher.doc(address)[PLACE][0])


def _read_place(key: str) -> str:
    return bytes.fromhex(key).decode("utf-8", "surrogatepass")
