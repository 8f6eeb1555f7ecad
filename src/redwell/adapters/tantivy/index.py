"""The full-text index of one case on tantivy; opened by whoever searches, written by the one indexer.

tantivy allows one writer at a time; its lock falls with the process, and what was not committed is
not there afterwards. Everything in here can be rebuilt from the rows.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tantivy import FieldType, IndexWriter, Order, Query, Searcher

from redwell.adapters.tantivy.checksums import damaged_files
from redwell.adapters.tantivy.documents import DIGEST, EXHIBIT, as_written, document
from redwell.adapters.tantivy.index_folder import IndexFolder
from redwell.adapters.tantivy.looked_at_folder import LookedAtFolder
from redwell.adapters.tantivy.lookups import Answers, IndexLookups
from redwell.adapters.tantivy.paging import Pager
from redwell.adapters.tantivy.places import Found
from redwell.adapters.tantivy.translation import Translation
from redwell.adapters.tantivy.written import Written
from redwell.core.errors import DiskFull, Recoverable, RedwellError, UserError
from redwell.core.search.doubts import doubts
from redwell.core.search.matches import NO_PASSAGE, Matches
from redwell.core.search.request import SCORE, Facet, Search
from redwell.core.search.stems import Stems
from redwell.ports.search_index import Counts, Entry, Hit, Hits, ReadEntries

_PAGE = 5_000
_MOST_VALUES = 65_000  # of a field that is counted; tantivy's own limit
_FAILURES = (ValueError, OSError, RuntimeError)  # of the writer


class TantivyIndex:
    """Keeps the promises of `ports.search_index.SearchIndex`."""

    def __init__(
        self,
        folder: Path,
        read: ReadEntries,
        stems: Stems | None = None,
        *,
        heap_bytes: int = 64 << 20,
        read_only: bool = False,
    ) -> None:
        self._folder = LookedAtFolder(folder) if read_only else IndexFolder(folder)
        self._read, self._stems = read, stems
        self._answers = Answers()
        self._heap_bytes = heap_bytes
        self._writer: IndexWriter | None = None
        self._written: Written  # by the writer

    def replace(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            built = document(entry)
            try:
                writer = self._opened_writer()
                if self._written.note(entry.exhibit):
                    writer.delete_documents_by_term(EXHIBIT, entry.exhibit)
                writer.add_json(built)
            except _FAILURES as error:
                raise self._failed(error) from error

    def commit(self) -> None:
        if self._writer is not None:
            with self._writing() as writer:
                writer.commit()
            self._folder.sync()

    def search(self, request: Search) -> Hits:
        stamp = self._folder.stamp()  # before the index is looked at: what is remembered is never older than it says
        state = self._folder.last_commit()
        if state is None:
            return Hits()
        searcher = state[1]
        known = (stamp, request.query, request.filters)
        lookups = IndexLookups(searcher, self._folder.schema, self._read, self._stems, self._answers, stamp)
        translation = Translation(self._folder.schema, lookups)
        try:
            for doubt in doubts(request.query):  # filters are no person's writing
                if not searcher.search(translation.of(doubt.probe), 1, count=False).hits:
                    raise doubt.error
            pager = Pager(state, self._folder.schema, request, translation, self._answers.total(known))
            found = pager.page(request.limit + 1) if request.limit > 0 else []
            total = pager.total()
            self._answers.put(known, [total])
            facets = _counts(searcher, pager.query, request.facets)
        except ValueError as error:
            raise UserError(f"the index cannot answer this query: {error}") from error
        return self._shown(request, pager, found, Hits(total=total, facets=facets))

    def _shown(self, request: Search, pager: Pager, found: list[Found], hits: Hits) -> Hits:
        shown = found[: request.limit]
        seen = (request.after.seen if request.after else 0) + len(shown)
        return Hits(
            total=hits.total,
            hits=tuple(self._hits(request, shown, pager.exhibits(shown))),
            after=request.cursor(shown[-1].key, shown[-1].place, seen) if len(found) > len(shown) else None,
            facets=hits.facets,
        )

    def _hits(self, request: Search, found: Iterable[Found], exhibits: Sequence[tuple[int, int]]) -> Iterator[Hit]:
        matches = Matches(request.query, self._stems)
        is_read = request.snippets or request.positions
        texts = {entry.exhibit: entry.text for entry in self._read([key for key, _ in exhibits])} if is_read else {}
        for each, (exhibit, family) in zip(found, exhibits, strict=True):
            text = texts.get(exhibit, "")
            passage = matches.passage(text) if request.snippets else NO_PASSAGE
            yield Hit(
                exhibit=exhibit,
                family=family,
                score=each.key if request.sort.field == SCORE else None,
                snippet=passage.text,
                page=passage.page,
                positions=tuple(matches.spans(text)) if request.positions else (),
            )

    def entries(self) -> Iterator[tuple[int, str]]:
        state = self._folder.last_commit()
        after = -1
        while state is not None:
            rest = Query.range_query(self._folder.schema, EXHIBIT, FieldType.Integer, lower_bound=after + 1)
            page = state[1].search(rest, _PAGE, count=False, order_by_field=EXHIBIT, order=Order.Asc).hits
            for after, address in page:
                yield after, state[1].doc(address)[DIGEST][0].decode()
            if len(page) < _PAGE:
                return

    def damaged(self) -> Iterator[str]:
        return (
            str(path.relative_to(self._folder.root.parent))
            for path in damaged_files(self._folder.path, as_written(self._folder.schema))
        )

    def is_there(self) -> bool:
        return self._folder.is_there()

    def is_outdated(self) -> bool:
        return self._folder.is_outdated()

    def forget(self) -> None:
        self._writer = None
        self._folder.remove()

    def close(self) -> None:
        """Uncommitted entries are dropped; merges under way are finished."""
        if self._writer is not None:
            with self._writing() as writer:
                writer.rollback()
                writer.wait_merging_threads()
        self._writer = None
        self._folder.close()

    @contextmanager
    def _writing(self) -> Iterator[IndexWriter]:
        try:
            yield self._opened_writer()
        except _FAILURES as error:
            raise self._failed(error) from error

    def _opened_writer(self) -> IndexWriter:
        if self._writer is None:
            writer = self._folder.made().writer(self._heap_bytes, num_threads=1)
            self._written = Written(self._highest())  # now that nobody else can write
            self._writer = writer
        return self._writer

    def _highest(self) -> int:
        """The largest exhibit of the last commit."""
        state = self._folder.last_commit()
        newest = state and state[1].search(Query.all_query(), 1, count=False, order_by_field=EXHIBIT).hits
        return int(newest[0][0]) if newest else -1

    def _failed(self, error: Exception) -> RedwellError:
        """Whatever the writer failed at, the next call starts afresh from the last commit."""
        self._writer = None
        free = self._folder.free_bytes()
        if free < self._heap_bytes:
            return DiskFull(f"cannot write the index in {self._folder.path}: {free:,} bytes are free")
        return Recoverable(f"cannot write the index in {self._folder.path}: {error}")


def _counts(searcher: Searcher, query: Query, facets: Sequence[Facet]) -> dict[str, Counts]:
    """Of all values, so that those shown are the most frequent ones for sure; the hits are looked at once."""
    if not facets:
        return {}
    wanted = {
        facet.field: {"terms": {"field": facet.field, "size": _MOST_VALUES, "segment_size": _MOST_VALUES}}
        for facet in facets
    }
    found = searcher.aggregate(query, wanted)
    return {facet.field: _first(found[facet.field]["buckets"], facet.limit) for facet in facets}


def _first(buckets: Sequence[dict[str, Any]], limit: int) -> Counts:
    counted = sorted(((bucket["key"], bucket["doc_count"]) for bucket in buckets), key=lambda each: (-each[1], each[0]))
    return Counts(tuple(counted[:limit]), sum(count for _, count in counted[limit:]))
