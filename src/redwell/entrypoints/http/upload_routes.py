"""Uploads by the tus protocol (1.0): files arrive in pieces, go on after an interruption, and become one import.

Below /api/v1/cases/{case}. `POST /uploads` begins one; its `files` is where a tus client sends them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from redwell.core.errors import Recoverable, RedwellError
from redwell.core.review.values import Action, Entry
from redwell.core.uploads import arrivals
from redwell.core.uploads.arrivals import EXTENSIONS, OFFSET_TYPE, TUS_VERSION, Arriving
from redwell.entrypoints.http import problems, shapes
from redwell.entrypoints.http.documents_shown import one
from redwell.entrypoints.http.visits import Importing, Number, Visit
from redwell.ports.uploads import Arrival
from redwell.runtime.serving.imports import Imports, NewImport
from redwell.runtime.serving.uploads import import_upload

Key = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]
_TOLD = {"Tus-Resumable": TUS_VERSION}
_PROBLEM = {"description": "what is wrong", "content": {problems.MEDIA_TYPE: {"schema": {"type": "object"}}}}
_REFUSALS: dict[int | str, dict[str, Any]] = dict.fromkeys((412, 415, 423, 460), _PROBLEM)
GATHERED = 1 << 20  # bytes between two visits to the disk
SILENT_S = 30.0
router = APIRouter(tags=["uploads"], responses=_REFUSALS)


class BrokenOff(Recoverable):
    """The sender has gone, or the server goes. Nobody may be there to read it."""


def speaks(request: Request) -> None:
    if request.headers.get("Tus-Resumable") != TUS_VERSION:
        raise problems.WrongProtocol(f"send the header Tus-Resumable: {TUS_VERSION}")


Speaks = Depends(speaks)


@router.post("/uploads", status_code=201)
def begin(visit: Importing) -> dict[str, Any]:
    visit.home.sweep_uploads()
    made = visit.home.uploads.begin(visit.case.number, visit.who.name)
    return {"upload": made.id, "files": f"/api/v1/cases/{visit.case.number}/uploads/{made.id}/files"}


@router.get("/uploads")
def uploads(visit: Importing) -> dict[str, Any]:
    """Your own that are not an import yet."""
    return {"uploads": own_uploads(visit)}


def own_uploads(visit: Visit) -> list[dict[str, Any]]:
    found = []
    for each in visit.home.uploads.all():
        if each.case == visit.case.number and each.who == visit.who.name and each.batch is None:
            files = visit.home.uploads.files(each.case, each.id)
            found.append({"upload": each.id, "at_ms": each.at_ms, **_sums(files)})
    return found


def _sums(files: Any) -> dict[str, int]:
    counts = {"files": len(files), "whole": sum(each.is_whole for each in files)}
    return {**counts, "bytes": sum(each.length for each in files), "arrived": sum(each.offset for each in files)}


@router.get("/uploads/{upload}")
def upload_state(visit: Importing, upload: Key) -> dict[str, Any]:
    """Every file of it, and how far it is."""
    made = visit.home.uploads.one(visit.case.number, upload)
    files = visit.home.uploads.files(visit.case.number, upload)
    return {"upload": upload, "batch": made.batch, "files": [{**asdict(f), "whole": f.is_whole} for f in files]}


@router.delete("/uploads/{upload}", status_code=204)
def drop_upload(visit: Importing, upload: Key) -> None:
    """What has arrived is taken away. One that is an import already goes when the import has read it."""
    if visit.home.uploads.one(visit.case.number, upload).batch is None:
        visit.home.uploads.drop(visit.case.number, upload)


@router.options("/uploads/{upload}/files", status_code=204)
def abilities(visit: Importing, upload: Key) -> Response:
    most = visit.home.settings.upload_mb << 20
    told = {"Tus-Version": TUS_VERSION, "Tus-Extension": EXTENSIONS, "Tus-Max-Size": str(most)}
    return Response(status_code=204, headers={**_TOLD, **told, "Tus-Checksum-Algorithm": "sha256,sha1,md5"})


@router.post("/uploads/{upload}/files", status_code=201, dependencies=[Speaks])
async def create(request: Request, visit: Importing, upload: Key) -> Response:
    """A file, by `Upload-Length` and `Upload-Metadata` (`filename` or `relativePath`, `modified`, `sha256`); its first
    bytes may come along. Asked again with the same `key`, it is the same file."""
    given = request.headers
    new = arrivals.new_file(given.get("Upload-Length", ""), given.get("Upload-Metadata", ""))
    made = await run_in_threadpool(visit.home.uploads.add, visit.case.number, upload, new)
    if given.get("Content-Type") == OFFSET_TYPE and not made.offset and not made.is_whole:
        made = await _arrived(request, visit, upload, made.id, 0)
    place = f"/api/v1/cases/{visit.case.number}/uploads/{upload}/files/{made.id}"
    return Response(status_code=201, headers={**_TOLD, "Location": place, "Upload-Offset": str(made.offset)})


@router.head("/uploads/{upload}/files/{file}", dependencies=[Speaks], status_code=200)
def how_far(visit: Importing, upload: Key, file: Key) -> Response:
    there = visit.home.uploads.file(visit.case.number, upload, file)
    told = {"Upload-Offset": str(there.offset), "Upload-Length": str(there.length), "Cache-Control": "no-store"}
    return Response(headers={**_TOLD, **told})


@router.patch("/uploads/{upload}/files/{file}", status_code=204, dependencies=[Speaks])
async def go_on(request: Request, visit: Importing, upload: Key, file: Key) -> Response:
    """Bytes from `Upload-Offset` on. Those before an interruption are kept, unless a checksum was to vouch for them."""
    if request.headers.get("Content-Type") != OFFSET_TYPE:
        raise problems.NoSuchType(f"the bytes of a file are sent as {OFFSET_TYPE}")
    made = await _arrived(request, visit, upload, file, arrivals.offset(request.headers.get("Upload-Offset", "")))
    return Response(status_code=204, headers={**_TOLD, "Upload-Offset": str(made.offset)})


@router.delete("/uploads/{upload}/files/{file}", status_code=204, dependencies=[Speaks])
def drop(visit: Importing, upload: Key, file: Key) -> Response:
    visit.home.uploads.drop_file(visit.case.number, upload, file)
    return Response(status_code=204, headers=_TOLD)


async def _arrived(request: Request, visit: Visit, upload: str, file: str, offset: int) -> Arriving:
    checksum = arrivals.checksum(request.headers.get("Upload-Checksum", ""))
    place = (visit.case.number, upload, file)
    arrival = await run_in_threadpool(visit.home.uploads.arrive, *place, offset, checksum)
    try:
        await _pass_on(request, arrival)
    except (ClientDisconnect, asyncio.CancelledError):  # cancelled where the server ends; the file goes on afterwards
        arrival.break_off()
        raise BrokenOff("the line broke: ask where to go on") from None
    except (OSError, RedwellError):
        await run_in_threadpool(arrival.break_off)
        raise
    return await run_in_threadpool(arrival.finish)


async def _pass_on(request: Request, arrival: Arrival) -> None:
    gathered, pieces = bytearray(), request.stream()
    while (piece := await _next(pieces)) is not None:
        gathered += piece
        if len(gathered) >= GATHERED:
            await run_in_threadpool(arrival.write, bytes(gathered))
            gathered.clear()
    if gathered:
        await run_in_threadpool(arrival.write, bytes(gathered))


async def _next(pieces: AsyncIterator[bytes]) -> bytes | None:
    """A line that has died in silence holds a file no longer than this: its sender comes back on another."""
    try:
        async with asyncio.timeout(SILENT_S):
            return await anext(pieces, None)
    except TimeoutError:
        raise ClientDisconnect from None


@router.post("/uploads/{upload}/import", status_code=201)
def import_it(visit: Importing, upload: Key, asked: shapes.UploadImportAsked) -> dict[str, Any]:
    """One import of all its files; a worker reads them. Asked again, it is the same one."""
    return {"batch": begin_upload(visit, upload, NewImport(**asked.model_dump()))}


def begin_upload(visit: Visit, upload: str, new: NewImport) -> int:
    uploads, imports = visit.home.uploads, Imports(visit.home.home, visit.home.settings)
    made = uploads.one(visit.case.number, upload)
    batch = import_upload(uploads, made, imports, visit.case.name, new)
    if made.batch is None:
        visit.case.understanding.note_uploader(batch, visit.who.name)
        files = uploads.files(visit.case.number, upload)
        detail = {"batch": batch, "upload": upload, "files": len(files), "bytes": sum(each.length for each in files)}
        visit.case.review.record([Entry(who=visit.who.name, action=Action.IMPORTED, detail=detail)])
    return batch


@router.post("/documents/{document}/replacement", status_code=201)
def replace_file(visit: Importing, document: Number, asked: shapes.ReplacementAsked) -> dict[str, Any]:
    """A whole file in place of one that is damaged: an import of its own, with the custodian of the other. Both stay,
    and each names the other."""
    exhibit = one(visit, document)
    new = NewImport(custodian=exhibit.custodian, passwords=asked.passwords)
    batch = begin_upload(visit, asked.upload, new)
    return asdict(visit.case.review.replace_file(document, batch, visit.who.name))
