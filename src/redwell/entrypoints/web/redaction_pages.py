"""The page of redactions by terms: what would be hidden is shown, then drawn as one change; changes are undone here."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response
from pydantic import ValidationError

from redwell.core.errors import RedwellError
from redwell.entrypoints.http.redaction_routes import MOST_SHOWN, BulkAsked, drawn, looked_for
from redwell.entrypoints.http.visits import Deciding, Number, Reading, Visit
from redwell.entrypoints.web.rendering import page, to
from redwell.runtime.producing.bulk_redaction import LookedThrough

router = APIRouter(prefix="/cases/{case}/redactions")
Text = Annotated[str, Form(max_length=20_000)]
_NOTHING = {"query": "", "terms": "", "reason": ""}


@router.get("")
def listed(request: Request, visit: Reading) -> Response:
    return _listed(request, visit, _NOTHING)


@router.post("")
def asked_for(
    request: Request, visit: Deciding, query: Text = "", terms: Text = "", reason: Text = "", seen: Text = ""
) -> Response:
    asked = {"query": query, "terms": terms, "reason": reason.strip()}
    try:
        lines = [line.strip() for line in terms.splitlines() if line.strip()]
        told: dict[str, Any] = {"query": query, "terms": lines, "reason": asked["reason"] or None, "seen": seen or None}
        wanted = BulkAsked(**told)
        found = looked_for(visit, wanted)
        if wanted.seen:
            drawn(visit, wanted, found)
            return to(f"/cases/{visit.case.number}/redactions")
    except ValidationError as error:
        return _listed(request, visit, asked, wrong=f"{error.errors()[0]['loc'][0]}: {error.errors()[0]['msg']}")
    except RedwellError as error:
        return _listed(request, visit, asked, wrong=str(error))
    return _listed(request, visit, asked, found)


@router.post("/{change}/undo")
def undo(request: Request, visit: Deciding, change: Number) -> Response:
    try:
        visit.case.productions.undo(change, visit.who.name)
    except RedwellError as error:
        return _listed(request, visit, _NOTHING, wrong=str(error))
    return to(f"/cases/{visit.case.number}/redactions")


def _listed(
    request: Request, visit: Visit, asked: dict[str, str], found: LookedThrough | None = None, wrong: str = ""
) -> Response:
    return page(
        request,
        "redactions.html",
        visit.who,
        400 if wrong else 200,
        visit=visit,
        asked=asked,
        found=found,
        places=found.places[:MOST_SHOWN] if found else [],
        changes=visit.case.productions.changes()[:MOST_SHOWN],
        wrong=wrong,
    )
