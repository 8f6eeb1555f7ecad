"""Volumes that go out and come in: below /api/v1/cases/{case}. A production is written by a process of its own."""

from dataclasses import asdict
from typing import Annotated, Any, Literal
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from redwell.core.errors import Conflict, UserError
from redwell.core.production.conflicts import blocking
from redwell.core.production.volume_options import options_of
from redwell.core.review.values import Action, Entry
from redwell.core.work.renderers import Goal
from redwell.entrypoints.http.shapes import Line, Plain
from redwell.entrypoints.http.visits import Exporting, Importing, Reading, Visit
from redwell.runtime.producing import creating
from redwell.runtime.serving.imports import Imports

router = APIRouter(tags=["productions"])
Name = Annotated[str, Query(max_length=80)]
_MOST_ASKED = 200


class VolumeAsked(BaseModel):
    """`options` change what the preset says; `accept` are codes or control numbers of what stands against it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: Line
    preset: Literal["relativity", "nuix", "concordance", "doj", "nextpoint"] = "relativity"
    volume: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")] = "VOL001"
    options: dict[Annotated[str, Field(max_length=40)], Annotated[Plain, Field(max_length=100)]] = Field(
        default={}, max_length=40
    )
    accept: list[Line] = Field(default=[], max_length=100)
    confirm_elsewhere: bool = False


@router.get("/productions/volume")
def volume(visit: Reading, name: Name) -> dict[str, Any]:
    """How far the writing of it is: none, writing, stopped with a reason, written."""
    return asdict(visit.home.volumes_out.state(visit.case.number, visit.case.productions.find(name)))


@router.post("/productions/volume", status_code=202)
def write(visit: Exporting, asked: VolumeAsked) -> dict[str, Any]:
    """Begins to write it, or goes on. 409 where it is being written, is written, or pages are made first."""
    begin(visit, asked)
    return volume(visit, asked.name)


@router.get("/productions/volume/archive", response_class=StreamingResponse)
def archive(visit: Exporting, name: Name) -> StreamingResponse:
    """The written volume as a ZIP."""
    made = visit.case.productions.find(name)
    pieces = visit.home.volumes_out.archive(visit.case.number, made)
    visit.case.review.record(
        [Entry(who=visit.who.name, action=Action.DOWNLOADED, detail={"production": made.name, "volume": True})]
    )
    shown = f"attachment; filename*=UTF-8''{quote(made.name, safe='')}.zip"
    return StreamingResponse(pieces, media_type="application/zip", headers={"Content-Disposition": shown})


@router.get("/volumes", tags=["imports"])
def look(visit: Importing, source: Annotated[Plain, Query(max_length=4_000)]) -> dict[str, Any]:
    """What is wrong with a volume that the server sees, and which column is which field."""
    told: dict[str, Any] = msgspec.to_builtins(Imports(visit.home.home, visit.home.settings).look_at_volume(source))
    return told


def begin(visit: Visit, asked: VolumeAsked) -> None:
    store, reader = visit.case.productions, visit.case.reader
    made = store.find(asked.name)
    options_of(asked.preset, asked.volume, asked.options)  # what can't be is told at once
    members, found = creating.standing_of(made, reader.rows, store, visit.case.review)
    if bad := blocking(found, asked.accept):
        raise UserError(f"{len(bad):,} findings stand against letting it go: mend them, or accept them")
    redacted = store.redactions([member.exhibit for member in members])
    controls = [member.control for member in members if member.exhibit in redacted]
    imports = Imports(visit.home.home, visit.home.settings)
    if controls and imports.render_all(visit.case.name, controls[:_MOST_ASKED], Goal.PAGES):
        raise Conflict("pages of redacted documents are being made, to know the words on them: try again in a moment")
    order = asked.model_dump(exclude={"name", "options"})
    told = {"case": visit.case.name, "production": made.name, "who": visit.who.name, "given": dict(asked.options)}
    visit.home.volumes_out.begin(visit.case.number, made, {**order, **told})
