"""The one screen to review on: list left, document in the middle, decision and context right."""

import re
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from redwell.core.errors import UserError
from redwell.entrypoints.http.documents_shown import date_of, one, title
from redwell.entrypoints.http.review_routes import What, found
from redwell.entrypoints.http.visits import LARGEST_ID, Number, Reading, Visit
from redwell.entrypoints.web.document_pane import flat, pane_values
from redwell.entrypoints.web.marked_text import snippet
from redwell.entrypoints.web.rendering import page, to
from redwell.review.searching import Asked
from redwell.runtime.upkeep.completeness import completeness

router = APIRouter(prefix="/cases/{case}")
_COLUMN = re.compile(r"column (\d+)")


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
    visit.case.drawer.warm()  # a page will be looked at next
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
        pane=pane_values(visit, chosen, what) if chosen else None,
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
    values = pane_values(visit, document, what, is_read=not ahead)
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
        "flat": flat,
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
