"""Redactions by terms over the documents of a query: below /api/v1/cases/{case}. Seen first, drawn as one change.

Patterns are for the command line: one that never ends would hold up everybody else's pages here.
"""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from redwell.core.errors import Conflict, UserError
from redwell.core.work.renderers import Goal
from redwell.entrypoints.http.shapes import Line, Plain
from redwell.entrypoints.http.visits import Deciding, Visit
from redwell.runtime.producing.bulk_redaction import LookedThrough, looked_through, note_of, sought_of
from redwell.runtime.producing.case_materials import CaseMaterials
from redwell.runtime.producing.chosen import exhibits_of, some_hits
from redwell.runtime.serving.imports import Imports

router = APIRouter(tags=["productions"])
MOST_SHOWN = 200
_MOST_DOCUMENTS = 5_000
_MOST_ASKED = 200  # whose pages are asked for at once


class BulkAsked(BaseModel):
    """`seen`: how many boxes the answer before said. Without it nothing is drawn."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    query: Annotated[Plain, Field(max_length=10_000)] = ""
    terms: Annotated[list[Line], Field(min_length=1, max_length=200)]
    reason: Annotated[Line, Field(max_length=80)] | None = None
    seen: Annotated[int, Field(ge=1, le=10**9)] | None = None


@router.post("/redactions/bulk")
def bulk(visit: Deciding, asked: BulkAsked) -> dict[str, Any]:
    """409 where pages are made first, or where something else is found than was seen."""
    found = looked_for(visit, asked)
    places = [each._asdict() for each in found.places[:MOST_SHOWN]]
    told = {"boxes": found.boxes, "documents": found.documents, "not_looked_through": found.unread, "places": places}
    return {**told, "change": drawn(visit, asked, found) if asked.seen else None}


def looked_for(visit: Visit, asked: BulkAsked) -> LookedThrough:
    reader = visit.case.reader
    keys = some_hits(reader, asked.query)
    if len(keys) > _MOST_DOCUMENTS:
        raise UserError(f"{len(keys):,} documents are too many for a page: narrow the query, or use the command line")
    exhibits = list(exhibits_of(reader.rows, keys))
    materials = CaseMaterials(reader.rows, reader.blobs)
    found = looked_through(exhibits, materials, sought_of(asked.terms, ()), asked.reason or "")
    imports = Imports(visit.home.home, visit.home.settings)
    if found.lacking and imports.render_all(visit.case.name, found.lacking[:_MOST_ASKED], Goal.PAGES):
        raise Conflict(
            f"pages of {found.unread:,} documents are being made, to know their words: try again in a moment"
        )
    return found


def drawn(visit: Visit, asked: BulkAsked, found: LookedThrough) -> int:
    """The change that it is."""
    if asked.seen != found.boxes:
        raise Conflict(f"{found.boxes:,} boxes are found now, and {asked.seen or 0:,} were seen: look again")
    return visit.case.productions.redact(found.redactions, visit.who.name, note_of(asked.query, asked.terms))
