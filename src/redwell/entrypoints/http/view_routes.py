"""Files of documents and ingestions by their paths (core.understanding.file_views), over the store.

Below /api/v1/cases/{case}.
"""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request, Response

from redwell.core.case.rows import Exhibit
from redwell.core.errors import NotFound
from redwell.core.review.values import Action, Entry
from redwell.core.understanding.file_views import ending_of
from redwell.entrypoints.http.documents_shown import one
from redwell.entrypoints.http.streamed import OCTETS, described, streamed
from redwell.entrypoints.http.visits import LARGEST_ID, Number, Reading, Visit
from redwell.load.texts import one_text
from redwell.ports.understanding import Ingestion
from redwell.runtime.upkeep.rendering import made, native_place

router = APIRouter(tags=["data"])
_TEXT: dict[int | str, dict[str, Any]] = {
    200: {"description": "the text", "content": {"text/plain": {"schema": {"type": "string"}}}}
}
_PICTURE: dict[int | str, dict[str, Any]] = {200: {"description": "the picture", "content": {"image/png": {}}}}
OfPage = Annotated[int, Query(ge=1, le=LARGEST_ID)]
Ending = Annotated[str, Path(pattern="^[a-z0-9]{1,10}$")]


def _exhibit(visit: Visit, found: Ingestion | None) -> Exhibit:
    if found is None:
        raise NotFound("there is no such file")
    return one(visit, found.exhibit)


@router.get("/views/documents/{document}.{ending}", response_class=Response, responses=described(OCTETS))
def document_file(visit: Reading, request: Request, document: Number, ending: Ending) -> Response:
    """The bytes that came in, of a document that was asked about."""
    exhibit = _exhibit(visit, visit.case.understanding.of_document(document))
    if exhibit.sha256 is None or ending_of(exhibit.name) != ending:
        raise NotFound("there is no such file")
    entry = Entry(who=visit.who.name, action=Action.DOWNLOADED, exhibit=exhibit.id, detail={"what": "native"})
    visit.home.note(visit.case.number, entry)
    return streamed(visit, request, native_place(visit.case.reader.rows, exhibit), exhibit.name, OCTETS)


@router.get("/views/ingestions/{ingestion}/transcription-output.txt", response_class=Response, responses=_TEXT)
def transcription_file(visit: Reading, ingestion: UUID) -> Response:
    """The text that was understood: read from the document, or recognised on its pages."""
    exhibit = _exhibit(visit, visit.case.understanding.by_uid(ingestion.bytes))
    text = one_text(exhibit, visit.case.reader.rows, visit.case.reader.blobs)
    return Response(text, media_type="text/plain; charset=utf-8")


@router.get("/views/ingestions/{ingestion}/transcription-output-other.txt", response_class=Response, responses=_TEXT)
def other_transcription_file(visit: Reading, ingestion: UUID, page: OfPage = 1) -> Response:
    """What another try read on a page, which was not kept."""
    return Response(_tried(visit, ingestion, "other", page), media_type="text/plain; charset=utf-8")


@router.get("/views/ingestions/{ingestion}/preprocessed.png", response_class=Response, responses=_PICTURE)
def preprocessed_file(visit: Reading, ingestion: UUID, page: OfPage = 1) -> Response:
    """The picture that a page which read badly was made into before it was read again."""
    return Response(_tried(visit, ingestion, "cleaned", page), media_type="image/png")


def _tried(visit: Visit, ingestion: UUID, what: str, page: int) -> bytes:
    exhibit = _exhibit(visit, visit.case.understanding.by_uid(ingestion.bytes))
    found = made(visit.case.reader.rows, visit.case.reader.blobs, exhibit, what, page)
    if found is None:
        raise NotFound("there is no such file")
    return found.data
