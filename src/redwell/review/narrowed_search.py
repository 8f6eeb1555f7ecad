"""A search that is changed before the index is asked: by what only the rows know. The base of such searches."""

from collections.abc import Iterator
from dataclasses import replace

from redwell.core.search.query import Node
from redwell.core.search.request import Search
from redwell.ports.search_index import Hits, SearchReader


class NarrowedSearch:
    """Keeps the promises of `SearchReader`, around another one."""

    def __init__(self, index: SearchReader) -> None:
        self._index = index

    def search(self, request: Search) -> Hits:
        return self._index.search(replace(request, query=self._answered(request.query)))

    def _answered(self, node: Node) -> Node:
        """The query in words that the index knows."""
        raise NotImplementedError

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
