"""Searches by tags, threads and neighbours: looked up in the rows, then asked of the index by control numbers.

Put around the index of whoever looks, whichever engine it is.
"""

from redwell.core.search.given import Lookup, resolved
from redwell.core.search.query import Node
from redwell.ports.search_index import SearchReader
from redwell.review.narrowed_search import NarrowedSearch


class WithGivenValues(NarrowedSearch):
    def __init__(self, index: SearchReader, lookup: Lookup) -> None:
        super().__init__(index)
        self._lookup = lookup

    def _answered(self, node: Node) -> Node:
        return resolved(node, self._lookup)
