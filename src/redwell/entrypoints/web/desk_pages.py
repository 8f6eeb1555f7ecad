"""The one screen to review on: list left, document in the middle, decision and context right."""

import contextlib
import dataclasses
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from redwell.core.case.rows import Exhibit
from redwell.core.errors import UserError
from redwell.core.review.values import TermSet
from redwell.core.search.matches import Matches
from redwell.core.search.query import And, Everything, Near, Node, Or, Words
from redwell.entrypoints.http.document_routes import replaces
from redwell.entrypoints.http.documents_shown import date_of, one, title
from redwell.entrypoints.http.rendition_routes import can_have_pages
from redwell.entrypoints.http.review_routes import What, found
from redwell.entrypoints.http.visits import LARGEST_ID, Number, Reading, Visit
from redwell.entrypoints.web.marked_text import (
    MOST_CHARS,
    boxes,
    hit_lines,
    hits_by_colour,
    marks,
    pieces,
    snippet,
    terms,
)
from redwell.entrypoints.web.rendering import page, to
from redwell.load.texts import one_text
from redwell.review.relatives import near_to, thread_of
from redwell.review.searching import Asked, tree
from redwell.runtime.upkeep.completeness import completeness

router = APIRouter(prefix="/cases/{case}")
_COLUMN = re.compile(r"column (\d+)")
SHOWN = ("bcc", "author", "title", "created", "modified", "language")
PAGES_MARKED = 40


@router.get("")
def case(visit: Reading) -> Response:
    return to(f"/cases/{visit.case.number}/{'review' if visit.case.reader.rows.batches() else 'imports'}")


@router.get("/review")
def review(
    request: Request, visit: Reading, what: What, doc: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None
) -> Response:
    result, wrong, where = None, "", ""
    try:
        result = found(visit, what)
    except UserError as error:
        wrong = str(error)
        where = _pointed(what.query, wrong)
    chosen = doc or (result.lines[0].exhibit.id if result and result.lines else None)
    return page(
        request,
        "desk.html",
        visit.who,
        visit=visit,
        asked=what,
        result=result,
        wrong=wrong,
        where=where,
        standing=completeness(visit.case.reader),
        searches=visit.case.review.saved_searches(),
        held=_held(visit, what),
        tag_counts=visit.case.review.tag_counts(),
        address=address(what),
        pane=_pane(visit, chosen, what) if chosen else None,
        **_list_values(visit, what),
    )


def _held(visit: Visit, what: Asked) -> dict[str, Any] | None:
    """The round that somebody is at work on."""
    if what.round is None:
        return None
    of = visit.case.review.rounds.one(what.round)
    return {"round": of, "documents": len(visit.case.review.rounds.held(of.id, visit.who.name))}


@router.get("/review/more")
def more(request: Request, visit: Reading, what: What) -> Response:
    """The hits that follow, for the list."""
    result = found(visit, replace(what, facets=False))
    return page(request, "hits.html", visit.who, visit=visit, result=result, pane=None, **_list_values(visit, what))


@router.get("/documents/{document}")
def document(visit: Reading, document: Number, what: What) -> Response:
    return to(f"/cases/{visit.case.number}/review?{address(what)}&doc={document}")


@router.get("/documents/{document}/pane")
def pane(request: Request, visit: Reading, document: Number, what: What, ahead: bool = False) -> Response:
    """`ahead`: fetched before it is opened, and so not read yet."""
    values = _pane(visit, document, what, is_read=not ahead)
    return page(request, "pane.html", visit.who, visit=visit, pane=values, **_list_values(visit, what))


@router.post("/documents/{document}/read")
def read(visit: Reading, document: Number) -> Response:
    """One that was fetched ahead is open now."""
    one(visit, document)
    visit.home.viewed(visit.case.number, visit.who.name, document)
    return Response(status_code=204)


def _list_values(visit: Visit, what: Asked) -> dict[str, Any]:
    return {
        "tags": visit.case.review.tags(),
        "title": title,
        "date_of": date_of,
        "snippet": snippet,
        "more_address": lambda result: address(what, after=result.after),
        "address_with": lambda **changes: address(what, **changes),
        "query_in": query_in,
        "flat": _flat,
    }


def address(what: Asked, **changes: Any) -> str:
    """The search as a part of an address; a change replaces what it names."""
    values: dict[str, Any] = {"q": what.query, "sort": what.sort, "tag": list(what.tags), "without": list(what.without)}
    values |= {"seen": what.read, "round": what.round, **changes}
    defaults = {"sort": "score"}
    return urlencode([(k, v) for k, v in values.items() if v and v != defaults.get(k)], doseq=True)


def query_in(query: str, field: str, value: str) -> str:
    """The query, narrowed to a value of a field."""
    added = f'{field}:"{value}"' if re.search(r"[^\w-]", value) else f"{field}:{value}"
    return f"({query}) AND {added}" if re.search(r"\bOR\b", query) else f"{query} {added}".strip()


def _pointed(query: str, wrong: str) -> str:
    """The query up to where it went wrong."""
    column = _COLUMN.search(wrong)
    return query[: int(column[1]) - 1] if column else ""


