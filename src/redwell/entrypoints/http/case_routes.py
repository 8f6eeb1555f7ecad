"""Of one case: imports as they run, exceptions, retries, members, the audit log. Below /api/v1/cases/{case}."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse
from msgspec import structs
from starlette.concurrency import run_in_threadpool

from redwell.core.access.rights import Role
from redwell.core.errors import NotFound, UserError
from redwell.core.outcomes import Outcome
from redwell.core.review.values import Action, Entry
from redwell.entrypoints.http import shapes
from redwell.entrypoints.http.visits import LARGEST_ID, Importing, Managing, Number, Reading
from redwell.review.exception_search import exceptional
from redwell.runtime.bootstrap.open_reader import Reader
from redwell.runtime.serving.imports import Imports, NewImport
from redwell.runtime.serving.operations import operations as operations_of
from redwell.runtime.serving.progress import batch_progress
from redwell.runtime.upkeep.completeness import check_batch, completeness
from redwell.runtime.upkeep.exceptions import rows_of as exception_rows
from redwell.runtime.upkeep.report import report as report_of

router = APIRouter()
LOOK_S = 0.5
Limit = Annotated[int, Query(ge=1, le=1000)]


@router.get("", tags=["cases"])
def case(visit: Reading) -> dict[str, Any]:
    reader = visit.case.reader
    return {
        "case": visit.case.number,
        "name": visit.case.name,
        "timezone": visit.case.info().timezone,
        "outcomes": reader.rows.counts(),
        "unfinished": completeness(reader).for_json(visit.case.name),
        "rights": sorted(visit.home.rights_of(visit.who, visit.case.number)),
    }


@router.get("/batches", tags=["imports"])
def batches(visit: Reading) -> dict[str, Any]:
    reader = visit.case.reader
    return {"batches": [batch_progress(reader, batch.id) for batch in reversed(reader.rows.batches())]}


@router.post("/batches", status_code=201, tags=["imports"])
def begin(visit: Importing, asked: shapes.ImportAsked) -> dict[str, Any]:
    """Registered at once; a worker reads it."""
    return {"batch": begin_import(visit, asked)}


def begin_import(visit: Importing, asked: shapes.ImportAsked) -> int:
    new = NewImport(**asked.model_dump())
    batch = Imports(visit.home.home, visit.home.settings).begin(visit.case.name, new)
    detail = {"batch": batch, "sources": asked.sources}
    visit.case.review.record([Entry(who=visit.who.name, action=Action.IMPORTED, detail=detail)])
    return batch


@router.get("/batches/{batch}", tags=["imports"])
def batch_status(visit: Reading, batch: Number) -> dict[str, Any]:
    check_batch(visit.case.reader, batch)
    return batch_progress(visit.case.reader, batch)


@router.get("/batches/{batch}/events", tags=["imports"], response_class=StreamingResponse)
async def batch_events(request: Request, visit: Reading, batch: Number) -> StreamingResponse:
    """Server-sent: the state of the batch whenever it has changed, until it is over or the server ends."""
    await run_in_threadpool(check_batch, visit.case.reader, batch)
    return StreamingResponse(
        _events(visit.case.reader, batch, request.app.state.is_ending), media_type="text/event-stream"
    )


async def _events(reader: Reader, batch: int, is_ending: Callable[[], bool]) -> AsyncIterator[str]:
    told = ""
    while not is_ending():
        progress = await run_in_threadpool(batch_progress, reader, batch)
        shown = json.dumps(progress)
        if shown != told:
            told = shown
            yield f"event: progress\ndata: {shown}\n\n"
        if progress["finished"]:
            yield f"event: over\ndata: {shown}\n\n"
            return
        await asyncio.sleep(LOOK_S)


@router.post("/batches/{batch}/cancel", tags=["imports"])
def cancel(visit: Importing, batch: Number) -> dict[str, Any]:
    """What was done stays; what was not ends as CANCELLED."""
    job = Imports(visit.home.home, visit.home.settings).cancel(visit.case.name, batch)
    visit.case.review.record([Entry(who=visit.who.name, action=Action.CANCELLED, detail={"batch": batch})])
    return {"batch": batch, "state": str(job.state)}


@dataclass(frozen=True, slots=True, kw_only=True)
class WhichExceptions:
    outcome: Outcome | None
    batch: int | None
    after: str


def which(
    outcome: Outcome | None = None,
    batch: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None,
    after: Annotated[shapes.Plain, Query(max_length=2_000, description="the cursor of the page before")] = "",
) -> WhichExceptions:
    return WhichExceptions(outcome=outcome, batch=batch, after=after)


Exceptional = Annotated[WhichExceptions, Depends(which)]


@router.get("/exceptions", tags=["exceptions"])
def exceptions(visit: Reading, what: Exceptional, limit: Limit = 100) -> dict[str, Any]:
    """Of so many documents, one row per problem, with its remedy; counts of all of them."""
    if what.batch is not None:
        check_batch(visit.case.reader, what.batch)
    found = exceptional(visit.case.reader, what.outcome or "", what.batch, what.after, limit)
    rows = list(exception_rows(visit.case.reader, found.exhibits))
    return {"exceptions": rows, "outcomes": found.outcomes, "next": found.after or None}


@router.post("/retry", tags=["exceptions"])
def retry(visit: Importing, asked: shapes.RetryAsked) -> dict[str, Any]:
    """Everything that ended so is read again; a worker does it."""
    return {"contents": retry_outcome(visit, asked)}


def retry_outcome(visit: Importing, asked: shapes.RetryAsked) -> int:
    if asked.outcome == "CANCELLED":
        raise UserError("what was cancelled is not read again by a retry: import the source again")
    imports = Imports(visit.home.home, visit.home.settings)
    contents = imports.retry(visit.case.name, asked.outcome, asked.passwords)
    detail = {"outcome": str(asked.outcome), "contents": contents, "passwords": len(asked.passwords)}
    visit.case.review.record([Entry(who=visit.who.name, action=Action.RETRIED, detail=detail)])
    return contents


@router.get("/parked", tags=["operations"])
def parked(visit: Reading) -> dict[str, Any]:
    """Contents on which every attempt failed."""
    return {"parked": [structs.asdict(work) for work in visit.case.reader.rows.parked()]}


@router.get("/operations", tags=["operations"])
def operations(visit: Reading) -> dict[str, Any]:
    """Jobs in order, workers, what waits by kind, what is parked, documents over time, disk."""
    return operations_of(visit.home.home, visit.home.settings, visit.case.reader)


@router.get("/report", tags=["imports"])
def report(visit: Reading) -> dict[str, Any]:
    """What came in, what became of it, with which versions and settings."""
    return report_of(visit.case.reader, visit.case.reader.rows.batches())


@router.get("/audit", tags=["audit"])
def audit(visit: Managing, before: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None, limit: Limit = 100) -> Any:
    """Who did what, the newest first."""
    visit.home.flush()
    entries = visit.case.review.log(before, limit)
    return {"entries": [asdict(entry) for entry in entries], "next": entries[-1].id if len(entries) == limit else None}


@router.get("/members", tags=["cases"])
def members(visit: Reading) -> dict[str, Any]:
    rows = visit.home.accounts.members(visit.case.number)
    return {"members": [{"name": account.name, "role": str(role)} for account, role in rows]}


@router.put("/members/{name}", tags=["cases"])
def set_member(visit: Managing, name: str, asked: shapes.MemberSet) -> dict[str, Any]:
    change_member(visit, name, asked.role)
    return {"name": name, "role": str(asked.role)}


@router.delete("/members/{name}", status_code=204, tags=["cases"])
def remove_member(visit: Managing, name: str) -> None:
    change_member(visit, name, None)


def change_member(visit: Managing, name: str, role: Role | None) -> None:
    """Who makes the first member of a case that had none stays its administrator."""
    accounts, number = visit.home.accounts, visit.case.number
    account = accounts.find(name)
    if account is None:
        raise NotFound(f"there is no user {name!r}")
    others = [each for each, held in accounts.members(number) if held is Role.ADMIN and each.id != account.id]
    if not accounts.members(number) and account.id != visit.who.account:
        accounts.set_role(visit.who.account, number, Role.ADMIN)
    elif role is not Role.ADMIN and not others:
        raise UserError("a case has at least one administrator: make somebody else one first")
    accounts.set_role(account.id, number, role)
    detail = {"name": account.name, "role": str(role) if role else None}
    visit.case.review.record([Entry(who=visit.who.name, action=Action.MEMBER_SET, detail=detail)])
