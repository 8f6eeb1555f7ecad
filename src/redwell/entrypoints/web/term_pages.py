"""The term report of a case: a list of queries, and what each of them finds."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from redwell.core.errors import UserError
from redwell.entrypoints.http.shapes import Plain
from redwell.entrypoints.http.term_routes import counted
from redwell.entrypoints.http.visits import Reading, Visit
from redwell.entrypoints.web.rendering import page
from redwell.runtime.upkeep.term_report import Term

router = APIRouter(prefix="/cases/{case}")


@router.get("/terms")
def terms(request: Request, visit: Reading) -> Response:
    return _page(request, visit, "", [])


@router.post("/terms")
def count_terms(request: Request, visit: Reading, terms: Annotated[Plain, Form(max_length=100_000)]) -> Response:
    try:
        return _page(request, visit, terms, counted(visit, terms))
    except UserError as error:
        return _page(request, visit, terms, [], str(error))


def _page(request: Request, visit: Visit, terms: str, rows: list[Term], wrong: str = "") -> Response:
    sets = visit.case.review.term_sets()
    values = {"terms": terms, "rows": rows, "wrong": wrong, "term_sets": sets}
    return page(request, "terms.html", visit.who, 400 if wrong else 200, visit=visit, **values)
