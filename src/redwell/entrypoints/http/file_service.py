"""The file service (SPEC E3): files by name, for a viewing engine and for signed links. Beside the API, at the root."""

import time
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from redwell.core.access.links import LONGEST_S, Link, is_good, signature
from redwell.core.access.rights import Principal, Right
from redwell.core.case.rows import Exhibit
from redwell.core.errors import NotFound
from redwell.core.review.values import Action, Entry
from redwell.core.viewing.file_ids import FileId
from redwell.entrypoints.http import shapes
from redwell.entrypoints.http.documents_shown import one
from redwell.entrypoints.http.streamed import OCTETS, described, streamed
from redwell.entrypoints.http.visits import LARGEST_ID, Exporting, Number, Visit, served, whoever
from redwell.review.access import no_such_case
from redwell.runtime.bootstrap.open_viewing import ENGINE
from redwell.runtime.serving.served_home import ServedHome
from redwell.runtime.upkeep import rendering

router = APIRouter(tags=["files"])
links = APIRouter(tags=["files"])
Ext = Literal["pdf", "generated", "native"]


THE_ENGINE = Principal(account=ENGINE, name="viewing engine", is_admin=False)  # by links that its uploader signed


@dataclass(frozen=True, slots=True)
class Asked:
    visit: Visit
    exhibit: Exhibit


def named(home: ServedHome, exhibit: Exhibit, case: int) -> FileId:
    assert exhibit.document is not None
    return FileId(case, exhibit.batch, exhibit.document.hex(), (exhibit.id,))


@links.post("/documents/{document}/link", status_code=201)
def make_link(visit: Exporting, document: Number, asked: shapes.LinkAsked) -> dict[str, Any]:
    """To one file, for whoever has it, for 7 days at most. It is worth no more than your rights are when it is used."""
    exhibit = one(visit, document)
    if exhibit.document is None:
        raise NotFound("no bytes are kept of this document")
    file = str(named(visit.home, exhibit, visit.case.number))
    ends = int(time.time() + min(asked.hours * 3600, LONGEST_S - 60))
    link = Link(file=file, ext=asked.ext, account=visit.who.account, ends_s=ends)
    signed = f"ext={link.ext}&by={link.account}&until={ends}&sig={signature(visit.home.signing_key, link)}"
    detail = {"ext": asked.ext, "until": ends}
    visit.case.review.record([Entry(who=visit.who.name, action=Action.LINKED, exhibit=document, detail=detail)])
    return {"link": f"/documents/{file}?{signed}", "file": file, "ends_s": ends}


async def _asked(
    request: Request,
    file: str,
    ext: Ext = "pdf",
    by: Annotated[int | None, Query(ge=0, le=LARGEST_ID)] = None,
    until: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0,
    sig: Annotated[str, Query(max_length=100)] = "",
) -> Asked:
    """By a signed link, or by a token or session with the right to read; anything else is a file that there is not."""
    link = Link(file=file, ext=ext, account=by or 0, ends_s=until) if sig else None
    return await run_in_threadpool(_found, request, file, link, sig)


def _found(request: Request, file: str, link: Link | None, sig: str) -> Asked:
    home, name = served(request), FileId.read(file)
    who = _linked(home, link, sig) if link else whoever(request)
    if who is None or (who is not THE_ENGINE and Right.READ not in home.access.rights(who, name.case)):
        raise NotFound("there is no such file, or the link has ended")
    try:
        visit = Visit(home, home.case(name.case), who)
    except NotFound:
        raise no_such_case() from None
    for exhibit in visit.case.reader.rows.some(name.exhibits).values():
        if exhibit.batch == name.batch and exhibit.document and exhibit.document.hex() == name.document:
            return Asked(visit, exhibit)
    raise NotFound("there is no such file, or the link has ended")


def _linked(home: ServedHome, link: Link, sig: str) -> Principal | None:
    """Whoever made it, as long as they may; or the viewing engine, as long as there is one."""
    if not is_good(home.signing_key, link, sig, time.time()):
        return None
    if link.account == ENGINE:
        return THE_ENGINE if home.settings.viewer != "builtin" else None
    account = home.accounts.get(link.account)
    if account is None or account.is_disabled:
        return None
    return Principal(account=account.id, name=account.name, is_admin=account.is_admin)


Wanted = Annotated[Asked, Depends(_asked)]


@router.get(
    "/documents/{file}", response_class=Response, responses=described("application/octet-stream", rendering.PDF_TYPE)
)
def document_file(request: Request, wanted: Wanted, ext: Ext = "pdf") -> Response:
    """`pdf`: the native where it is one, else the generated PDF; `generated`: that one; `native`: its bytes. Or a part
    of it, as a Range header asks."""
    exhibit, visit = wanted.exhibit, wanted.visit
    found = _place(visit, exhibit, ext)
    if found is None:
        raise NotFound("there is no PDF of it yet")
    detail = {"what": ext, "file service": True}
    entry = Entry(who=visit.who.name, action=Action.DOWNLOADED, exhibit=exhibit.id, detail=detail)
    visit.home.note(visit.case.number, entry)
    name = exhibit.name if ext == "native" else f"{exhibit.control_number}.pdf"
    return streamed(visit, request, found, name, OCTETS if ext == "native" else rendering.PDF_TYPE)


def _place(visit: Visit, exhibit: Exhibit, ext: str) -> rendering.Placed | None:
    rows = visit.case.reader.rows
    if ext == "native" or (ext == "pdf" and exhibit.media_type == rendering.PDF_TYPE):
        return rendering.native_place(rows, exhibit)
    return rendering.place_of(rows, exhibit, "pdf")


@router.get("/list/{file}")
def exists(wanted: Wanted) -> dict[str, Any]:
    """Which of its files there are."""
    pdf = wanted.exhibit.media_type == rendering.PDF_TYPE
    generated = _place(wanted.visit, wanted.exhibit, "generated") is not None
    return {"exists": pdf or generated, "pdf": pdf or generated, "generated": generated}


@router.get("/health")
def health() -> dict[str, str]:
    return {"status": "ok"}
