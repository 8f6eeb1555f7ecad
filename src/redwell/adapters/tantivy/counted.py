"""Searches of one query on one state of an index, which count its hits on the way. Used by the pager.

Every search goes through all hits, which takes nearly all of its time, whether these are counted or not: whoever looks
for the first page knows the total with it.
"""

from typing import Any

from tantivy import Query, Searcher

from redwell.adapters.tantivy.documents import EXHIBIT


class CountedSearches:
    """`query` is the whole one; parts of it are searched, too, and not counted."""

    def __init__(self, searcher: Searcher, query: Query, total: int | None = None) -> None:
        self.searcher, self.query = searcher, query
        self._total = total

    def hits(self, query: Query, limit: int, **order: Any) -> list[Any]:
        """With scores, unless `order_by_field` is given."""
        is_counted = query is self.query and self._total is None
        found = self.searcher.search(query, limit, count=is_counted, **order)
        if is_counted:
            self._total = _count(found)
        return found.hits

    def total(self) -> int:
        if self._total is None:
            self._total = self.count(self.query)
        return self._total

    def count(self, query: Query) -> int:
        return _count(self.searcher.search(query, 1, order_by_field=EXHIBIT))  # by a field, none is scored


def _count(found: Any) -> int:
    count: int = found.count
    return count