def _pane(visit: Visit, key: int, what: Asked, *, is_read: bool = True) -> dict[str, Any]:
    exhibit = one(visit, key)
    reader, store = visit.case.reader, visit.case.review
    node = _node(visit, what)
    text = one_text(exhibit, reader.rows, reader.blobs)
    spans = Matches(node).spans(text) if not isinstance(node, Everything) else []
    sets = _term_sets(visit)
    of_sets = [(each, set_node, Matches(set_node).spans(text)) for each, set_node in sets]
    shown = list(pieces(text, marks(node, spans, [(each.colour, found) for each, _, found in of_sets])))
    family, copies = reader.rows.family(key), reader.rows.copies(key)
    mails, alike = thread_of(exhibit, reader.rows), near_to(exhibit, reader.rows)
    relatives = store.taggings([member.id for member in [*family, *copies, *mails, *alike]])
    if is_read:
        visit.home.viewed(visit.case.number, visit.who.name, key)
    return {
        "exhibit": exhibit,
        "title": title(exhibit),
        "pieces": shown,
        "hit_lines": hit_lines(shown),
        "hits_by_colour": hits_by_colour(shown),
        "term_sets": [(each.name, each.colour, terms(set_node, found)) for each, set_node, found in of_sets],
        "replaced_by": store.replacements([key]),
        "replaces": replaces(visit, exhibit),
        "is_cut": len(text) > MOST_CHARS,
        "chars": len(text),
        "terms": terms(node, spans),
        "hits": len(spans),
        "family": family,
        "copies": copies,
        "thread": mails,
        "near": alike,
        "decided": _decided(visit, relatives),
        "own_tags": {each.tag: each for each in store.taggings([key])},
        "otherwise": _otherwise(key, family, relatives),
        "version": store.version(key),
        "notes": store.notes(key),
        "history": store.history(key, 12),
        "last_change": store.last_change(visit.who.name),
        "metadata": [(name, exhibit.metadata[name]) for name in SHOWN if exhibit.metadata.get(name)],
        "pages": _pages(visit, key, node, [(each.colour, set_node) for each, set_node in sets]),
        "asks_for_pages": can_have_pages(visit, exhibit),
        "head": _head(exhibit),
        "data": visit.case.understanding.ingestions(key)[-1:],
    }


def _decided(visit: Visit, taggings: Any) -> dict[int, str]:
    """What somebody decided of each, in words."""
    names = {tag.id: tag.name for tag in visit.case.review.tags()}
    told: dict[int, list[str]] = {}
    for each in taggings:
        told.setdefault(each.exhibit, []).append(names.get(each.tag, ""))
    return {exhibit: ", ".join(tags) for exhibit, tags in told.items()}


def _head(exhibit: Exhibit) -> list[tuple[str, str]]:
    """Of a mail: what its reader sees first."""
    if exhibit.kind != "mail":
        return []
    named = (("From", "from"), ("To", "to"), ("Cc", "cc"), ("Date", "date"), ("Subject", "subject"))
    return [(label, _flat(exhibit.metadata[key])) for label, key in named if exhibit.metadata.get(key)]


def _flat(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _node(visit: Visit, what: Asked) -> Node:
    """A query that can't be read marks nothing; the list says what is wrong with it."""
    try:
        return tree(what.query, visit.case.reader)
    except UserError:
        return Everything()


def _otherwise(key: int, family: list[Exhibit], taggings: Any) -> int:
    """Members that somebody decided about differently."""
    own = {each.tag for each in taggings if each.exhibit == key}
    tags: dict[int, set[int]] = {}
    for each in taggings:
        tags.setdefault(each.exhibit, set()).add(each.tag)
    return sum(1 for member in family if member.id != key and tags.get(member.id, own) != own)


def _term_sets(visit: Visit) -> list[tuple[TermSet, Node]]:
    """Each as one query; a line that can't be read any more is left out."""
    found = []
    for each in visit.case.review.term_sets():
        parts = list[Node]()
        for line in filter(None, map(str.strip, each.terms.splitlines())):
            with contextlib.suppress(UserError):
                parts.append(tree(line, visit.case.reader))
        if parts:
            found.append((each, _apart(parts)))
    return found


def _apart(parts: Sequence[Node]) -> Node:
    """Each line has columns of its own, by which its hits are counted."""
    return Or(tuple(_moved(part, 10_000 * (place + 1)) for place, part in enumerate(parts)))


def _moved(node: Node, by: int) -> Node:
    match node:
        case Words() | Near():
            moved = dataclasses.replace(node, column=node.column + by)
            if isinstance(moved, Near):
                return dataclasses.replace(moved, left=_moved(moved.left, by), right=_moved(moved.right, by))
            return moved
        case And(parts):
            return And(tuple(_moved(part, by) for part in parts))
        case Or(parts):
            return Or(tuple(_moved(part, by) for part in parts))
        case _:
            return node


def _pages(visit: Visit, key: int, node: Node, sets: Sequence[tuple[str, Node]]) -> list[dict[str, Any]]:
    view = visit.case.reader.view
    shown = []
    for number in range(1, view.pages(key) + 1):
        words = view.words(key, number) if number <= PAGES_MARKED else None
        size = (words.width, words.height) if words else (595, 842)
        marked = boxes(words, node) if words else []
        if words:
            marked += [box for colour, of_set in sets for box in boxes(words, of_set, f"set {colour}")]
        shown.append({"number": number, "size": size, "boxes": marked})
    return shown
