"""The full-text index of one case on tantivy; opened by whoever searches, written by the one indexer.

tantivy allows one writer at a time; its lock falls with the process, and what was not committed is
not there afterwards. Everything in here can be rebuilt from the rows.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tantivy import DocAddress, FieldType, Index, IndexWriter, Order, Query, Searcher

from redwell.adapters.tantivy.documents import DIGEST, EXHIBIT, document, register_tokenizers, schema
from redwell.adapters.tantivy.snippets import Snippets
from redwell.adapters.tantivy.translation import translated
from redwell.adapters.tantivy.words import VERSION
from redwell.adapters.tantivy.written import Written
from redwell.core.errors import DiskFull, Permanent, Recoverable, RedwellError, UserError
from redwell.core.query import parse
from redwell.ports.search_index import Entry, Hit, Hits

_PAGE = 5_000
_FAILURES = (ValueError, OSError, RuntimeError)  # of the writer


class TantivyIndex:
    """Keeps the promises of `ports.search_index.SearchIndex`."""

    def __init__(self, folder: Path, read_text: Callable[[int], str], *, heap_bytes: int = 64 << 20) -> None:
        # Other rules for words are another index: the old one is not asked with the new rules.
        self._folder = folder / f"v{VERSION}"
        self._schema = schema()
        self._read_text = read_text
        self._heap_bytes = heap_bytes
        self._index: Index | None = None
        self._writer: IndexWriter | None = None
        self._written: Written  # by the writer

    def replace(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            built = document(entry)
            try:
                writer = self._opened_writer()
                if self._written.note(entry.exhibit):
                    writer.delete_documents_by_term(EXHIBIT, entry.exhibit)
                writer.add_document(built)
            except _FAILURES as error:
                raise self._failed(error) from error

    def commit(self) -> None:
        if self._writer is not None:
            with self._writing() as writer:
                writer.commit()
            self._sync_names()

    def _sync_names(self) -> None:
        """tantivy syncs its folder before it renames the new list of segments into place, not afterwards."""
        fd = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def search(self, query: str, limit: int = 20, offset: int = 0) -> Hits:
        tree = parse(query)
        searcher = self._searcher()
        if searcher is None:
            return Hits(0, [])
        wanted = translated(tree, self._schema)
        try:
            found = searcher.search(wanted, limit=max(limit, 1), offset=offset)
        except ValueError as error:
            raise UserError(f"the index cannot answer this query: {error}") from error
        snippets = Snippets(tree)
        hits = [
            Hit(exhibit, score, snippets.of(self._read_text(exhibit)))
            for exhibit, score in _exhibits(searcher, found.hits[:limit])
        ]
        total: int = found.count  # type: ignore[attr-defined]  # missing from tantivy's stubs
        return Hits(total, hits)

    def entries(self) -> Iterator[tuple[int, str]]:
        searcher = self._searcher()
        after = -1
        while searcher is not None:
            rest = Query.range_query(self._schema, EXHIBIT, FieldType.Integer, lower_bound=after + 1)
            page = searcher.search(rest, _PAGE, count=False, order_by_field=EXHIBIT, order=Order.Asc).hits
            for after, address in page:
                yield after, searcher.doc(address)[DIGEST][0].decode()
            if len(page) < _PAGE:
                return

    def forget(self) -> None:
        self._writer = self._index = None
        if self._folder.is_dir():
            shutil.rmtree(self._folder)
            _sync_folder(self._folder.parent)

    def close(self) -> None:
        """Uncommitted entries are dropped; merges under way are finished."""
        if self._writer is not None:
            with self._writing() as writer:
                writer.rollback()
                writer.wait_merging_threads()
        self._writer = self._index = None

    def _searcher(self) -> Searcher | None:
        """A view of the last commit, by whichever process; None when there is no index yet."""
        index = self._opened()
        if index is None:
            return None
        index.reload()
        return index.searcher()

    def _opened(self) -> Index | None:
        if self._index is None and self._folder.is_dir() and Index.exists(str(self._folder)):
            try:
                self._index = _ready(Index.open(str(self._folder)))
            except ValueError as error:
                raise Permanent(f"{self._folder} cannot be opened ({error}); run 'redwell reindex'") from error
        return self._index

    @contextmanager
    def _writing(self) -> Iterator[IndexWriter]:
        try:
            yield self._opened_writer()
        except _FAILURES as error:
            raise self._failed(error) from error

    def _opened_writer(self) -> IndexWriter:
        if self._writer is None:
            writer = self._created().writer(self._heap_bytes, num_threads=1)
            self._written = Written(self._highest())  # now that nobody else can write
            self._writer = writer
        return self._writer

    def _highest(self) -> int:
        """The largest exhibit of the last commit."""
        searcher = self._searcher()
        newest = searcher and searcher.search(Query.all_query(), 1, count=False, order_by_field=EXHIBIT).hits
        return int(newest[0][0]) if newest else -1

    def _failed(self, error: Exception) -> RedwellError:
        """Whatever the writer failed at, the next call starts afresh from the last commit."""
        self._writer = None
        space = os.statvfs(self._folder)
        free = space.f_bavail * space.f_frsize
        if free < self._heap_bytes:
            return DiskFull(f"cannot write the index in {self._folder}: {free:,} bytes are free")
        return Recoverable(f"cannot write the index in {self._folder}: {error}")

    def _created(self) -> Index:
        if index := self._opened():
            return index
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._index = _ready(Index(self._schema, path=str(self._folder)))
        for parent in (self._folder.parent, self._folder.parent.parent):
            _sync_folder(parent)  # tantivy makes its files safe, but not the way to them
        return self._index


def _ready(index: Index) -> Index:
    index.config_reader("manual")  # no thread that watches the folder: every search reloads
    register_tokenizers(index)
    return index


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _exhibits(searcher: Searcher, hits: list[tuple[float, DocAddress]]) -> Iterator[tuple[int, float]]:
    exhibits = searcher.fast_field_values(EXHIBIT, [address for _, address in hits])
    for exhibit, (score, _) in zip(exhibits, hits, strict=True):
        yield int(exhibit or 0), score
