"""Around every request, as it comes in and goes out: limits of size and rate, headers that keep evidence from acting,
and numbers for whoever watches. Plain ASGI, so that streams stay streams."""

import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from redwell.core.uploads.arrivals import OFFSET_TYPE
from redwell.entrypoints.http.problems import problem
from redwell.ports.request_numbers import RequestNumbers

MOST_BYTES = 1 << 20
TOO_LARGE = f"a request has at most {MOST_BYTES:,} bytes"
PER_S, BURST = 100.0, 400.0  # requests of one address
_CALLERS = 10_000
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    b"content-security-policy": CSP.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}
_STORED = b"private, no-store"  # evidence stays in no cache


class Guard:
    def __init__(self, app: ASGIApp, numbers: RequestNumbers) -> None:
        self._app, self._numbers = app, numbers
        self._rates = Rates(PER_S, BURST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _with_headers(message["headers"])
            await send(message)

        refusal = self._refusal(scope)
        if refusal:
            await problem(*refusal)(scope, receive, sending)
        else:
            await self._app(scope, receive if _is_upload(scope) else _counted(receive), sending)
        self._numbers.seen(scope["method"], _route(scope), status, time.monotonic() - began)

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or (int(length) > MOST_BYTES and not _is_upload(scope)):
            return 413, "too-large", TOO_LARGE
        caller = (scope.get("client") or ("",))[0]
        if not self._rates.take(caller):
            return 429, "too-many-requests", "more requests than one address may send: wait a moment"
        return None


def _is_upload(scope: Scope) -> bool:
    """Bytes of a file: its route takes as many as were announced, straight to the disk."""
    kind = dict(scope["headers"]).get(b"content-type")
    if kind == b"application/octet-stream":
        return bool(scope["method"] == "POST" and scope["path"].endswith("/arrivals"))
    return kind == OFFSET_TYPE.encode() and scope["method"] in ("POST", "PATCH") and "/uploads/" in scope["path"]


def _route(scope: Scope) -> str:
    """The function that answered: there are as many as in the code, whatever addresses somebody tries."""
    endpoint = scope.get("endpoint")
    return f"{endpoint.__module__.rpartition('.')[2]}.{endpoint.__name__}" if endpoint else "none"


def _with_headers(given: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    names = {name.lower() for name, _ in given}
    added = [(name, value) for name, value in HEADERS.items() if name not in names]
    return [*given, *added, *([] if b"cache-control" in names else [(b"cache-control", _STORED)])]


def _counted(receive: Receive) -> Receive:
    """A body that says no length and goes on beyond the limit is refused where it is read."""
    got = 0

    async def counting() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > MOST_BYTES:
            raise HTTPException(413, TOO_LARGE)  # of the class that FastAPI lets through while it reads a body
        return message

    return counting


class Rates:
    """A bucket for each caller, the longest silent forgotten first."""

    def __init__(self, per_s: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s, self._burst, self._clock = per_s, burst, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> bool:
        now = self._clock()
        left, since = self._buckets.pop(caller, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._per_s)
        self._buckets[caller] = (max(0.0, left - 1), now)
        if len(self._buckets) > _CALLERS:
            self._buckets.popitem(last=False)
        return left >= 1
