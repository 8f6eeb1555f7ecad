"""The queue of what needs a person: a page with its evidence marked, fields beside it, decided by keyboard."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from redwell.core.page_words import PageWords
from redwell.core.understanding.evidence import boxed
from redwell.core.understanding.proposals import Box, Place
from redwell.entrypoints.http.data_routes import ingestion_shown, taken
from redwell.entrypoints.http.documents_shown import one, title
from redwell.entrypoints.http.rendition_routes import can_have_pages
from redwell.entrypoints.http.visits import LARGEST_ID, Deciding, Number, Reading, Visit
from redwell.entrypoints.web.rendering import page, to
from redwell.load.texts import one_text

router = APIRouter(prefix="/cases/{case}")
_MOST_CHARS = 100_000
_MOST_PAGES = 40


@router.get("/data")
def data(request: Request, visit: Reading) -> Response:
    store = visit.case.understanding
    return page(
        request,
        "data.html",
        visit.who,
        visit=visit,
        counts=store.counts(),
        model=store.model(),
        schemas=store.schemas(),
        spent=store.spent(),
    )


@router.post("/data/next")
def following(visit: Deciding, after: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0) -> Response:
    found = taken(visit, after)
    return to(f"/cases/{visit.case.number}/data" + (f"/{found.id}" if found else ""))


@router.get("/data/{ingestion}")
def decide(request: Request, visit: Reading, ingestion: Number) -> Response:
    found = visit.case.understanding.ingestion(ingestion)
    if found is None:
        return to(f"/cases/{visit.case.number}/data")
    exhibit = one(visit, found.exhibit)
    visit.home.viewed(visit.case.number, visit.who.name, exhibit.id)
    shown = ingestion_shown(visit, found)
    text = one_text(exhibit, visit.case.reader.rows, visit.case.reader.blobs)
    pages = _pages(visit, exhibit.id, shown["fields"], text)
    return page(
        request,
        "decide.html",
        visit.who,
        visit=visit,
        exhibit=exhibit,
        title=title(exhibit),
        ingestion=shown,
        pages=pages,
        asks_for_pages=not pages and can_have_pages(visit, exhibit),
        pieces=_pieces(text[:_MOST_CHARS], shown["fields"]),
    )


def _pages(visit: Visit, key: int, fields: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    shown = []
    for number in range(1, min(_MOST_PAGES, visit.case.view.pages(key)) + 1):
        places = [
            (count, Place(**field["place"]))
            for count, field in enumerate(fields)
            if field["place"] and field["place"]["page"] == number
        ]
        words = visit.case.view.words(key, number) if any(not place.boxes for _, place in places) else None
        boxes = [(count, box) for count, place in places for box in _boxes(place, text, words)]
        shown.append({"number": number, "boxes": boxes})
    return shown


def _boxes(place: Place, text: str, words: PageWords | None) -> Sequence[Box]:
    """Where the page was made after the document was read, they are found now."""
    return place.boxes or boxed(place, text[place.start : place.end], words).boxes


def _pieces(text: str, fields: list[dict[str, Any]]) -> list[tuple[str, int | None]]:
    """The text, cut where evidence begins and ends; None: no evidence."""
    spans = sorted(
        (field["place"]["start"], field["place"]["end"], number)
        for number, field in enumerate(fields)
        if field["place"] and field["place"]["page"] > 0
    )
    found, done = list[tuple[str, int | None]](), 0
    for start, end, number in spans:
        if start < done or end > len(text):
            continue  # two fields may stand in one passage
        found += [(text[done:start], None), (text[start:end], number)]
        done = end
    return [*found, (text[done:], None)]
