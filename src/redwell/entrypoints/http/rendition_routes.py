"""PDFs and pages of documents: what there is, and asking for what is made only when somebody wants it."""

from typing import Any, Literal

from fastapi import APIRouter, Request, Response

from redwell.core.case.rows import Exhibit
from redwell.core.case.slip_sheet import has_slip_sheet
from redwell.core.errors import NotFound
from redwell.core.outcomes import Outcome
from redwell.core.page_words import encode
from redwell.core.review.values import Action, Entry
from redwell.core.work.renderers import Goal
from redwell.entrypoints.cli.listing import with_renditions
from redwell.entrypoints.http.documents_shown import one
from redwell.entrypoints.http.streamed import described, streamed
from redwell.entrypoints.http.visits import Number, Reading, Visit
from redwell.runtime.serving.imports import Imports
from redwell.runtime.upkeep import rendering

router = APIRouter(tags=["documents"])
IMAGES = {"image/png", "image/jpeg", "image/webp"}
_IMAGE: dict[str, Any] = {"description": "the page", "content": {kind: {} for kind in sorted(IMAGES)}}
_READABLE = frozenset({Outcome.SUCCESS, Outcome.PARTIAL})


def can_have_pages(visit: Visit, exhibit: Exhibit) -> bool:
    """Whether asking for them could bring some."""
    return visit.home.settings.pages != "none" and has_slip_sheet(exhibit) and exhibit.outcome in _READABLE


@router.get("/documents/{document}/pages")
def pages(visit: Reading, document: Number) -> dict[str, Any]:
    """How many page images there are, and whether work on them is open."""
    exhibit = one(visit, document)
    [(_, _, states)] = with_renditions(visit.case.reader.rows, [(exhibit, None)])
    is_open = "pending" in (states["pdf"], states["pages"])
    return {"pages": visit.case.reader.view.pages(document), "state": "pending" if is_open else states["pages"]}


@router.post("/documents/{document}/pages", status_code=202)
def ask_for_pages(visit: Reading, document: Number) -> dict[str, Any]:
    """A worker makes them; `GET` tells when they are there."""
    exhibit = one(visit, document)
    if not can_have_pages(visit, exhibit):
        raise NotFound("no page images are made of this document")
    imports = Imports(visit.home.home, visit.home.settings)
    return {"asked": imports.render(visit.case.name, exhibit.control_number, Goal.PAGES)}


@router.get("/documents/{document}/pdf", response_class=Response, responses=described(rendering.PDF_TYPE))
def pdf(visit: Reading, request: Request, document: Number, what: Literal["pdf", "flattened"] = "pdf") -> Response:
    """Its PDF where it was made, or it is one itself, or that with notes, forms and signatures merged into the pages.
    A browser stores it and never shows it."""
    exhibit = one(visit, document)
    found = rendering.place_of(visit.case.reader.rows, exhibit, what)
    if found is None:
        raise NotFound("no PDF of it was made yet: ask for its pages, which need one")
    entry = Entry(who=visit.who.name, action=Action.DOWNLOADED, exhibit=document, detail={"what": what})
    visit.home.note(visit.case.number, entry)
    return streamed(visit, request, found, f"{exhibit.control_number}.pdf", rendering.PDF_TYPE)


@router.get("/documents/{document}/pages/{page}/image", response_class=Response, responses={200: _IMAGE})
def page_image(visit: Reading, document: Number, page: Number) -> Response:
    found = visit.case.reader.view.image(document, page)
    if found is None or found.media_type not in IMAGES:
        raise NotFound("there is no image of this page")
    visit.home.viewed(visit.case.number, visit.who.name, document)
    return Response(found.data, media_type=found.media_type)


@router.get("/documents/{document}/pages/{page}/words")
def page_words(visit: Reading, document: Number, page: Number) -> Response:
    """Where the words stand, as fractions of the page."""
    found = visit.case.reader.view.words(document, page)
    if found is None:
        raise NotFound("nothing is known of the words on this page")
    return Response(encode(found), media_type="application/json")
