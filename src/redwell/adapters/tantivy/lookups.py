"""What a query needs to have looked up: words checked in the texts themselves, families of hits. For the index adapter.

tantivy has no spans. It says which exhibits have the words; whether they stand as the query wants, their texts say.
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterator

from tantivy import Query, Schema, Searcher

from redwell.adapters.tantivy.documents import EXHIBIT, FAMILY
from redwell.core.search.checking import Check
from redwell.core.search.query import Near, Words
from redwell.core.search.stems import Stems
from redwell.ports.search_index import ReadEntries

_AT_ONCE = 500
_REMEMBERED = 32  # answers, so that the next page of a search need not check again


class Answers:
    """The last ones, by the state of the index that they are of. Kept as long as the index is open."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, list[int]] = OrderedDict()

    def get(self, key: Hashable) -> list[int] | None:
        if key in self._known:
            self._known.move_to_end(key)
        return self._known.get(key)

    def total(self, key: Hashable) -> int | None:
        """Of a search whose page before this one was counted."""
        known = self.get(key)
        return known[0] if known else None

    def put(self, key: Hashable, exhibits: list[int]) -> None:
        self._known[key] = exhibits
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)


class IndexLookups:
    """On one state of the index."""

    def __init__(
        self,
        searcher: Searcher,
        schema: Schema,
        read: ReadEntries,
        stems: Stems | None,
        answers: Answers,
        state: Hashable,
    ) -> None:
        self._searcher, self._schema, self._read, self._stems = searcher, schema, read, stems
        self._answers, self._state = answers, state

    def checked(self, part: Words | Near, candidates: Query) -> Query:
        key = (self._state, part)
        fitting = self._answers.get(key)
        if fitting is None:
            fitting = list(self._fitting(Check(part, self._stems), self._values(EXHIBIT, candidates)))
            self._answers.put(key, fitting)
        return Query.term_set_query(self._schema, EXHIBIT, fitting)

    def families_of(self, query: Query) -> Query:
        return Query.term_set_query(self._schema, FAMILY, sorted(set(self._values(FAMILY, query))))

    def answers(self, query: Query) -> bool:
        try:
            self._searcher.search(query, 1, count=False)
        except ValueError:
            return False
        return True

    def _fitting(self, check: Check, exhibits: list[int]) -> Iterator[int]:
        for start in range(0, len(exhibits), _AT_ONCE):
            for entry in self._read(exhibits[start : start + _AT_ONCE]):
                if check.fits(entry.text, entry.fields):
                    yield entry.exhibit

    def _values(self, field: str, query: Query) -> list[int]:
        """Of all hits."""
        most = max(1, self._searcher.num_docs)
        hits = self._searcher.search(query, most, count=False, order_by_field=EXHIBIT).hits
        values = self._searcher.fast_field_values(field, [address for _, address in hits])
        return sorted(int(value or 0) for value in values)
