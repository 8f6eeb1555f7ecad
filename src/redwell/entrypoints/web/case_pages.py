"""Of one case: imports, exceptions, operations, members and tags."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import Response

from redwell.core.access.rights import Right, Role
from redwell.core.case.rows import OPEN
from redwell.core.errors import UserError
from redwell.core.outcomes import Outcome
from redwell.entrypoints.http import shapes
from redwell.entrypoints.http.case_routes import (
    Exceptional,
    WhichExceptions,
    begin_import,
    change_member,
    retry_outcome,
)
from redwell.entrypoints.http.case_routes import cancel as cancel_batch
from redwell.entrypoints.http.upload_routes import own_uploads
from redwell.entrypoints.http.visits import Deciding, Importing, Managing, Number, Reading, Visit
from redwell.entrypoints.web.balance import balance
from redwell.entrypoints.web.rendering import page, to
from redwell.review.exception_search import exceptional
from redwell.runtime.loadfiles.balance import told_volumes
from redwell.runtime.serving.imports import OPTIONS
from redwell.runtime.serving.operations import operations as operations_of
from redwell.runtime.serving.progress import batch_progress
from redwell.runtime.upkeep.completeness import check_batch
from redwell.runtime.upkeep.exceptions import rows_of as exception_rows

router = APIRouter(prefix="/cases/{case}")
Text = Annotated[str, Form(max_length=10_000)]
PAGE = 100
RETRIED = tuple(o for o in Outcome if o not in (Outcome.SUCCESS, Outcome.FILTERED, Outcome.CANCELLED))


@router.get("/imports")
def imports(request: Request, visit: Reading) -> Response:
    return _imports(request, visit)


def _imports(request: Request, visit: Visit, status: int = 200, wrong: str = "", **kept: Any) -> Response:
    reader = visit.case.reader
    batches = [batch_progress(reader, batch.id) for batch in reversed(reader.rows.batches())]
    pending = own_uploads(visit) if visit.may(Right.IMPORT) else []
    shown = {"source": "", "custodian": "", "pending": pending[-1] if pending else None, **kept}
    return page(request, "imports.html", visit.who, status, visit=visit, batches=batches, wrong=wrong, **shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What somebody filled in."""

    source: str
    custodian: str
    asked: dict[str, Any]


async def filled(request: Request) -> Filled:
    given = {name: str(value)[:10_000] for name, value in (await request.form()).items()}
    options = {name: value.strip() for name, value in given.items() if name in OPTIONS and value.strip()}
    asked = {
        "sources": [line.strip() for line in given.get("source", "").splitlines() if line.strip()],
        "custodian": given.get("custodian", "").strip() or None,
        "passwords": given.get("passwords", "").splitlines(),
        "type": given.get("type") or "files",
        "options": options,
    }
    return Filled(source=given.get("source", ""), custodian=given.get("custodian", ""), asked=asked)


@router.post("/imports")
def begin(request: Request, visit: Importing, form: Annotated[Filled, Depends(filled)]) -> Response:
    try:
        asked = shapes.ImportAsked(**form.asked)
        return to(f"/cases/{visit.case.number}/imports/{begin_import(visit, asked)}")
    except (UserError, ValueError) as error:
        wrong = str(error) if isinstance(error, UserError) else "name a folder or a file, as the server sees it"
        return _imports(request, visit, 400, wrong, source=form.source, custodian=form.custodian)


@router.get("/imports/{batch}")
def one_import(request: Request, visit: Reading, batch: Number) -> Response:
    check_batch(visit.case.reader, batch)
    progress = batch_progress(visit.case.reader, batch)
    needs = {outcome: _need(visit, batch, outcome, count) for outcome, count in _needing(visit, batch).items()}
    return page(
        request,
        "import.html",
        visit.who,
        visit=visit,
        progress=progress,
        parts=balance(progress),
        needs=needs,
        retried=RETRIED,
        volumes=told_volumes(visit.case.reader.rows, batch),
    )


