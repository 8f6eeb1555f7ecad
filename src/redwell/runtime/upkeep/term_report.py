"""`redwell terms`: what each of a list of search terms finds, alone and beside the others."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from redwell.core.errors import UserError
from redwell.core.search.query import Node
from redwell.core.search.request import CONTROL_NUMBER, Search, Sort
from redwell.runtime.bootstrap.open_reader import Reader

TOTAL = "(all terms)"
_AT_ONCE = 20_000


class Counted(NamedTuple):
    documents: int
    families: int  # with at least one such document
    unique: int  # documents that no other term finds
    unique_families: int  # families that no other term finds


@dataclass(frozen=True, slots=True)
class Term:
    query: str
    counts: Counted


def term_report(case: Reader, lines: Sequence[str]) -> Iterator[Term]:
    """Each term in the order of the list, then all of them together; a mistake names its line."""
    found = {line: dict(_families(case, query)) for line, query in _queries(case, lines).items()}
    documents = Counter(exhibit for hits in found.values() for exhibit in hits)
    families = Counter(family for hits in found.values() for family in set(hits.values()))
    for line, hits in found.items():
        own = set(hits.values())
        unique = sum(documents[exhibit] == 1 for exhibit in hits)
        yield Term(line, Counted(len(hits), len(own), unique, sum(families[family] == 1 for family in own)))
    yield Term(TOTAL, Counted(len(documents), len(families), _once(documents), _once(families)))


def _once(counted: Counter[int]) -> int:
    return sum(count == 1 for count in counted.values())


def _queries(case: Reader, lines: Sequence[str]) -> dict[str, Node]:
    """All are read before the first is asked. A term that is there twice counts once."""
    queries = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                queries[line.strip()] = case.understood(line.strip())
            except UserError as error:
                raise UserError(f"line {number} of the terms: {error}") from error
    if not queries:
        raise UserError("the list has no terms: write one query a line")
    return queries


def _families(case: Reader, query: Node) -> Iterator[tuple[int, int]]:
    """Every hit with the head of its family."""
    wanted = Search(query=query, sort=Sort(CONTROL_NUMBER), limit=_AT_ONCE, snippets=False)
    while True:
        page = case.index.search(wanted)
        yield from ((hit.exhibit, hit.family) for hit in page.hits)
        if page.after is None:
            return
        wanted = replace(wanted, after=page.after)
