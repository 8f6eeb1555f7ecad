"""Of documents as data: schemas, what needs a person, and decisions. Below /api/v1/cases/{case}."""

import time
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import NotFound
from redwell.core.ids import uuid_text
from redwell.core.understanding.file_views import (
    OTHER_TRANSCRIPTION,
    PREPROCESSED,
    document_file,
    file_of_page,
    transcription_file,
)
from redwell.core.understanding.proposals import Proposal
from redwell.core.understanding.schemas import read_schema
from redwell.core.understanding.values import Format
from redwell.entrypoints.http.documents_shown import one
from redwell.entrypoints.http.shapes import Line, Plain
from redwell.entrypoints.http.visits import LARGEST_ID, Deciding, Number, Reading, Visit
from redwell.ports.understanding import Decision, Ingestion

router = APIRouter(tags=["data"])
_TRIED: dict[str, tuple[str, str]] = {
    ArtifactKind.OCR_CLEANED: ("preprocessed", PREPROCESSED),
    ArtifactKind.OCR_OTHER: ("other_transcriptions", OTHER_TRANSCRIPTION),
}
LEASE_S = 900  # that a document stays with whoever has it open


class FieldDecided(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    path: Line
    decision: Literal["accepted", "corrected", "rejected"]
    value: Annotated[Plain, Field(max_length=10_000)] = ""


class DecisionsMade(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    decisions: Annotated[list[FieldDecided], Field(min_length=1, max_length=1_000)]


@router.get("/schemas")
def schemas(visit: Reading) -> dict[str, Any]:
    kept = visit.case.understanding.schemas()
    return {"schemas": [{"name": each.name, "version": each.version, "added_ms": each.at_ms} for each in kept]}


@router.get("/data")
def standing(visit: Reading) -> dict[str, Any]:
    """Documents by state, and the model that the case uses."""
    store = visit.case.understanding
    model, spent = store.model(), store.spent()
    used = {"name": model.told, "is_remote": model.is_remote, "tokens": spent.tokens, "cost": spent.cost}
    return {"documents": store.counts(), "model": used}


@router.post("/data/next")
def next_doubt(visit: Deciding, after: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0) -> dict[str, Any]:
    """The most doubtful document that nobody else has open; it is yours for a quarter of an hour."""
    found = taken(visit, after)
    return {"ingestion": ingestion_shown(visit, found) if found else None}


def taken(visit: Visit, after: int = 0) -> Ingestion | None:
    if after:
        visit.case.understanding.release(after, visit.who.name)
    return visit.case.understanding.next_doubt(visit.who.name, now_ms(), LEASE_S, after)


@router.get("/documents/{document}/data")
def document_data(visit: Reading, document: Number) -> dict[str, Any]:
    """What is known of it, with the evidence of each value, and every ingestion that there was."""
    one(visit, document)
    store = visit.case.understanding
    every = store.ingestions(document)
    return {"state": store.state(document), "ingestions": [ingestion_shown(visit, each) for each in every[-20:]]}


@router.post("/data/{ingestion}/decisions")
def decide(visit: Deciding, ingestion: Number, asked: DecisionsMade) -> dict[str, Any]:
    """The document's data follow at once."""
    decisions = [
        Decision(path=each.path, kind=each.decision, who=visit.who.name, after=each.value) for each in asked.decisions
    ]
    return ingestion_shown(visit, visit.case.understanding.decide(ingestion, decisions, now_ms()))


@router.get("/data/{ingestion}")
def one_ingestion(visit: Reading, ingestion: Number) -> dict[str, Any]:
    found = visit.case.understanding.ingestion(ingestion)
    if found is None:
        raise NotFound("there is no such ingestion")
    exhibit = one(visit, found.exhibit)
    files: dict[str, str | list[str]] = {"transcription": transcription_file(found.uid)}
    if exhibit.sha256:
        files["document"] = document_file(found.document, exhibit.name)
    return {**ingestion_shown(visit, found), "files": files | _tried(visit, found)}


def _tried(visit: Visit, found: Ingestion) -> dict[str, list[str]]:
    """Of the pages that were cleaned and read again: the pictures, and the readings that were not kept."""
    made = sorted((each.kind, each.number) for each in visit.case.reader.rows.artifacts(found.exhibit))
    paths: dict[str, list[str]] = {}
    for kind, page in made:
        if kind in _TRIED:
            name, file = _TRIED[kind]
            paths.setdefault(name, []).append(file_of_page(found.uid, file, page))
    return paths


def ingestion_shown(visit: Visit, each: Ingestion) -> dict[str, Any]:
    return {
        "ingestion": each.id,
        "uid": uuid_text(each.uid),
        "document": each.exhibit,
        "status": each.status,
        "attempt": each.attempt,
        "flagged": each.is_flagged,
        "model": each.model,
        "detail": each.detail,
        "data": each.structured_data,
        "source": each.source,
        "uploader": each.uploader,
        "fields": _fields_shown(visit, each),
    }


def _fields_shown(visit: Visit, each: Ingestion) -> list[dict[str, Any]]:
    """What was proposed, then the fields about which nothing was found: a person may know."""
    store = visit.case.understanding
    decided = {said.path: said for said in store.decisions(each.id)}
    proposed = store.proposals(each.id)
    known = {proposal.path for proposal in proposed}
    kept = next((schema for schema in store.schemas(every=True) if schema.id == each.schema), None)
    schema = read_schema(kept.body, kept.name) if kept else None
    single = [field.name for field in schema.fields if field.format is not Format.LINES] if schema else []
    fields = []
    for proposal in [*proposed, *(Proposal(path=name, value="") for name in single if name not in known)]:
        said = decided.get(proposal.path)
        told = msgspec.to_builtins(proposal)
        told["now"] = said.after if said else proposal.value
        told["decided"] = msgspec.to_builtins(said) if said else None
        fields.append(told)
    return fields


def now_ms() -> int:
    return time.time_ns() // 1_000_000
