"""Lists of hits as files: CSV in which no cell is a formula, or a JSON object a line."""

import io
import json
from collections.abc import Iterable, Iterator, Mapping

from redwell.core.case.native_bytes import native_sha256
from redwell.core.csv_output import CsvOutput
from redwell.entrypoints.http.documents_shown import date_of, hit, tag_names, title
from redwell.review.searching import Found, Line

COLUMNS = (
    "control_number",
    "title",
    "date",
    "kind",
    "outcome",
    "custodian",
    "path",
    "size",
    "sha256",
    "tags",
    "snippet",
)


def written(pages: Iterable[Found], names: Mapping[int, str], form: str) -> Iterator[str]:
    buffer = io.StringIO()
    table = CsvOutput(buffer, COLUMNS, raw=False) if form == "csv" else None
    for page in pages:
        for line in page.lines:
            if table:
                table.write(_row(line, names))
            else:
                buffer.write(json.dumps(hit(line, names)) + "\n")
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _row(line: Line, names: Mapping[int, str]) -> dict[str, str]:
    exhibit = line.exhibit
    return {
        "control_number": exhibit.control_number,
        "title": title(exhibit),
        "date": date_of(exhibit),
        "kind": exhibit.kind or "",
        "outcome": exhibit.outcome or "",
        "custodian": exhibit.custodian or "",
        "path": exhibit.path,
        "size": str(exhibit.size or ""),
        "sha256": own.hex() if (own := native_sha256(exhibit)) else "",
        "tags": "; ".join(tag_names(line.taggings, names)),
        "snippet": line.hit.snippet,
    }
