"""Where in a transcript the words of a query stand, as people cite it. Called by whoever shows hits."""

from redwell.core.case.rows import Exhibit
from redwell.core.search.matches import Matches
from redwell.core.search.query import Node
from redwell.core.search.stems import Stems
from redwell.core.transcripts.layout import Layout, lay_out
from redwell.core.transcripts.probe import may_be_transcript
from redwell.load.texts import one_text
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader

_KINDS = frozenset({"transcript", "pdf"})  # a PDF may be one
_HEAD = 4096
MOST = 50


def laid_out(rows: CaseReader, blobs: BlobReader, exhibit: Exhibit) -> tuple[str, Layout] | None:
    """The text of a transcript with its pages and lines; None for anything else."""
    if exhibit.kind not in _KINDS or not exhibit.text:
        return None
    text = one_text(exhibit, rows, blobs)
    if exhibit.kind != "transcript" and not may_be_transcript(text[:_HEAD].encode("utf-8", "replace")):
        return None
    layout = lay_out(text)
    return (text, layout) if layout else None


def places_of(query: Node, stems: Stems | None, text: str) -> list[tuple[int, int]]:
    """Where the words of a query stand; those of `q:` and `a:` in questions and answers alone."""
    return sorted({(span.start, span.end) for span in Matches(query, stems).spans(text)})


def citations(
    rows: CaseReader, blobs: BlobReader, exhibit: Exhibit, query: Node, stems: Stems | None = None
) -> list[str]:
    """`45:12`, `45:25-46:1`: each place once, in order; none for what is no transcript."""
    found = laid_out(rows, blobs, exhibit)
    if found is None:
        return []
    text, layout = found
    places = (layout.cite(start, end) for start, end in places_of(query, stems, text))
    return list(dict.fromkeys(place for place in places if place))[:MOST]
