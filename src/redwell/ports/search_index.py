"""The full-text projection of one case; the rows are the truth, this can be rebuilt."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from redwell.core.search.fields import FieldValue
from redwell.core.search.matches import Span
from redwell.core.search.request import Cursor, Search

ReadEntries = Callable[[Sequence[int]], "Iterable[Entry]"]  # of the case's rows and texts, for what no index keeps


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One exhibit as it is indexed. `fields` are those of core.search.fields, any other is metadata."""

    exhibit: int
    digest: str  # of everything indexed: how verify sees that the entry is the right one
    text: str
    fields: Mapping[str, FieldValue] = {}
    family: int | None = None  # the exhibit at the head of its family; None: it is alone

    @property
    def head(self) -> int:
        return self.exhibit if self.family is None else self.family

    @property
    def place(self) -> str:
        """What ties are ordered by."""
        return str(self.fields.get("control_number") or f"{self.exhibit:012d}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    exhibit: int
    family: int  # the exhibit at its head
    score: float | None  # where the search is sorted by it
    snippet: str = ""  # plain text with the matches between [[ and ]]
    page: int | None = None  # that the snippet is of, where the text says where its pages end
    positions: tuple[Span, ...] = ()  # in the exhibit's text


@dataclass(frozen=True, slots=True)
class Counts:
    """Hits by value of a field."""

    values: tuple[tuple[str, int], ...]  # the most frequent first, equal ones by value
    other: int = 0  # of the values that are not shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    total: int = 0
    hits: tuple[Hit, ...] = ()
    after: Cursor | None = None  # for the next page; None where this is the last
    facets: Mapping[str, Counts] = field(default_factory=dict)


class SearchReader(Protocol):
    """Looking for what the last commit holds, by whichever process it was."""

    def search(self, request: Search) -> Hits:
        """The hits of all committed entries: total and counts are exact, pages follow each other without gap.

        A name or value of the query that neither the tables nor any entry knows is a UserError with its column; a
        filter by one leaves nothing.
        """
        ...

    def is_there(self) -> bool:
        """Whether anything was ever indexed; what is not there finds nothing, and says nothing."""
        ...

    def entries(self) -> Iterator[tuple[int, str]]:
        """Every (exhibit, digest) in the index, by exhibit, for verify."""
        ...

    def damaged(self) -> Iterator[str]:
        """What of the index is not as it was written, by name; an index that is damaged is not to be asked."""
        ...

    def is_outdated(self) -> bool:
        """It was made by other rules than today's: `forget` it and fill it anew. Until then it answers nothing."""
        ...

    def close(self) -> None: ...


class SearchIndex(SearchReader, Protocol):
    def replace(self, entries: Iterable[Entry]) -> None:
        """Delete by exhibit, then add; seen by searches after `commit`."""
        ...

    def commit(self) -> None:
        """Durable when this returns."""
        ...

    def forget(self) -> None:
        """An empty index, whatever was there, also where it can't be opened any more."""
        ...
