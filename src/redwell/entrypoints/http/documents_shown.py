"""Documents as the API and the pages show them."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from redwell.core.case.rows import Exhibit
from redwell.core.errors import NotFound
from redwell.core.review.values import Tagging
from redwell.entrypoints.cli.listing import for_json
from redwell.entrypoints.http.visits import Visit
from redwell.review.searching import Line


def one(visit: Visit, key: int) -> Exhibit:
    found = visit.case.reader.rows.some([key]).get(key)
    if found is None:
        raise NotFound("there is no such document")
    return found


def title(exhibit: Exhibit) -> str:
    """What a person would call it."""
    told = exhibit.metadata.get("subject") or exhibit.metadata.get("title")
    return " ".join(str(told).split()) if told and str(told).strip() else exhibit.name or exhibit.path


def date_of(exhibit: Exhibit) -> str:
    """Its own, else that of its file; empty where neither has one."""
    own = exhibit.metadata.get("date") or exhibit.metadata.get("modified") or exhibit.metadata.get("created")
    return str(own or exhibit.source_dates.get("modified") or "")


def hit(line: Line, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "document": for_json(line.exhibit),
        "title": title(line.exhibit),
        "score": line.hit.score,
        "snippet": line.hit.snippet,
        "page": line.hit.page,
        "positions": [
            {"start": each.start, "end": each.end, "column": each.column, "page": each.page}
            for each in line.hit.positions
        ],
        "tags": tag_names(line.taggings, names),
        "read_by": list(line.readers),
    }


def tag_names(taggings: Sequence[Tagging], names: Mapping[int, str]) -> list[str]:
    return [names.get(tagging.tag, str(tagging.tag)) for tagging in taggings]


_NOT_IN_NAMES = '"\\;/%<>:*?|'


def attachment(name: str) -> str:
    """A header under which a browser stores and never shows: the name in plain letters, and as it is."""
    short = name[:120] or "file"
    plain = "".join(c if c.isascii() and c.isprintable() and c not in _NOT_IN_NAMES else "_" for c in short)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(short, safe='', errors='replace')}"
