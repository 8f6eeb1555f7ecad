"""One document as the desk shows it: its text and pages with what is marked on them, its relatives, its decisions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from redwell.core.case.rows import Exhibit
from redwell.core.review.values import Action, Logged, TermSet
from redwell.core.search.matches import Matches
from redwell.core.search.query import Everything, Node
from redwell.entrypoints.http.document_routes import replaces
from redwell.entrypoints.http.documents_shown import one, title
from redwell.entrypoints.http.rendition_routes import can_have_pages
from redwell.entrypoints.http.visits import Visit
from redwell.entrypoints.web.marked_text import MOST_CHARS, Mark, hit_lines, marks, pieces, places, terms
from redwell.load.texts import one_text
from redwell.review.marking import marked_query, page_boxes, term_sets
from redwell.review.relatives import near_to, thread_of
from redwell.review.searching import Asked

SHOWN = ("bcc", "author", "title", "created", "modified", "language")
PAGES_LOOKED_AT = 40  # for the first hit, where the text does not tell its pages
OfSet = tuple[TermSet, Node]


def pane_values(visit: Visit, key: int, what: Asked, *, is_read: bool = True) -> dict[str, Any]:
    exhibit = one(visit, key)
    if is_read:
        visit.home.viewed(visit.case.number, visit.who.name, key)
    return {
        "exhibit": exhibit,
        "title": title(exhibit),
        "query": what.query,
        "asks_for_pages": can_have_pages(visit, exhibit),
        "head": _head(exhibit),
        "metadata": [(name, exhibit.metadata[name]) for name in SHOWN if exhibit.metadata.get(name)],
        "data": visit.case.understanding.ingestions(key)[-1:],
        **_text_values(visit, exhibit, what),
        **_relatives(visit, exhibit),
        **_decisions(visit, exhibit),
    }


def _text_values(visit: Visit, exhibit: Exhibit, what: Asked) -> dict[str, Any]:
    """Its text and pages with what is marked on them."""
    reader = visit.case.reader
    node, sets = marked_query(what.query, reader), term_sets(reader, visit.case.review)
    text = one_text(exhibit, reader.rows, reader.blobs)
    spans = Matches(node, reader.stems).spans(text) if not isinstance(node, Everything) else []
    of_sets = [(each, set_node, Matches(set_node, reader.stems).spans(text)) for each, set_node in sets]
    marked = marks(node, spans, [(each.colour, found) for each, _, found in of_sets])
    return {
        "pieces": list(pieces(text, marked)),
        "hit_lines": hit_lines(text, marked),
        "marked": len(marked),
        "term_sets": [(each.name, each.colour, terms(set_node, found)) for each, set_node, found in of_sets],
        "is_cut": len(text) > MOST_CHARS,
        "chars": len(text),
        "terms": terms(node, spans),
        "pages": visit.case.view.pages(exhibit.id),
        "places": _hits_on_pages(visit, exhibit.id, marked, node, sets),
        "is_exact": all(mark.page for mark in marked) or exhibit.pages == 1,
    }


def _relatives(visit: Visit, exhibit: Exhibit) -> dict[str, Any]:
    """Family, copies, thread and what says nearly the same, with what was decided of each."""
    rows, key = visit.case.reader.rows, exhibit.id
    family, copies = rows.family(key), rows.copies(key)
    mails, alike = thread_of(exhibit, rows), near_to(exhibit, rows)
    taggings = visit.case.review.taggings([member.id for member in [*family, *copies, *mails, *alike]])
    return {
        "family": family,
        "copies": copies,
        "thread": mails,
        "near": alike,
        "decided": _decided(visit, taggings),
        "otherwise": _otherwise(key, family, taggings),
    }


def _decisions(visit: Visit, exhibit: Exhibit) -> dict[str, Any]:
    store, key = visit.case.review, exhibit.id
    return {
        "own_tags": {each.tag: each for each in store.taggings([key])},
        "version": store.version(key),
        "notes": store.notes(key),
        "history": _told_once(store.history(key, 40))[:12],
        "replaced_by": store.replacements([key]),
        "replaces": replaces(visit, exhibit),
    }


def _decided(visit: Visit, taggings: Any) -> dict[int, str]:
    """What somebody decided of each, in words."""
    names = {tag.id: tag.name for tag in visit.case.review.tags()}
    told: dict[int, list[str]] = {}
    for each in taggings:
        told.setdefault(each.exhibit, []).append(names.get(each.tag, ""))
    return {exhibit: ", ".join(tags) for exhibit, tags in told.items()}


def _head(exhibit: Exhibit) -> list[tuple[str, str]]:
    """Of a mail: what its reader sees first."""
    if exhibit.kind != "mail":
        return []
    named = (("From", "from"), ("To", "to"), ("Cc", "cc"), ("Date", "date"), ("Subject", "subject"))
    return [(label, flat(exhibit.metadata[key])) for label, key in named if exhibit.metadata.get(key)]


def flat(value: object) -> str:
    """One value or many, as a line."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _otherwise(key: int, family: list[Exhibit], taggings: Any) -> int:
    """Members that somebody decided about differently."""
    own = {each.tag for each in taggings if each.exhibit == key}
    tags: dict[int, set[int]] = {}
    for each in taggings:
        tags.setdefault(each.exhibit, set()).add(each.tag)
    return sum(1 for member in family if member.id != key and tags.get(member.id, own) != own)


def _hits_on_pages(visit: Visit, key: int, marked: Sequence[Mark], query: Node, sets: Sequence[OfSet]) -> str:
    """By the text where it says where its pages end; else by the words of the first pages, as far as they were made."""
    reader, pages = visit.case.reader, visit.case.view.pages(key)
    if pages == 1:
        return places([replace(mark, page=1) for mark in marked])
    if any(mark.page for mark in marked) or not marked:
        return places(marked)
    found = list[str]()
    for number in range(1, min(pages, PAGES_LOOKED_AT) + 1):
        if words := reader.view.words(key, number):
            boxes = page_boxes(words, query, sets, reader.stems)
            found += dict.fromkeys(f"{number},{box.colour},{box.nth}" for box in boxes)
    return ";".join(found)


def _told_once(entries: Sequence[Logged]) -> list[Logged]:
    """Somebody who looked at it page by page has looked once."""
    told = list[Logged]()
    for entry in entries:
        is_same = told and (entry.who, entry.action) == (told[-1].who, told[-1].action) == (entry.who, Action.VIEWED)
        told += [] if is_same else [entry]
    return told
