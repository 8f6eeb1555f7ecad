"""Where the words of a query stand in a document, as people cite it: `45:12-46:3`, `Sheet1!C12`. For hits shown."""

from redwell.core.artifacts import ArtifactKind
from redwell.core.case.rows import Exhibit
from redwell.core.cell_map import CellMap
from redwell.core.search.matches import Matches
from redwell.core.search.query import Node
from redwell.core.search.stems import Stems
from redwell.load.texts import one_text
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader
from redwell.runtime.transcripts.citing import MOST
from redwell.runtime.transcripts.citing import citations as lines_cited

_SPREADSHEET = "spreadsheet"


def citations(
    rows: CaseReader, blobs: BlobReader, exhibit: Exhibit, query: Node, stems: Stems | None = None
) -> list[str]:
    """Each place once, in order; none of a document that has neither lines nor cells to cite."""
    if exhibit.kind == _SPREADSHEET and exhibit.text:
        return _cells(rows, blobs, exhibit, Matches(query, stems))
    return lines_cited(rows, blobs, exhibit, query, stems)


def _cells(rows: CaseReader, blobs: BlobReader, exhibit: Exhibit, matches: Matches) -> list[str]:
    made = next((made for made in rows.artifacts(exhibit.id) if made.kind == ArtifactKind.CELL_MAP), None)
    if made is None:  # read by an older version, or by another reader than the usual one
        return []
    text = one_text(exhibit, rows, blobs)
    cells = CellMap(blobs.read(made.sha256, rows.known_blobs([made.sha256])[made.sha256]), text)
    cited = dict.fromkeys(cells.cite(span.start) for span in matches.spans(text))
    return [place for place in cited if place][:MOST]
