"""Templates and what they load, all out of the package. Whatever comes from evidence is escaped by the template."""

import hashlib
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from redwell.core.access.rights import Principal
from redwell.core.errors import NotFound
from redwell.entrypoints.http.visits import Visit, sessions

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@cache
def _static() -> dict[str, tuple[bytes, str, str]]:
    """Bytes, type and digest by name."""
    found = {}
    for entry in files("redwell.entrypoints.web").joinpath("static").iterdir():
        data = entry.read_bytes()
        kind = _TYPES.get(entry.name.rpartition(".")[2], "application/octet-stream")
        found[entry.name] = (data, f"{kind}; charset=utf-8", hashlib.sha256(data).hexdigest()[:12])
    return found


def static(name: str) -> Response:
    if name not in _static():
        raise NotFound("there is no such file")
    data, media_type, _ = _static()[name]
    return Response(data, media_type=media_type, headers={"Cache-Control": "public, max-age=31536000, immutable"})


def _static_url(name: str) -> str:
    return f"/static/{name}?v={_static()[name][2]}"


def _day(told: object, zone: str = "UTC") -> str:
    """3 Apr 23; what is no time stays as it is."""
    when = _time(told, zone)
    return f"{when.day} {when:%b %y}" if when else str(told or "")[:10]


def _minute(told: object, zone: str = "UTC") -> str:
    when = _time(told, zone)
    return f"{when.day} {when:%b %Y, %H:%M}" if when else str(told or "")


def _time(told: object, zone: str) -> datetime | None:
    try:
        if isinstance(told, int):
            return datetime.fromtimestamp(told / 1000, UTC).astimezone(ZoneInfo(zone))
        when = datetime.fromisoformat(str(told))
        return when.astimezone(ZoneInfo(zone)) if when.tzinfo else when
    except (ValueError, OverflowError):
        return None


def _size(count: int | None) -> str:
    if count is None:
        return ""
    for unit, step in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if count >= step:
            return f"{count / step:,.1f} {unit}"
    return f"{count:,} bytes"


def _lasting(seconds: int) -> str:
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length and seconds % length == 0:
            return _counted(seconds // length, unit)
    return _counted(seconds, "second")


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


# kinds of work as people call them
_WORDS = {
    "extract-text": "text",
    "text-from-image": "words of a picture",
    "text-from-image-list": "words of pictures",
    "ocr-inline-images": "words of pictures inside",
    "ocr-page-images": "words of scanned pages",
    "render-pdf": "PDF",
    "render-page-images": "page images",
    "combine-page-images": "one PDF of its parts",
    "render-xlsx": "PDF of a spreadsheet",
}


def _worded(task: str) -> str:
    return _WORDS.get(task, task.replace("-", " "))


def _outcome(told: str) -> str:
    """TIMED_OUT as people write it."""
    return told.replace("_", " ").lower()


@cache
def _environment() -> Environment:
    made = Environment(loader=PackageLoader("redwell.entrypoints.web"), autoescape=True, undefined=StrictUndefined)
    made.trim_blocks = made.lstrip_blocks = True
    made.globals |= {"static": _static_url, "counted": _counted}
    made.filters |= {
        "day": _day,
        "minute": _minute,
        "size": _size,
        "lasting": _lasting,
        "number": lambda n: f"{n:,}",
        "urlencoded": urlencode,
        "worded": _worded,
        "outcome": _outcome,
    }
    return made


def page(request: Request, template: str, who: Principal | None, status: int = 200, **values: Any) -> HTMLResponse:
    """`visit` among the values is the case that the page is of."""
    visit: Visit | None = values.get("visit")
    secret = sessions(request).secret(request) or ""
    shown = {
        "who": who,
        "csrf": sessions(request).csrf(secret) if secret else "",
        "path": request.url.path,
        "visit": None,
        "rights": set(visit.home.rights_of(visit.who, visit.case.number)) if visit else set(),
        "zone": visit.case.info().timezone if visit else "UTC",
        **values,
    }
    return HTMLResponse(_environment().get_template(template).render(shown), status)


def error_page(request: Request, status: int, code: str, detail: str) -> Response:
    if code == "sign-in" and request.method == "GET":
        wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return to(f"/sign-in?next={quote(wanted, safe='')}")
    return page(request, "error.html", None, status, code=code, detail=detail, status_code=status)


def to(address: str) -> RedirectResponse:
    """After a form: the address is asked for anew."""
    return RedirectResponse(address, 303)
