"""A search whose parts about rows (`tag:hot`, `data.invoice.total:>1000`) are answered before any engine is asked.

Put around the index of whoever looks, whichever engine it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from redwell.core.search.given import GIVEN, Lookup, resolved
from redwell.core.search.query import Value
from redwell.core.search.request import Search
from redwell.core.understanding.data_query import DATA, DataQuery, read_data_query
from redwell.ports.search_index import Hits, SearchReader


class Rows(Protocol):
    """What a case's reader says of values; control numbers."""

    def given(self, field: str, value: str, prefix: bool) -> Sequence[str]: ...
    def with_data(self, query: DataQuery) -> Sequence[str]: ...


def lookup_in(rows: Rows) -> Lookup:
    def looked_up(value: Value) -> Sequence[str] | None:
        if value.field in GIVEN:
            return rows.given(value.field, value.value, value.prefix)
        if value.field.startswith(DATA):
            return rows.with_data(read_data_query(value.field.removeprefix(DATA), value.value))
        return None

    return looked_up


class RowSearch:
    """Keeps the promises of `SearchReader`, around another one."""

    def __init__(self, index: SearchReader, lookup: Lookup) -> None:
        self._index, self._lookup = index, lookup

    def search(self, request: Search) -> Hits:
        found = resolved(request.query, self._lookup)
        return self._index.search(replace(request, query=found, asked=request.digest))

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
