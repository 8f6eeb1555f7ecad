"""The full-text projection of one case; the rows are the truth, this can be rebuilt."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One exhibit as it is indexed. `fields` are the searchable ones of docs/search.md."""

    exhibit: int
    digest: str  # of everything indexed: how verify sees that the entry is the right one
    text: str
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    exhibit: int
    score: float
    snippet: str  # plain text with the matches between [[ and ]]


@dataclass(frozen=True, slots=True)
class Hits:
    total: int
    hits: list[Hit]


class SearchIndex(Protocol):
    def replace(self, entries: Iterable[Entry]) -> None:
        """Delete by exhibit, then add; seen by searches after `commit`."""
        ...

    def commit(self) -> None:
        """Durable when this returns."""
        ...

    def search(self, query: str, limit: int = 20, offset: int = 0) -> Hits:
        """Words, "phrases", AND/OR/NOT, (groups), field:value, prefix*. A bad query raises UserError."""
        ...

    def entries(self) -> Iterator[tuple[int, str]]:
        """Every (exhibit, digest) in the index, by exhibit, for verify."""
        ...

    def forget(self) -> None:
        """An empty index, whatever was there, also where it can't be opened any more."""
        ...

    def close(self) -> None: ...
