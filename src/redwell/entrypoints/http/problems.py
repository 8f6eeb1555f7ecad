"""Errors as the API and the pages tell them: problem+json with a stable code, or a page in words. By class alone."""

import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from redwell.core.errors import Conflict, Forbidden, NotFound, Recoverable, RedwellError, UserError
from redwell.core.uploads.arrivals import InUse, TooLong, WrongChecksum

log = logging.getLogger(__name__)
MEDIA_TYPE = "application/problem+json"


class SignIn(UserError):
    """Nobody has signed in, or the session or token has ended."""


class TooMany(UserError):
    """More requests than one caller may send."""


class WrongProtocol(UserError):
    """Another version of the tus protocol."""


class NoSuchType(UserError):
    """A body of a type that this route does not take."""


CHECKSUM_MISMATCH = 460  # of the tus protocol
# the first class that fits
CODES: tuple[tuple[type[RedwellError], int, str], ...] = (
    (WrongProtocol, HTTPStatus.PRECONDITION_FAILED, "wrong-protocol"),
    (NoSuchType, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported-type"),
    (TooLong, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large"),
    (WrongChecksum, CHECKSUM_MISMATCH, "wrong-checksum"),
    (InUse, HTTPStatus.LOCKED, "locked"),
    (SignIn, HTTPStatus.UNAUTHORIZED, "sign-in"),
    (TooMany, HTTPStatus.TOO_MANY_REQUESTS, "too-many-requests"),
    (NotFound, HTTPStatus.NOT_FOUND, "not-found"),
    (Forbidden, HTTPStatus.FORBIDDEN, "forbidden"),
    (Conflict, HTTPStatus.CONFLICT, "conflict"),
    (UserError, HTTPStatus.BAD_REQUEST, "bad-request"),
    (Recoverable, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable"),
)
BY_STATUS = {
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    422: "invalid",
    500: "internal",
}
Teller = Callable[[Request, int, str, str], Response]


def problem(status: int, code: str, detail: str) -> JSONResponse:
    title = "Checksum Mismatch" if status == CHECKSUM_MISMATCH else HTTPStatus(status).phrase
    body = {"type": f"urn:redwell:{code}", "title": title, "status": status, "code": code}
    return JSONResponse({**body, "detail": detail}, status, media_type=MEDIA_TYPE)


def placed(error: RedwellError) -> tuple[int, str]:
    """Status and code."""
    for kind, status, code in CODES:
        if isinstance(error, kind):
            return int(status), code
    return 500, "internal"


def install(app: FastAPI, page: Teller) -> None:
    """`page` tells a person at a page; programs get problem+json."""

    def tell(request: Request, status: int, code: str, detail: str) -> Response:
        is_api = request.url.path.startswith(("/api/", "/documents/", "/list/", "/health"))
        response = problem(status, code, detail) if is_api else page(request, status, code, detail)
        if status == 401 and is_api:
            response.headers["WWW-Authenticate"] = "Bearer"
        if status in (429, 503):
            response.headers["Retry-After"] = "2"
        return response

    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, RedwellError)
        return tell(request, *placed(error), str(error))

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        wrong = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:5]]
        return tell(request, 422, "invalid", "; ".join(wrong))

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = BY_STATUS.get(error.status_code, "bad-request")
        answer = tell(request, error.status_code, code, str(error.detail))
        answer.headers.update(error.headers or {})
        return answer

    async def unexpected(request: Request, error: Exception) -> Response:
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return tell(request, 500, "internal", "this should not have happened; the server's log says more")

    handlers: dict[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
        RedwellError: ours,
        RequestValidationError: invalid,
        HTTPException: http,
        Exception: unexpected,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)
