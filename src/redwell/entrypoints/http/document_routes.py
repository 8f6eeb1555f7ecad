"""Of documents: rows, text, natives, pages, families, notes. Below /api/v1/cases/{case}."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse

from redwell.core.case.rows import Exhibit, Wanted
from redwell.core.errors import NotFound
from redwell.core.outcomes import Outcome
from redwell.core.review.values import Action, Entry
from redwell.entrypoints.cli.listing import for_json
from redwell.entrypoints.http import shapes
from redwell.entrypoints.http.case_routes import Limit
from redwell.entrypoints.http.documents_shown import one, tag_names, title
from redwell.entrypoints.http.streamed import OBJECT, OCTETS, answered, described, streamed
from redwell.entrypoints.http.visits import LARGEST_ID, Deciding, Number, Reading, Visit
from redwell.load.texts import one_text
from redwell.review.relatives import near_to, thread_of
from redwell.runtime.loadfiles.given import native_hash
from redwell.runtime.upkeep.rendering import native_place

router = APIRouter(tags=["documents"])


@router.get("/documents", responses=OBJECT)
def documents(
    visit: Reading,
    after: Annotated[str | None, Query(max_length=200)] = None,
    limit: Limit = 100,
    outcome: Outcome | None = None,
    batch: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None,
) -> Response:
    """Every exhibit, by control number."""
    page = visit.case.reader.rows.page(after, limit, Wanted(batch=batch, outcome=outcome))
    return answered({"documents": [for_json(exhibit) for exhibit in page.exhibits], "next": page.after})


@router.get("/documents/{document}", responses=OBJECT)
def document(visit: Reading, document: Number) -> Response:
    return answered(shown(visit, one(visit, document)))


def shown(visit: Visit, exhibit: Exhibit) -> dict[str, Any]:
    names = {tag.id: tag.name for tag in visit.case.review.tags()}
    return {
        **for_json(exhibit),
        "title": title(exhibit),
        "tags": tag_names(visit.case.review.taggings([exhibit.id]), names),
        "version": visit.case.review.version(exhibit.id),
        "page_images": visit.case.view.pages(exhibit.id),
        "notes": [asdict(note) for note in visit.case.review.notes(exhibit.id)],
        "replaced_by": [asdict(each) for each in visit.case.review.replacements([exhibit.id])],
        "replaces": replaces(visit, exhibit),
    }


def replaces(visit: Visit, exhibit: Exhibit) -> list[int]:
    """Damaged files that it came for, as the file of its import."""
    return [each.exhibit for each in visit.case.review.replacements(batch=exhibit.batch)] if not exhibit.depth else []


@router.get("/documents/{document}/family")
def family(visit: Reading, document: Number) -> dict[str, Any]:
    one(visit, document)
    return {"documents": [for_json(exhibit) for exhibit in visit.case.reader.rows.family(document)]}


@router.get("/documents/{document}/copies")
def copies(visit: Reading, document: Number) -> dict[str, Any]:
    """Other places of the same content."""
    one(visit, document)
    return {"documents": [for_json(exhibit) for exhibit in visit.case.reader.rows.copies(document)]}


@router.get("/documents/{document}/thread")
def thread(visit: Reading, document: Number) -> dict[str, Any]:
    """Of a mail: all mails of its thread as they were written; `inclusive` are those that have to be read."""
    found = thread_of(one(visit, document), visit.case.reader.rows)
    return {"documents": [for_json(exhibit) for exhibit in found]}


@router.get("/documents/{document}/near")
def near(visit: Reading, document: Number) -> dict[str, Any]:
    """Documents whose texts are nearly the same, where `redwell near` has looked for them."""
    return {"documents": [for_json(exhibit) for exhibit in near_to(one(visit, document), visit.case.reader.rows)]}


@router.get("/documents/{document}/text", response_class=PlainTextResponse)
def text(visit: Reading, document: Number) -> Response:
    """The very text that is indexed."""
    exhibit = one(visit, document)
    visit.home.viewed(visit.case.number, visit.who.name, document)
    told = one_text(exhibit, visit.case.reader.rows, visit.case.reader.blobs)
    return Response(told, media_type="text/plain; charset=utf-8")


@router.get("/documents/{document}/native", response_class=Response, responses=described(OCTETS))
def native(visit: Reading, request: Request, document: Number) -> Response:
    """The bytes as they came in, or a part of them. A browser stores them and never shows them."""
    exhibit = one(visit, document)
    sha256 = native_hash(visit.case.reader.rows, exhibit)
    if sha256 is None or not visit.case.reader.rows.known_blobs([sha256]):
        raise NotFound("no bytes are kept of this document")
    visit.home.note(
        visit.case.number,
        Entry(who=visit.who.name, action=Action.DOWNLOADED, exhibit=document, detail={"what": "native"}),
    )
    return streamed(visit, request, native_place(visit.case.reader.rows, exhibit), exhibit.name, OCTETS)


@router.get("/documents/{document}/history")
def history(visit: Reading, document: Number, limit: Limit = 100) -> dict[str, Any]:
    one(visit, document)
    visit.home.flush()
    return {"entries": [asdict(entry) for entry in visit.case.review.history(document, limit)]}


@router.post("/documents/{document}/notes", status_code=201)
def add_note(visit: Deciding, document: Number, asked: shapes.NoteWritten) -> dict[str, Any]:
    one(visit, document)
    return asdict(visit.case.review.add_note(document, asked.text, visit.who.name))
