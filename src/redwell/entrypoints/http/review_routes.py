"""Of review: searching, exporting, tags and saved searches. Below /api/v1/cases/{case}."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response, StreamingResponse

from redwell.core.errors import NotFound
from redwell.core.review.values import Action, Coding, Entry
from redwell.core.search.request import SORTABLE
from redwell.entrypoints.http import shapes
from redwell.entrypoints.http.documents_shown import hit, tag_names
from redwell.entrypoints.http.exporting import written
from redwell.entrypoints.http.streamed import OBJECT, answered
from redwell.entrypoints.http.visits import LARGEST_ID, Deciding, Exporting, Managing, Number, Reading, Visit
from redwell.review.coding import Choice, chosen, preview
from redwell.review.histogram import histogram
from redwell.review.searching import PAGE, Asked, Found, search, tree
from redwell.runtime.citing.places import citations

router = APIRouter()
_Id = Annotated[int, Query(ge=1, le=LARGEST_ID)]
_FILE: dict[str, Any] = {"description": "every hit", "content": {"text/csv": {}, "application/x-ndjson": {}}}
_SORTS = [*SORTABLE, *(f"{name}:desc" for name in SORTABLE)]


def asked(
    q: Annotated[shapes.Plain, Query(max_length=10_000, description="docs/search.md has the language")] = "",
    sort: Annotated[str, Query(max_length=40, description=f"one of {', '.join(_SORTS)}")] = "score",
    after: Annotated[shapes.Plain, Query(max_length=2_000, description="the cursor of the page before")] = "",
    limit: Annotated[int, Query(ge=1, le=500)] = PAGE,
    tag: Annotated[list[_Id], Query(description="only with each of these", max_length=20)] = [],  # noqa: B006
    without: Annotated[list[_Id], Query(description="with none of these", max_length=20)] = [],  # noqa: B006
    seen: Annotated[Literal["", "read", "unread"], Query(description="by you")] = "",
    round: Annotated[int | None, Query(ge=1, le=LARGEST_ID, description="your portion of it")] = None,
) -> Asked:
    return Asked(
        query=q,
        sort=sort,
        after=after,
        limit=limit,
        tags=tuple(tag),
        without=tuple(without),
        read=seen,
        round=round,
    )


What = Annotated[Asked, Depends(asked)]


def found(visit: Visit, what: Asked) -> Found:
    result = search(mine(visit, what), visit.case.reader, visit.case.review)
    if what.query and not what.after:
        detail = {"query": what.query, "total": result.total}
        at_ms = time.time_ns() // 1_000_000
        entry = Entry(who=visit.who.name, action=Action.SEARCHED, detail=detail, at_ms=at_ms)
        visit.home.note(visit.case.number, entry)
    return result


def mine(visit: Visit, what: Asked) -> Asked:
    """What was read, and what was handed out, is that of whoever asks."""
    return replace(what, who=visit.who.name)


@router.get("/search/histogram", tags=["search"])
def search_histogram(visit: Reading, what: What) -> dict[str, Any]:
    """Hits with a date, by month or year; exact."""
    return {"bars": [asdict(bar) for bar in histogram(mine(visit, what), visit.case.reader, visit.case.review)]}


@router.get("/search", tags=["search"], responses=OBJECT)
def search_case(visit: Reading, what: What) -> Response:
    """Hits with their positions in the text, the lines or cells they are cited by, how the query was understood."""
    result = found(visit, replace(what, positions=True))
    names = {each.id: each.name for each in visit.case.review.tags()}
    reader, node = visit.case.reader, tree(what.query, visit.case.reader)
    told = {
        "total": result.total,
        "understood": result.understood,
        "hits": [
            {**hit(line, names), "citations": citations(reader.rows, reader.blobs, line.exhibit, node, reader.stems)}
            for line in result.lines
        ],
        "next": result.after or None,
        "facets": {name: dict(values) for name, values in result.facets.items()},
    }
    return answered(told)


@router.get("/export", tags=["search"], response_class=StreamingResponse, responses={200: _FILE})
def export(visit: Exporting, what: What, format: Literal["csv", "jsonl"] = "csv") -> StreamingResponse:
    """Every hit, streamed, however many there are."""
    search(
        replace(mine(visit, what), limit=1, after="", facets=False),
        visit.case.reader,
        visit.case.review,
    )
    detail = {"query": what.query, "format": format}
    visit.case.review.record([Entry(who=visit.who.name, action=Action.EXPORTED, detail=detail)])
    media_type = "text/csv; charset=utf-8" if format == "csv" else "application/x-ndjson"
    headers = {"Content-Disposition": f'attachment; filename="hits.{format}"'}
    return StreamingResponse(_exported(visit, what, format), media_type=media_type, headers=headers)


def _exported(visit: Visit, what: Asked, form: str) -> Iterator[str]:
    return written(pages(visit, what), {each.id: each.name for each in visit.case.review.tags()}, form)


def pages(visit: Visit, what: Asked) -> Iterator[Found]:
    what = replace(mine(visit, what), limit=500, after="", facets=False, positions=False)
    while True:
        result = search(what, visit.case.reader, visit.case.review)
        yield result
        if not result.after:
            return
        what = replace(what, after=result.after)


@router.get("/tags", tags=["coding"])
def tags(visit: Reading) -> dict[str, Any]:
    counts = visit.case.review.tag_counts()
    return {"tags": [{**asdict(each), "documents": counts.get(each.id, 0)} for each in visit.case.review.tags()]}


@router.post("/tags", status_code=201, tags=["coding"])
def make_tag(visit: Managing, asked: shapes.TagNamed) -> dict[str, Any]:
    return asdict(visit.case.review.add_tag(asked.name, visit.who.name))


@router.post("/coding/preview", tags=["coding"])
def preview_coding(visit: Deciding, asked: shapes.CodingAsked) -> dict[str, Any]:
    """How many documents it would change, and how many others decided otherwise."""
    told = preview(asked.tag, asked.on, _chosen(visit, asked), visit.case.review)
    return {**asdict(told), "conflicts": _conflicts(visit, told.conflicts)}


def _conflicts(visit: Visit, keys: Sequence[int]) -> list[dict[str, Any]]:
    """By number and name, with what somebody decided."""
    names = {each.id: each.name for each in visit.case.review.tags()}
    taggings, known = visit.case.review.taggings(keys), visit.case.reader.rows.some(keys)
    return [
        {
            "document": key,
            "control_number": known[key].control_number,
            "tags": tag_names([each for each in taggings if each.exhibit == key], names),
        }
        for key in keys
        if key in known
    ]


@router.post("/coding", tags=["coding"])
def code(visit: Deciding, asked: shapes.CodingAsked) -> dict[str, Any]:
    """One change, which can be undone as one."""
    keys = _chosen(visit, asked)
    wanted = Coding(who=visit.who.name, tag=asked.tag, on=asked.on, exhibits=tuple(keys), seen=asked.seen)
    changed = visit.case.review.code(wanted)
    versions = {key: visit.case.review.version(key) for key in asked.documents[:20]}
    return {**asdict(changed), "versions": versions}


def _chosen(visit: Visit, asked: shapes.CodingAsked) -> list[int]:
    choice = Choice(documents=asked.documents, found=_listed(visit, asked), family=asked.family)
    return chosen(choice, visit.case.reader, visit.case.review)


def _listed(visit: Visit, asked: shapes.CodingAsked) -> Asked | None:
    if asked.query is None:
        return None
    tags, without = tuple(asked.tags), tuple(asked.without)
    return mine(visit, Asked(query=asked.query, tags=tags, without=without, read=asked.read, round=asked.round))


@router.post("/coding/{change}/undo", tags=["coding"])
def undo(visit: Deciding, change: Number) -> dict[str, Any]:
    """Of your own changes; what others have changed since stays."""
    return asdict(visit.case.review.undo(change, visit.who.name))


@router.get("/searches", tags=["search"])
def saved_searches(visit: Reading) -> dict[str, Any]:
    return {"searches": [asdict(each) for each in visit.case.review.saved_searches()]}


@router.post("/searches", status_code=201, tags=["search"])
def save_search(visit: Deciding, asked: shapes.SearchSaved) -> dict[str, Any]:
    return asdict(visit.case.review.save_search(asked.name, asked.query, visit.who.name))


@router.delete("/searches/{saved}", status_code=204, tags=["search"])
def drop_search(visit: Deciding, saved: Number) -> None:
    if not visit.case.review.drop_search(saved, visit.who.name):
        raise NotFound("there is no such saved search")


@router.get("/term-sets", tags=["search"])
def term_sets(visit: Reading) -> dict[str, Any]:
    """Marked on every document, each in its colour."""
    return {"term_sets": [asdict(each) for each in visit.case.review.term_sets()]}


@router.put("/term-sets", tags=["search"])
def set_terms(visit: Deciding, asked: shapes.TermsAsked) -> dict[str, Any]:
    """In place of the set of this name. A line that can't be read is refused."""
    for line in filter(None, map(str.strip, asked.terms.splitlines())):
        visit.case.reader.understood(line)
    return asdict(visit.case.review.set_terms(asked.name, asked.colour, asked.terms, visit.who.name))
