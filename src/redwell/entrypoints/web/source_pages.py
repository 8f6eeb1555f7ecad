"""Where evidence comes from by itself: each source with its state, its last arrival and what went wrong."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from redwell.entrypoints.http.source_routes import sources_shown
from redwell.entrypoints.http.visits import Reading
from redwell.entrypoints.web.rendering import page

router = APIRouter(prefix="/cases/{case}")


@router.get("/sources")
def sources(request: Request, visit: Reading) -> Response:
    return page(request, "sources.html", visit.who, visit=visit, sources=sources_shown(visit.case))
