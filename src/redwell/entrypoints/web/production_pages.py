"""Pages of what goes out: productions made from a search, and redactions drawn on the image of a page."""

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response
from pydantic import ValidationError

from redwell.core.command_lines import command_line
from redwell.core.errors import UserError
from redwell.core.loadfiles.presets import PRESETS
from redwell.core.production.conflicts import blocking
from redwell.core.production.values import last_number
from redwell.core.search.request import Search
from redwell.entrypoints.http.documents_shown import one, title
from redwell.entrypoints.http.production_routes import ProductionAsked, created
from redwell.entrypoints.http.visits import Exporting, Number, Reading, Visit
from redwell.entrypoints.web.rendering import page, to
from redwell.review.searching import tree
from redwell.runtime.producing import creating

router = APIRouter(prefix="/cases/{case}")
_MOST_SHOWN = 200
Text = Annotated[str, Form(max_length=10_000)]


@router.get("/productions")
def listed(request: Request, visit: Reading, q: Annotated[str, Query(max_length=10_000)] = "") -> Response:
    return _listed(request, visit, {"query": q})


def _listed(request: Request, visit: Visit, asked: dict[str, str], wrong: str = "") -> Response:
    query = asked.get("query", "")
    found = visit.case.reader.index.search(Search(query=tree(query, visit.case.reader), limit=1, snippets=False))
    return page(
        request,
        "productions.html",
        visit.who,
        400 if wrong else 200,
        visit=visit,
        productions=visit.case.productions.productions(),
        tags=visit.case.review.tags(),
        asked={**dict.fromkeys(("query", "name", "prefix", "designation", "by"), ""), **asked},
        total=found.total,
        wrong=wrong,
    )


@router.post("/productions")
def make(
    request: Request, visit: Exporting, query: Text = "", name: Text = "", prefix: Text = "", designation: Text = "",
    by: Text = "page", withhold: Text = "",
) -> Response:  # fmt: skip
    asked = {
        "query": query,
        "name": name.strip(),
        "prefix": prefix.strip(),
        "designation": designation.strip(),
        "by": by,
    }
    try:
        told: Any = {**asked, "withhold": [withhold] if withhold else []}
        made = created(visit, ProductionAsked(**told))
    except ValidationError as error:
        return _listed(request, visit, asked, f"{error.errors()[0]['loc'][0]}: {error.errors()[0]['msg']}")
    except UserError as error:
        return _listed(request, visit, asked, str(error))
    return to(f"/cases/{visit.case.number}/productions/{made.name}")


@router.get("/productions/{name}")
def production(request: Request, visit: Reading, name: str) -> Response:
    return production_page(request, visit, name)


def production_page(request: Request, visit: Visit, name: str, wrong: str = "") -> Response:
    found = visit.case.productions.find(name)
    members, told = creating.standing_of(found, visit.case.reader.rows, visit.case.productions, visit.case.review)
    rows = [
        (str(found.terms.number(each.first)), str(found.terms.number(last_number(found.terms, each))), each)
        for each in members[:_MOST_SHOWN]
    ]
    return page(
        request,
        "production.html",
        visit.who,
        400 if wrong else 200,
        visit=visit,
        production=found,
        rows=rows,
        conflicts=told,
        against=sorted({each.code for each in blocking(told, ())}),
        volume=visit.home.volumes_out.state(visit.case.number, found),
        presets=list(PRESETS),
        write=command_line("production write", visit.case.name, found.name, "-o", f"{found.name}-delivery"),
        wrong=wrong,
    )


@router.get("/documents/{document}/redact")
def redact(
    request: Request, visit: Reading, document: Number, number: Annotated[int, Query(alias="page", ge=1)] = 1
) -> Response:
    exhibit = one(visit, document)
    visit.home.viewed(visit.case.number, visit.who.name, exhibit.id)
    boxes = visit.case.productions.redactions([document]).get(document, [])
    pages = visit.case.view.pages(document)
    return page(
        request,
        "redact.html",
        visit.who,
        visit=visit,
        exhibit=exhibit,
        title=title(exhibit),
        pages=pages,
        number=min(number, max(1, pages)),
        boxes=[msgspec.to_builtins(each) for each in boxes],
        counts={each: sum(box.page == each for box in boxes) for each in range(1, pages + 1)},
    )
