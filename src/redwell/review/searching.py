"""A search as reviewers see it: the query, what narrows it, and tags and readers beside each hit.

Tags are rows, not words of the index: a search by tag asks the index for the control numbers that have it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Protocol

from redwell.core.case.rows import Exhibit
from redwell.core.review.values import Tagging
from redwell.core.search.explanation import explained
from redwell.core.search.given import MOST, among
from redwell.core.search.query import Everything, Node, Not
from redwell.core.search.request import Cursor, Facet, Search, Sort
from redwell.ports.case_reader import CaseReader
from redwell.ports.review import ReviewStore
from redwell.ports.search_index import Hit, Hits, SearchReader

FACETS = ("kind", "custodian", "outcome", "language")
PAGE = 50


class Searched(Protocol):
    """An open case, for whoever only looks."""

    @property
    def rows(self) -> CaseReader: ...
    @property
    def index(self) -> SearchReader: ...
    @property
    def zone(self) -> tzinfo: ...
    def understood(self, query: str) -> Node: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a person asks for, as the address of a page or of the API says it."""

    query: str = ""
    sort: str = "score"
    after: str = ""
    limit: int = PAGE
    tags: tuple[int, ...] = ()  # each of them
    without: tuple[int, ...] = ()  # none of them
    read: str = ""  # read or unread, by `who`
    round: int | None = None  # the portion of this round that `who` holds
    who: str = ""
    facets: bool = True
    positions: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    exhibit: Exhibit
    hit: Hit
    taggings: Sequence[Tagging]
    readers: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    total: int
    understood: str
    lines: Sequence[Line]
    after: str  # empty: this was the last page
    facets: Mapping[str, Sequence[tuple[str, int]]]


def tree(query: str, case: Searched) -> Node:
    """Nothing typed means every document."""
    return case.understood(query) if query.strip() else Everything()


def search(asked: Asked, case: Searched, review: ReviewStore) -> Found:
    node = tree(asked.query, case)
    sort = asked.sort if asked.query.strip() or asked.sort != "score" else "control_number"
    found = case.index.search(
        Search(
            query=node,
            filters=tuple(filters(asked, case, review)),
            sort=Sort.read(sort),
            limit=asked.limit,
            after=Cursor.read(asked.after) if asked.after else None,
            facets=tuple(Facet(field) for field in FACETS) if asked.facets else (),
            positions=asked.positions,
        )
    )
    return Found(
        total=found.total,
        understood=_told(explained(node, case.zone), asked, review),
        lines=_lines(found, case.rows, review),
        after=str(found.after or ""),
        facets={name: counts.values for name, counts in found.facets.items()},
    )


def filters(asked: Asked, case: Searched, review: ReviewStore) -> list[Node]:
    found = [among(review.tagged(tag), f"tag {tag}") for tag in asked.tags]
    found += [Not(among(review.tagged(tag), f"tag {tag}")) for tag in asked.without]
    if asked.read:
        read = among(review.read_by(asked.who, limit=MOST + 1), "what you have read")
        found.append(read if asked.read == "read" else Not(read))
    if asked.round is not None:
        mine = case.rows.some(review.rounds.held(asked.round, asked.who))
        found.append(among([exhibit.control_number for exhibit in mine.values()], "your portion"))
    return found


def _told(query: str, asked: Asked, review: ReviewStore) -> str:
    names = {tag.id: tag.name for tag in review.tags()} if asked.tags or asked.without else {}
    parts = [query]
    parts += [f"tagged “{names.get(tag, tag)}”" for tag in asked.tags]
    parts += [f"NOT tagged “{names.get(tag, tag)}”" for tag in asked.without]
    parts += [f"{asked.read} by you"] if asked.read else []
    parts += ["in your portion of the round"] if asked.round is not None else []
    return " AND ".join(parts)


def _lines(found: Hits, rows: CaseReader, review: ReviewStore) -> list[Line]:
    keys = [hit.exhibit for hit in found.hits]
    exhibits, readers, taggings = rows.some(keys), review.readers(keys), review.taggings(keys)
    return [
        Line(
            exhibit=exhibits[hit.exhibit],
            hit=hit,
            taggings=[tagging for tagging in taggings if tagging.exhibit == hit.exhibit],
            readers=readers.get(hit.exhibit, ()),
        )
        for hit in found.hits
        if hit.exhibit in exhibits
    ]