def _needing(visit: Visit, batch: int) -> Mapping[str, int]:
    return exceptional(visit.case.reader, batch=batch, limit=1).outcomes


def _need(visit: Visit, batch: int, outcome: str, count: int) -> dict[str, Any]:
    """With one of them as the example."""
    found = exceptional(visit.case.reader, outcome, batch, limit=1)
    row = next(exception_rows(visit.case.reader, found.exhibits), {"reason": "", "remedy": ""})
    return {"count": count, "reason": row["reason"], "remedy": row["remedy"]}


@router.post("/imports/{batch}/cancel")
def cancel(visit: Importing, batch: Number) -> Response:
    cancel_batch(visit, batch)
    return to(f"/cases/{visit.case.number}/imports/{batch}")


@router.get("/exceptions")
def exceptions(request: Request, visit: Reading, what: Exceptional) -> Response:
    return _exceptions(request, visit, what)


def _exceptions(request: Request, visit: Visit, what: WhichExceptions, said: str = "") -> Response:
    reader = visit.case.reader
    found = exceptional(reader, what.outcome or "", what.batch, what.after, PAGE)
    rows = list(exception_rows(reader, found.exhibits))
    keys = {exhibit.control_number: exhibit.id for exhibit in found.exhibits}
    replaced = visit.case.review.replacements(list(keys.values()))
    return page(
        request,
        "exceptions.html",
        visit.who,
        visit=visit,
        rows=rows,
        keys=keys,
        counts=found.outcomes,
        open_count=reader.rows.counts(what.batch).get(OPEN, 0),
        what=what,
        outcome=what.outcome or "",
        more=found.after,
        replaced={each.exhibit: each for each in replaced},
        can_retry=what.outcome in RETRIED,
        said=said,
    )


@router.post("/exceptions/retry")
def retry(request: Request, visit: Importing, outcome: Text, passwords: Text = "") -> Response:
    if outcome not in RETRIED:
        raise UserError("choose what to read again")
    asked = shapes.RetryAsked(outcome=Outcome(outcome), passwords=[word for word in passwords.splitlines() if word])
    contents = retry_outcome(visit, asked)
    said = f"{contents:,} to be read again; the worker is on it. Load this page again to see what became of them."
    return _exceptions(request, visit, WhichExceptions(outcome=Outcome(outcome), batch=None, after=""), said)


@router.get("/operations")
def operations(request: Request, visit: Reading) -> Response:
    told = operations_of(visit.home.home, visit.home.settings, visit.case.reader)
    return page(request, "operations.html", visit.who, visit=visit, **told)


@router.get("/settings")
def settings(request: Request, visit: Reading) -> Response:
    return _settings(request, visit)


def _settings(request: Request, visit: Visit, status: int = 200, wrong: str = "") -> Response:
    visit.home.flush()
    review = visit.case.review
    return page(
        request,
        "case.html",
        visit.who,
        status,
        visit=visit,
        members=visit.home.accounts.members(visit.case.number),
        roles=list(Role),
        tags=review.tags(),
        tag_counts=review.tag_counts(),
        term_sets=review.term_sets(),
        log=review.log(limit=50) if "manage" in visit.home.rights_of(visit.who, visit.case.number) else [],
        wrong=wrong,
    )


@router.post("/members")
def member(request: Request, visit: Managing, name: Text, role: Text) -> Response:
    try:
        change_member(visit, name, Role(role) if role else None)
    except (UserError, ValueError) as error:
        return _settings(request, visit, 400, str(error))
    return to(f"/cases/{visit.case.number}/settings")


@router.post("/tags")
def tag(request: Request, visit: Managing, name: Text) -> Response:
    try:
        visit.case.review.add_tag(name, visit.who.name)
    except UserError as error:
        return _settings(request, visit, 400, str(error))
    return to(f"/cases/{visit.case.number}/settings")


@router.post("/searches")
def save(visit: Deciding, name: Text, query: Text) -> Response:
    visit.case.review.save_search(name, query, visit.who.name)
    return to(f"/cases/{visit.case.number}/review?{query}")
