"""PDFs and pages of documents: what there is, and asking for what is made only when somebody wants it."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from redwell.core.case.pages import pages_of
from redwell.core.case.rows import Exhibit
from redwell.core.case.slip_sheet import has_slip_sheet
from redwell.core.errors import NotFound
from redwell.core.outcomes import Outcome
from redwell.core.page_words import encode
from redwell.core.review.values import Action, Entry
from redwell.core.work.renderers import Goal
from redwell.entrypoints.cli.listing import with_renditions
from redwell.entrypoints.http import shapes
from redwell.entrypoints.http.case_routes import Limit
from redwell.entrypoints.http.documents_shown import one
from redwell.entrypoints.http.streamed import described, streamed
from redwell.entrypoints.http.visits import LARGEST_ID, Number, Reading, Visit
from redwell.review.marking import marked_query, page_boxes, term_sets
from redwell.runtime.serving.imports import Imports
from redwell.runtime.upkeep import rendering

router = APIRouter(tags=["documents"])
_Query = Annotated[shapes.Plain, Query(max_length=10_000, description="docs/search.md has the language")]
IMAGES = {"image/png", "image/jpeg", "image/webp"}
_IMAGE: dict[str, Any] = {"description": "the page", "content": {kind: {} for kind in sorted(IMAGES)}}
_READABLE = frozenset({Outcome.SUCCESS, Outcome.PARTIAL})


def can_have_pages(visit: Visit, exhibit: Exhibit) -> bool:
    """Whether asking for them could bring some."""
    return visit.home.settings.pages != "none" and has_slip_sheet(exhibit) and exhibit.outcome in _READABLE


@router.get("/documents/{document}/pages")
def pages(
    visit: Reading, document: Number, after: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0, limit: Limit = 100
) -> dict[str, Any]:
    """How many page images there are, whether work on them is open, and of each page behind `after` what was made."""
    exhibit = one(visit, document)
    known = pages_of(exhibit.pages, visit.case.reader.rows.artifacts(document))
    [(_, _, states)] = with_renditions(visit.case.reader.rows, [(exhibit, None)])
    is_open = "pending" in (states["pdf"], states["pages"])
    return {
        "pages": visit.case.view.pages(document),
        "state": "pending" if is_open else states["pages"],
        "asked": known.asked,
        "rows": [row._asdict() for row in known.rows[after : after + limit]],
        "next": after + limit if after + limit < len(known.rows) else None,
    }


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
def page_image(visit: Reading, document: Number, page: Number, ahead: bool = False) -> Response:
    """Where none was made yet, and the document has a PDF, it is drawn now. `ahead`: before it is opened, and so not
    read yet."""
    found = visit.case.view.image(document, page)
    if found is None or found.media_type not in IMAGES:
        raise NotFound("there is no image of this page")
    if not ahead:
        visit.home.viewed(visit.case.number, visit.who.name, document)
    return Response(found.data, media_type=found.media_type)


@router.get("/documents/{document}/pages/{page}/words")
def page_words(visit: Reading, document: Number, page: Number) -> Response:
    """Where the words stand, as fractions of the page."""
    found = visit.case.view.words(document, page)
    if found is None:
        raise NotFound("nothing is known of the words on this page")
    return Response(encode(found), media_type="application/json")


@router.get("/documents/{document}/pages/{page}/marks")
def page_marks(visit: Reading, document: Number, page: Number, q: _Query = "") -> dict[str, Any]:
    """Where hits of a query and of the case's sets of terms stand on a page, as fractions of it, each in its colour."""
    one(visit, document)
    words, reader = visit.case.view.words(document, page), visit.case.reader
    if words is None:
        return {"width": None, "height": None, "marks": []}
    found = page_boxes(words, marked_query(q, reader), term_sets(reader, visit.case.review), reader.stems)
    marks = [
        {
            "left": box.word.left,
            "top": box.word.top,
            "right": box.word.right,
            "bottom": box.word.bottom,
            "colour": box.colour,
            "nth": box.nth,
        }
        for box in found
    ]
    return {"width": words.width, "height": words.height, "marks": marks}
