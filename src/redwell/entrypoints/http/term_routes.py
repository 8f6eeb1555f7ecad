"""Term reports: what each query of a list finds, alone and beside the others. Below /api/v1/cases/{case}."""

import time
from typing import Any

from fastapi import APIRouter

from redwell.core.review.values import Action, Entry
from redwell.entrypoints.http import shapes
from redwell.entrypoints.http.visits import Reading, Visit
from redwell.runtime.upkeep.term_report import Term, term_report

router = APIRouter(tags=["search"])


@router.post("/terms")
def report_terms(visit: Reading, asked: shapes.TermsCounted) -> dict[str, Any]:
    """Documents, families, and those that no other line finds; the last row is of all lines together."""
    return {"terms": [{"term": term.query, **term.counts._asdict()} for term in counted(visit, asked.terms)]}


def counted(visit: Visit, terms: str) -> list[Term]:
    told = list(term_report(visit.case.reader, terms.splitlines()))
    detail = {"terms": [term.query for term in told[:-1]][:100], "total": told[-1].counts.documents}
    at_ms = time.time_ns() // 1_000_000
    visit.home.note(visit.case.number, Entry(who=visit.who.name, action=Action.SEARCHED, detail=detail, at_ms=at_ms))
    return told
