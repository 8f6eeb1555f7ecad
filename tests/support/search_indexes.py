"""The search indexes that the contract tests run over. An adapter joins by an entry in INDEXES."""

import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

from redwell.adapters.tantivy.index import TantivyIndex
from redwell.core.search.query_parser import parse
from redwell.core.search.request import Cursor, Facet, Search, Sort
from redwell.ports.search_index import Hits, SearchIndex

# Text, because the tests that kill run the same expression in a process of their own.
INDEXES = {"tantivy": "TantivyIndex(Path(folder), read_text, heap_bytes=16 << 20)"}
_PRELUDE = """
import os, resource, sys
from pathlib import Path
from redwell.adapters.tantivy.index import TantivyIndex
from redwell.core.errors import Recoverable
from redwell.ports.search_index import Entry
folder, read_text = sys.argv[1], str
def entry(exhibit, text): return Entry(exhibit=exhibit, digest=f"d{exhibit}", text=text)
"""


def opened(kind: str, folder: Path, read_text: Callable[[int], str]) -> SearchIndex:
    names = {"TantivyIndex": TantivyIndex, "Path": Path, "folder": folder, "read_text": read_text}
    index: SearchIndex = eval(INDEXES[kind], names)
    return index


def ask(
    index: SearchIndex,
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
            query=parse(query),
            filters=(parse(filters),) if filters else (),
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
