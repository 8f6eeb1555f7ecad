"""Of sources: which there are, and files that programs send. Below /api/v1/cases/{case}."""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, BinaryIO
from urllib.parse import unquote

import msgspec
from fastapi import APIRouter, Header, Request
from starlette.concurrency import run_in_threadpool

from redwell.core.access.rights import Right
from redwell.core.errors import NotFound, RedwellError, UserError
from redwell.core.uploads.arrivals import TooLong
from redwell.core.uploads.signed_posts import SignedPost, is_recent, is_signed
from redwell.entrypoints.http.problems import NoSuchType, SignIn
from redwell.entrypoints.http.visits import Number, Reading, served, whoever
from redwell.ports.sources import Brought, Source
from redwell.runtime.serving.served_home import ServedCase, ServedHome
from redwell.runtime.sources.posting import Posting

router = APIRouter(tags=["sources"])
BYTES, LINK = "application/octet-stream", "application/json"
_LINK = "sha256:"
_MOST_OF_A_LINK = 10_000
_NOBODY = "sign what you send, or send a token: Authorization: Bearer …"


def sources_shown(case: ServedCase) -> list[dict[str, Any]]:
    """Without settings: they say where secrets are."""
    names = ("id", "kind", "name", "state", "last_arrival_ms", "waiting", "failed", "detail")
    return [{name: getattr(each, name) for name in names} for each in case.sources.all()]


@router.get("/sources")
def sources(visit: Reading) -> dict[str, Any]:
    return {"sources": sources_shown(visit.case)}


class _Sent(msgspec.Struct, frozen=True):
    key: str
    name: str
    body: Path
    sha256: str
    is_link: bool


@router.post(
    "/sources/{source}/arrivals",
    status_code=202,
    responses={415: {"description": "neither bytes nor a link"}},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                BYTES: {"schema": {"type": "string", "format": "binary"}},
                LINK: {
                    "schema": {
                        "type": "object",
                        "properties": {"link": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}},
                        "required": ["link"],
                    }
                },
            },
        }
    },
)
async def arrive(
    request: Request,
    case: Number,
    source: Number,
    key: Annotated[str, Header(alias="X-Redwell-Key", min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")],
    name: Annotated[str, Header(alias="X-Redwell-Name", min_length=1, max_length=1000, pattern=r"^[\x21-\x7e]+$")],
) -> dict[str, Any]:
    """A file, or a link to bytes that the case has (`{"link": "sha256:…"}`), from a program: by a token that may
    import, or signed with the secret of the source (docs/understanding.md). A key that came before brings nothing."""
    home, kind = served(request), request.headers.get("Content-Type", "").partition(";")[0]
    if kind not in {BYTES, LINK}:
        raise NoSuchType(f"send bytes as {BYTES}, or a link as {LINK}")
    prove = await run_in_threadpool(_proof, request, home, case, source)
    most = _MOST_OF_A_LINK if kind == LINK else home.settings.upload_mb << 20
    with tempfile.TemporaryDirectory(dir=_room(home), prefix="posted-") as folder:
        sha256 = await _received(request, Path(folder) / "body", most)
        sent = _Sent(key, unquote(name), Path(folder) / "body", sha256, kind == LINK)
        return await run_in_threadpool(_taken, home, case, prove(sent), sent)


def _room(home: ServedHome) -> Path:
    room = home.home / "arrivals"
    room.mkdir(mode=0o700, exist_ok=True)
    return room


def _proof(request: Request, home: ServedHome, case: int, source: int) -> Callable[[_Sent], Source]:
    """What can be refused before a byte is read is; the rest when all is there. Who is refused learns no more."""
    if request.headers.get("Authorization"):
        who = whoever(request)
        if who is None or not who.by_token:
            raise SignIn(_NOBODY)
        home.access.require(who, case, Right.IMPORT)
        found = _active(home, case, source)
        return lambda _: found
    given, date = request.headers.get("X-Redwell-Signature", ""), request.headers.get("X-Redwell-Date", "")
    try:
        found = _active(home, case, source)
    except RedwellError:
        raise SignIn(_NOBODY) from None
    secret = os.environ.get(str(found.settings.get("secret_variable", "")), "")
    if not given or not secret or not is_recent(date, datetime.now(UTC)):
        raise SignIn(_NOBODY)

    def check(sent: _Sent) -> Source:
        name = request.headers["X-Redwell-Name"]
        path = request.url.path
        post = SignedPost(method="POST", path=path, date=date, key=sent.key, name=name, sha256=sent.sha256)
        if not is_signed(secret, post, given):
            raise SignIn(_NOBODY)
        return found

    return check


def _active(home: ServedHome, case: int, source: int) -> Source:
    found = next((each for each in home.case(case).sources.all() if each.id == source), None)
    if found is None or found.kind != "webhook" or found.state != "active":
        raise NotFound("there is no active source of this number that files are sent to")
    return found


async def _received(request: Request, path: Path, most: int) -> str:
    digest, got = hashlib.sha256(), 0
    with open(path, "wb") as file:
        async for piece in request.stream():
            got += len(piece)
            if got > most:
                raise TooLong(f"more than {most:,} bytes")
            digest.update(piece)
            await run_in_threadpool(file.write, piece)
    return digest.hexdigest()


def _taken(home: ServedHome, case: int, source: Source, sent: _Sent) -> dict[str, Any]:
    opened = home.case(case)
    said = {"key": sent.key, "sha256": sent.sha256}
    given = _linked(opened, sent.body.read_bytes()) if sent.is_link else lambda: open(sent.body, "rb")
    brought = Brought(key=sent.key, name=sent.name, open=given, said=said)
    is_new, begun = Posting(home.home, home.settings, opened.sources).take(opened.name, source, brought)
    return {"new": is_new, "batches": begun}


def _linked(case: ServedCase, body: bytes) -> Callable[[], BinaryIO]:
    """Bytes that the case has; nothing else can be named."""
    try:
        link = str(json.loads(body)["link"])
        sha256 = bytes.fromhex(link.removeprefix(_LINK))
    except (ValueError, KeyError, TypeError):
        raise UserError('a link is {"link": "sha256:…"}, with the hash of bytes that the case has') from None
    location = case.reader.rows.known_blobs([sha256]).get(sha256)
    if location is None:
        raise NotFound("the case has no such bytes")
    return lambda: case.reader.blobs.open(sha256, location)
