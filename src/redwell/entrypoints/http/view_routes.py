"""Files of an ingestion by their paths (core.understanding.file_views), over the store. Below /api/v1/cases/{case}."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Request, Response

from redwell.core.case.rows import Exhibit
from redwell.core.errors import NotFound
from redwell.core.review.values import Action, Entry
from redwell.core.understanding.file_views import ending_of
from redwell.entrypoints.http.documents_shown import one
from redwell.entrypoints.http.streamed import OCTETS, described, streamed
from redwell.entrypoints.http.visits import Reading, Visit
from redwell.load.texts import one_text
from redwell.runtime.upkeep.rendering import native_place

router = APIRouter(tags=["data"])
_TEXT: dict[int | str, dict[str, Any]] = {
    200: {"description": "the text", "content": {"text/plain": {"schema": {"type": "string"}}}}
}
Ending = Annotated[str, Path(pattern="^[a-z0-9]{1,10}$")]


def _exhibit(visit: Visit, ingestion: UUID) -> Exhibit:
    found = visit.case.understanding.by_uid(ingestion.bytes)
    if found is None:
        raise NotFound("there is no such file")
    return one(visit, found.exhibit)


@router.get("/views/ingestions/{ingestion}/document.{ending}", response_class=Response, responses=described(OCTETS))
def document_file(visit: Reading, request: Request, ingestion: UUID, ending: Ending) -> Response:
    """The bytes that came in."""
    exhibit = _exhibit(visit, ingestion)
    if exhibit.sha256 is None or ending_of(exhibit.name) != ending:
        raise NotFound("there is no such file")
    entry = Entry(who=visit.who.name, action=Action.DOWNLOADED, exhibit=exhibit.id, detail={"what": "native"})
    visit.home.note(visit.case.number, entry)
    return streamed(visit, request, native_place(visit.case.reader.rows, exhibit), exhibit.name, OCTETS)


@router.get("/views/ingestions/{ingestion}/transcription-output.txt", response_class=Response, responses=_TEXT)
def transcription_file(visit: Reading, ingestion: UUID) -> Response:
    """The text that was understood: read from the document, or recognised on its pages."""
    text = one_text(_exhibit(visit, ingestion), visit.case.reader.rows, visit.case.reader.blobs)
    return Response(text, media_type="text/plain; charset=utf-8")
