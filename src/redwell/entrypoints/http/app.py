"""The server's application: the API below /api/v1, the pages beside it. Made by `redwell serve`, and by tests.

The file service can be had alone, for `redwell uploader files`.
"""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from redwell import __version__
from redwell.entrypoints.http import (
    case_routes,
    data_routes,
    document_routes,
    file_service,
    home_routes,
    problems,
    production_routes,
    redaction_routes,
    rendition_routes,
    review_routes,
    round_routes,
    source_routes,
    term_routes,
    upload_routes,
    view_routes,
    volume_routes,
)
from redwell.entrypoints.http.guard import Guard
from redwell.entrypoints.http.sessions import Sessions
from redwell.entrypoints.web import (
    case_pages,
    data_pages,
    desk_pages,
    home_pages,
    production_pages,
    redaction_pages,
    round_pages,
    sign_in_pages,
    source_pages,
    term_pages,
    transcript_pages,
    volume_pages,
)
from redwell.entrypoints.web.rendering import error_page, static
from redwell.runtime.bootstrap.services.open_services import open_request_numbers
from redwell.runtime.serving.served_home import ServedHome

API = "/api/v1"
_PROBLEM = {"description": "what is wrong", "content": {problems.MEDIA_TYPE: {"schema": {"type": "object"}}}}
_REFUSALS: dict[int | str, dict[str, Any]] = dict.fromkeys((400, 401, 403, 404, 409, 413, 422, 429, 503), _PROBLEM)


def make_file_service(home: ServedHome) -> ASGIApp:
    """The file service alone (SPEC E3), also as the proxy through which an engine fetches what it was told of."""
    app = FastAPI(title="Redwell files", version=__version__, openapi_url=None, docs_url=None, redoc_url=None)
    app.state.home, app.state.sessions = home, Sessions(home.signing_key)
    app.state.numbers = open_request_numbers()
    app.include_router(file_service.router, responses=_REFUSALS)
    problems.install(app, error_page)
    app.add_middleware(Guard, numbers=app.state.numbers)

    async def by_its_path(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and "://" in scope["path"]:  # who asks a proxy names the server, too
            path = f"/{scope['path'].split('/', 3)[3]}"
            scope = {**scope, "path": path, "raw_path": path.encode()}
        await app(scope, receive, send)

    return by_its_path


def make_app(home: ServedHome, worker_alive: Callable[[], bool] = lambda: False) -> FastAPI:
    app = FastAPI(
        title="Redwell",
        version=__version__,
        description="All that the pages can do. Errors are problem+json; `code` is stable.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.home, app.state.sessions = home, Sessions(home.signing_key)
    app.state.numbers, app.state.worker_alive = open_request_numbers(), worker_alive
    app.state.is_ending = lambda: False  # who runs it knows better
    api = APIRouter(prefix=API, responses=_REFUSALS)
    api.include_router(home_routes.router)
    for routes in (
        case_routes,
        document_routes,
        rendition_routes,
        review_routes,
        round_routes,
        term_routes,
        upload_routes,
        data_routes,
        source_routes,
        view_routes,
        production_routes,
        redaction_routes,
        volume_routes,
    ):
        api.include_router(routes.router, prefix="/cases/{case}")
    api.include_router(file_service.links, prefix="/cases/{case}")
    app.include_router(api)
    app.include_router(file_service.router, responses=_REFUSALS)
    for pages in (
        sign_in_pages,
        home_pages,
        case_pages,
        round_pages,
        desk_pages,
        data_pages,
        source_pages,
        production_pages,
        redaction_pages,
        term_pages,
        transcript_pages,
        volume_pages,
    ):
        app.include_router(pages.router, include_in_schema=False)
    app.add_api_route("/static/{name}", static, include_in_schema=False)
    problems.install(app, error_page)
    app.add_middleware(Guard, numbers=app.state.numbers)
    return app
