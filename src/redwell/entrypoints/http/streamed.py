"""Files of a case as answers: piece by piece, whatever their size, or the part that is asked for. Never shown."""

from collections.abc import Iterator
from typing import Any

import msgspec
from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from redwell.core.viewing.byte_ranges import NoSuchPart, Part, asked_part
from redwell.entrypoints.http.documents_shown import attachment
from redwell.entrypoints.http.problems import problem
from redwell.entrypoints.http.visits import Visit
from redwell.runtime.upkeep.rendering import Placed

PIECE = 1 << 20
OBJECT: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {"schema": {"type": "object"}}}}}
OCTETS = "application/octet-stream"


def described(*media_types: str) -> dict[int | str, dict[str, Any]]:
    """For the description of a route."""
    content: dict[str, Any] = {kind: {} for kind in media_types}
    return {
        200: {"description": "the file", "content": content},
        206: {"description": "the part that a Range header asked for", "content": content},
        416: {"description": "a part behind the end of the file"},
    }


def streamed(visit: Visit, request: Request, place: Placed, name: str, media_type: str) -> Response:
    size = place.location.length
    headers = {
        "Content-Disposition": attachment(name),
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "Accept-Ranges": "bytes",
        "ETag": f'"{place.sha256.hex()}"',
    }
    try:
        part = asked_part(_range(request, headers["ETag"]), size)
    except NoSuchPart:
        refused = problem(416, "no-such-part", f"the file has {size} bytes")
        refused.headers["Content-Range"] = f"bytes */{size}"
        return refused
    if part:
        headers["Content-Range"] = f"bytes {part.first}-{part.first + part.length - 1}/{size}"
    wanted = part or Part(0, size)
    headers["Content-Length"] = str(wanted.length)
    return StreamingResponse(_pieces(visit, place, wanted), 206 if part else 200, headers, media_type)


def _range(request: Request, tag: str) -> str:
    """Of what has changed since, all is sent."""
    known = request.headers.get("If-Range")
    return request.headers.get("Range", "") if known in (None, tag) else ""


def _pieces(visit: Visit, place: Placed, part: Part) -> Iterator[bytes]:
    left = part.length
    with visit.case.reader.blobs.open(place.sha256, place.location) as stream:
        stream.seek(part.first)
        while left and (piece := stream.read(min(PIECE, left))):
            left -= len(piece)
            yield piece


def answered(value: dict[str, Any]) -> Response:
    """JSON of plain values, written at once: FastAPI looks at each of them first, which for a page of hits takes
    longer than the search."""
    return Response(msgspec.json.encode(value), media_type="application/json")
