"""Searches by tags, threads and neighbours: looked up in the rows, then asked of the index by control numbers.

Put around the index of whoever looks, whichever engine it is.
"""

from collections.abc import Iterator
from dataclasses import replace

from redwell.core.search.given import Lookup, resolved
from redwell.core.search.request import Search
from redwell.ports.search_index import Hits, SearchReader


class WithGivenValues:
    """Keeps the promises of `SearchReader`."""

    def __init__(self, index: SearchReader, lookup: Lookup) -> None:
        self._index, self._lookup = index, lookup

    def search(self, request: Search) -> Hits:
        return self._index.search(replace(request, query=resolved(request.query, self._lookup)))

    def is_there(self) -> bool:
        return self._index.is_there()

    def entries(self) -> Iterator[tuple[int, str]]:
        return self._index.entries()

    def damaged(self) -> Iterator[str]:
        return self._index.damaged()

    def is_outdated(self) -> bool:
        return self._index.is_outdated()

    def close(self) -> None:
        self._index.close()
