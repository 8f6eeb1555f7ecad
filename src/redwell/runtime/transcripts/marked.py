"""The documents that were marked as exhibits in a transcript, where the case has them. Called by the reading page."""

from typing import NamedTuple

from redwell.core.case.rows import Exhibit
from redwell.core.search.request import CONTROL_NUMBER, Search, Sort
from redwell.core.transcripts.reading_view import exhibit_query, marked_exhibits
from redwell.runtime.bootstrap.open_reader import Reader

_LOOKED_FOR, _SHOWN = 200, 3


class Marked(NamedTuple):
    name: str
    place: str  # page and line where it was marked
    query: str
    found: int  # documents, all of them
    documents: list[Exhibit]  # the first of them


def marked_in(reader: Reader, transcript: Exhibit) -> list[Marked]:
    """Each mark with the documents that are called or numbered like it; the transcript itself is none."""
    told = marked_exhibits(transcript.metadata.get("exhibits_marked"))
    known: dict[str, tuple[int, list[Exhibit]]] = {}
    for name, _ in told[:_LOOKED_FOR]:
        if name not in known:
            known[name] = _found(reader, name, transcript)
    return [Marked(name, place, exhibit_query(name), *known.get(name, (0, []))) for name, place in told]


def _found(reader: Reader, name: str, transcript: Exhibit) -> tuple[int, list[Exhibit]]:
    query = reader.understood(exhibit_query(name))
    wanted = Search(query=query, sort=Sort(CONTROL_NUMBER), limit=_SHOWN + 1, snippets=False)
    page = reader.index.search(wanted)
    keys = [hit.exhibit for hit in page.hits if hit.exhibit != transcript.id]
    rows = reader.rows.some(keys[:_SHOWN]) if keys else {}
    is_itself = len(keys) < len(page.hits)
    return page.total - is_itself, [rows[key] for key in keys[:_SHOWN] if key in rows]
