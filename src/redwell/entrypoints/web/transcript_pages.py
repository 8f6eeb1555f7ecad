"""A transcript to read: page and line beside the words, citations to copy, and what was marked as an exhibit."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from redwell.core.errors import NotFound
from redwell.core.transcripts.reading_view import shown_lines
from redwell.entrypoints.http.documents_shown import one, title
from redwell.entrypoints.http.visits import Number, Reading
from redwell.entrypoints.web.rendering import page
from redwell.runtime.transcripts.citing import MOST, laid_out, places_of
from redwell.runtime.transcripts.marked import marked_in

router = APIRouter(prefix="/cases/{case}")


@router.get("/documents/{document}/transcript")
def transcript(
    request: Request, visit: Reading, document: Number, q: Annotated[str, Query(max_length=2_000)] = ""
) -> Response:
    """`q` is a search, whose hits are marked and cited."""
    reader, exhibit = visit.case.reader, one(visit, document)
    found = laid_out(reader.rows, reader.blobs, exhibit)
    if found is None:
        raise NotFound("this document has no lines with numbers by page")
    text, layout = found
    query = reader.understood(q) if q.strip() else None
    spans = places_of(query, reader.stems, text) if query else []
    visit.home.viewed(visit.case.number, visit.who.name, document)
    return page(
        request,
        "transcript.html",
        visit.who,
        visit=visit,
        exhibit=exhibit,
        title=title(exhibit),
        lines=list(shown_lines(text, layout, spans)),
        query=q,
        cited=list(dict.fromkeys(filter(None, (layout.cite(*span) for span in spans))))[:MOST],
        most=MOST,
        marked=marked_in(reader, exhibit),
    )
