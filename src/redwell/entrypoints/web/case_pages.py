"""Of one case: imports, exceptions, operations, members and tags."""

from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from redwell.core.access.rights import Role
from redwell.core.case.rows import Wanted
from redwell.core.errors import UserError
from redwell.core.outcomes import Outcome
from redwell.entrypoints.http import shapes
from redwell.entrypoints.http.case_routes import begin_import, change_member, retry_outcome
from redwell.entrypoints.http.case_routes import cancel as cancel_batch
from redwell.entrypoints.http.visits import LARGEST_ID, Deciding, Importing, Managing, Number, Reading, Visit
from redwell.entrypoints.web.balance import balance
from redwell.entrypoints.web.rendering import page, to
from redwell.runtime.serving.progress import batch_progress
from redwell.runtime.upkeep import status
from redwell.runtime.upkeep.completeness import check_batch
from redwell.runtime.upkeep.exceptions import exceptions as exception_rows

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
    values = {"source": "", "custodian": "", **kept}
    return page(request, "imports.html", visit.who, status, visit=visit, batches=batches, wrong=wrong, **values)


@router.post("/imports")
def begin(request: Request, visit: Importing, source: Text, custodian: Text = "", passwords: Text = "") -> Response:
    try:
        sources = [line.strip() for line in source.splitlines() if line.strip()]
        asked = shapes.ImportAsked(
            sources=sources, custodian=custodian.strip() or None, passwords=passwords.splitlines()
        )
        return to(f"/cases/{visit.case.number}/imports/{begin_import(visit, asked)}")
    except (UserError, ValueError) as error:
        wrong = str(error) if isinstance(error, UserError) else "name a folder or a file, as the server sees it"
        return _imports(request, visit, 400, wrong, source=source, custodian=custodian)


@router.get("/imports/{batch}")
def one_import(request: Request, visit: Reading, batch: Number) -> Response:
    check_batch(visit.case.reader, batch)
    progress = batch_progress(visit.case.reader, batch)
    needs: dict[str, dict[str, Any]] = {}
    for row in islice(exception_rows(visit.case.reader, Wanted(batch=batch)), 10_000):
        entry = needs.setdefault(row["outcome"], {"count": 0, "reason": row["reason"], "remedy": row["remedy"]})
        entry["count"] += 1
    return page(request, "import.html", visit.who, visit=visit, progress=progress, parts=balance(progress), needs=needs)


@router.post("/imports/{batch}/cancel")
def cancel(visit: Importing, batch: Number) -> Response:
    cancel_batch(visit, batch)
    return to(f"/cases/{visit.case.number}/imports/{batch}")


@router.get("/exceptions")
def exceptions(
    request: Request, visit: Reading, outcome: str = "", offset: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0
) -> Response:
    return _exceptions(request, visit, outcome, offset)


def _exceptions(request: Request, visit: Visit, outcome: str, offset: int, said: str = "") -> Response:
    every = list(exception_rows(visit.case.reader))
    counts: dict[str, int] = {}
    for row in every:
        counts[row["outcome"]] = counts.get(row["outcome"], 0) + 1
    rows = [row for row in every if not outcome or row["outcome"] == outcome]
    shown = rows[offset : offset + PAGE]
    known = visit.case.reader.rows.numbered([row["control_number"] for row in shown])
    keys = {row["control_number"]: known[row["control_number"]].id for row in shown if row["control_number"] in known}
    return page(
        request,
        "exceptions.html",
        visit.who,
        visit=visit,
        rows=shown,
        keys=keys,
        counts=counts,
        outcome=outcome,
        more=offset + PAGE if len(rows) > offset + PAGE else None,
        can_retry=outcome in RETRIED,
        said=said,
    )


@router.post("/exceptions/retry")
def retry(request: Request, visit: Importing, outcome: Text, passwords: Text = "") -> Response:
    if outcome not in RETRIED:
        raise UserError("choose what to read again")
    asked = shapes.RetryAsked(outcome=Outcome(outcome), passwords=[word for word in passwords.splitlines() if word])
    contents = retry_outcome(visit, asked)
    said = f"{contents:,} to be read again; the worker is on it. Load this page again to see what became of them."
    return _exceptions(request, visit, outcome, 0, said)


@router.get("/operations")
def operations(request: Request, visit: Reading) -> Response:
    home = visit.home
    jobs = status.jobs(home.home, home.settings, visit.case.name, True)
    workers = [row for row in status.workers(home.home, home.settings) if row["case"] == visit.case.name]
    parked = visit.case.reader.rows.parked()
    return page(request, "operations.html", visit.who, visit=visit, jobs=jobs, workers=workers, parked=parked)


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
        log=review.log(limit=50) if "manage" in visit.home.access.rights(visit.who, visit.case.number) else [],
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
