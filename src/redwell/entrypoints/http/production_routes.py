"""Redactions of documents, and productions: below /api/v1/cases/{case}."""

from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from redwell.core.errors import Conflict
from redwell.core.production.redactions import Redaction
from redwell.core.production.values import Production, Terms
from redwell.core.work.renderers import Goal
from redwell.entrypoints.http.documents_shown import one
from redwell.entrypoints.http.shapes import Line, Plain
from redwell.entrypoints.http.visits import Deciding, Exporting, Number, Reading, Visit
from redwell.runtime.producing import creating
from redwell.runtime.producing.case_materials import CaseMaterials
from redwell.runtime.serving.imports import Imports

router = APIRouter(tags=["productions"])
_Side = Annotated[float, Field(ge=0, le=1)]
_Tags = Annotated[list[Line], Field(max_length=50)]
_MOST_ASKED = 200  # PDFs that are asked for at once


class BoxDrawn(BaseModel):
    """Sides as fractions of the page."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    page: Annotated[int, Field(ge=1, le=1_000_000)]
    left: _Side
    top: _Side
    right: _Side
    bottom: _Side
    reason: Annotated[Plain, Field(max_length=80)] = ""


class ProductionAsked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    query: Annotated[Plain, Field(max_length=10_000)] = ""
    name: Line
    prefix: Annotated[Plain, Field(min_length=1, max_length=30)]
    padding: Annotated[int, Field(ge=1, le=15)] = 6
    start: Annotated[int, Field(ge=0, le=10**15)] | None = None
    by: Literal["page", "document"] = "page"
    designation: Annotated[Plain, Field(max_length=80)] = ""
    natives: Literal["none", "spreadsheets", "all"] = "spreadsheets"
    withhold: _Tags = []
    forbid: _Tags = []
    families: Literal["whole", "hits"] = "whole"


@router.get("/documents/{document}/redactions")
def redactions(visit: Reading, document: Number) -> dict[str, Any]:
    """Those in force, by page."""
    one(visit, document)
    found = visit.case.productions.redactions([document]).get(document, [])
    return {"redactions": [msgspec.to_builtins(each) for each in found]}


@router.post("/documents/{document}/redactions")
def redact(visit: Deciding, document: Number, asked: BoxDrawn) -> dict[str, Any]:
    """One box, as one change."""
    one(visit, document)
    box = Redaction(exhibit=document, **asked.model_dump())
    change = visit.case.productions.redact([box], visit.who.name, "drawn")
    return {"change": change, **redactions(visit, document)}


@router.delete("/redactions/{redaction}")
def unredact(visit: Deciding, redaction: Number) -> dict[str, Any]:
    return {"change": visit.case.productions.remove([redaction], visit.who.name)}


@router.post("/redactions/changes/{change}/undo")
def undo(visit: Deciding, change: Number) -> dict[str, Any]:
    return {"boxes": visit.case.productions.undo(change, visit.who.name)}


@router.get("/productions")
def productions(visit: Reading) -> dict[str, Any]:
    return {"productions": [shown(each) for each in visit.case.productions.productions()]}


@router.post("/productions", status_code=201)
def create(visit: Exporting, asked: ProductionAsked) -> dict[str, Any]:
    """A frozen set. Where PDFs are lacking they are asked for, and the answer is 409 until they are there."""
    return shown(created(visit, asked))


@router.get("/productions/check")
def check(visit: Reading, name: Annotated[str, Query(max_length=80)]) -> dict[str, Any]:
    """What stands against letting it go."""
    found = visit.case.productions.find(name)
    _, told = creating.standing_of(found, visit.case.reader.rows, visit.case.productions, visit.case.review)
    return {
        "production": shown(found),
        "conflicts": [
            {"code": each.code, "document": each.control, "detail": each.detail, "blocks": each.rule.blocks}
            for each in told
        ],
    }


def shown(production: Production) -> dict[str, Any]:
    return {**msgspec.to_builtins(production), "range": production.range}


def created(visit: Visit, asked: ProductionAsked) -> Production:
    store, review, reader = visit.case.productions, visit.case.review, visit.case.reader
    start = store.next_number(asked.prefix) if asked.start is None else asked.start
    terms = Terms(**{**asked.model_dump(exclude={"query", "name"}), "start": start})
    wanted = creating.Wanted(name=asked.name, query=asked.query, who=visit.who.name, terms=terms)
    creating.checked_wish(wanted, review)
    chosen = creating.choose(reader, asked.query, asked.families)
    tags = creating.tags_of(review, [each.id for each in chosen.exhibits])
    materials = CaseMaterials(reader.rows, reader.blobs)
    lacking = creating.without_pages(chosen, terms, tags, materials, store)
    numbers = [each.control_number for each in lacking]
    if numbers and Imports(visit.home.home, visit.home.settings).render_all(
        visit.case.name, numbers[:_MOST_ASKED], Goal.PDF
    ):
        raise Conflict(f"{len(numbers):,} documents have no PDF yet; they are being made: try again in a moment")
    return creating.freeze(wanted, chosen, tags, materials, store)
