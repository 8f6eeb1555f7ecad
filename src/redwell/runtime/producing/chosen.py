"""Which exhibits a query means, for exports and productions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from redwell.core.case.rows import Exhibit
from redwell.core.errors import UserError
from redwell.core.search.query import Everything, Node
from redwell.core.search.request import CONTROL_NUMBER, Search, Sort
from redwell.ports.case_reader import CaseReader
from redwell.runtime.bootstrap.open_reader import Reader

_AT_ONCE = 5_000
_ROWS = 500


def hits(case: Reader, query: str, filters: Sequence[Node] = ()) -> Iterator[tuple[int, int]]:
    """Every hit with the head of its family; a query of nothing but blanks means every document."""
    node = case.understood(query) if query.strip() else Everything()
    wanted = Search(query=node, filters=tuple(filters), sort=Sort(CONTROL_NUMBER), limit=_AT_ONCE, snippets=False)
    while True:
        page = case.index.search(wanted)
        yield from ((hit.exhibit, hit.family) for hit in page.hits)
        if page.after is None:
            return
        wanted = replace(wanted, after=page.after)


def some_hits(case: Reader, query: str) -> list[int]:
    found = [exhibit for exhibit, _ in hits(case, query)]
    if not found:
        raise UserError(f"no document of case {case.name!r} is found by {query!r}; `redwell search --explain` says why")
    return found


def exhibits_of(rows: CaseReader, keys: Sequence[int]) -> Iterator[Exhibit]:
    """In the order of the keys, asked for many at once."""
    for at in range(0, len(keys), _ROWS):
        chunk = keys[at : at + _ROWS]
        found = rows.some(chunk)
        yield from (found[key] for key in chunk if key in found)
