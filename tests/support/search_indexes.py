"""The search indexes that the contract tests run over. An adapter joins by an entry in INDEXES."""

import hashlib
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tests.support import opensearch

from redwell.adapters.opensearch.client import Client
from redwell.adapters.opensearch.index import OpenSearchIndex
from redwell.adapters.snowball.stems import SnowballStems
from redwell.adapters.tantivy.index import TantivyIndex
from redwell.core.search.query_parser import parse
from redwell.core.search.request import Cursor, Facet, Search, Sort
from redwell.ports.search_index import Entry, FieldValue, Hits, SearchIndex, SearchReader

# Text, because the tests that kill run the same expression in a process of their own.
INDEXES = {"tantivy": "TantivyIndex(Path(folder), read, STEMS, heap_bytes=16 << 20)"}
if opensearch.is_there() or opensearch.REQUIRED:  # else a line at the end of the run says that they did not run
    INDEXES["opensearch"] = "OpenSearchIndex(Client(opensearch.url()), 'test', case_of(folder), read, STEMS)"
_PRELUDE = """
import os, resource, sys
from pathlib import Path
from redwell.adapters.tantivy.index import TantivyIndex
from redwell.core.errors import Recoverable
from redwell.ports.search_index import Entry
folder, read, STEMS = sys.argv[1], lambda keys: (), None
def entry(exhibit, text): return Entry(exhibit=exhibit, digest=f"d{exhibit}", text=text)
"""


STEMS = SnowballStems()


def case_of(folder: Path) -> str:
    """A case of its own for each folder."""
    return hashlib.md5(str(folder).encode()).hexdigest()


_NAMES = {
    each.__name__.rpartition(".")[2]: each
    for each in (Client, OpenSearchIndex, TantivyIndex, Path, case_of, opensearch)
} | {"STEMS": STEMS}
Fields = Mapping[int, Mapping[str, FieldValue]]


def opened(
    kind: str, folder: Path, read_text: Callable[[int], str], fields: Fields = MappingProxyType({})
) -> SearchIndex:
    """With texts and fields of exhibits as the case would give them."""

    def read(keys: Sequence[int]) -> Iterator[Entry]:
        return (Entry(exhibit=key, digest="", text=read_text(key), fields=fields.get(key, {})) for key in keys)

    index: SearchIndex = eval(INDEXES[kind], {**_NAMES, "folder": folder, "read": read})
    return index


def ask(
    index: SearchReader,
    query: str,
    *,
    filters: str = "",
    sort: str = "score",
    limit: int = 20,
    after: Cursor | None = None,
    facets: tuple[Facet, ...] = (),
    snippets: bool = True,
    positions: bool = False,
) -> Hits:
    return index.search(
        Search(
            query=parse(query, stems=STEMS),
            filters=(parse(filters, stems=STEMS),) if filters else (),
            sort=Sort.read(sort),
            limit=limit,
            after=after,
            facets=facets,
            snippets=snippets,
            positions=positions,
        )
    )


def run_elsewhere(kind: str, folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run code with `index` open in another process."""
    text = _PRELUDE + f"index = {INDEXES[kind]}\n" + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", text, str(folder)], capture_output=True, text=True, timeout=60)
