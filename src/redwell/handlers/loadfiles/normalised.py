"""The normalised load file of a volume: every record with the names that Redwell uses, beside the kept originals.

Used by the volume handler, in a child. Columns are those of the first thousand records; what comes later and has no
column is in the exhibits, and not here.
"""

from pathlib import Path

from redwell.core.loadfiles.formats.dialect import CONCORDANCE
from redwell.core.loadfiles.formats.writing import RowWriter
from redwell.core.loadfiles.records.record_document import RecordDocument

_AHEAD = 1_000
_MOST_COLUMNS = 1_000


class Normalised:
    def __init__(self, target: Path) -> None:
        self.rows = 0
        self._target = target
        self._held: list[dict[str, str]] = []
        self._columns: list[str] = []
        self._writer = RowWriter(CONCORDANCE)
        self._file = target.open("wb")

    def add(self, record: RecordDocument, parent: str = "") -> None:
        body = record.body
        row = {"docid": body.id, "parentid": parent, **body.values, **body.dates, **body.others}
        for part in record.parts:
            row[f"{part.role}path"] = part.name
        if body.pages:
            row["pages_given"] = str(len(body.pages))
        row["loadfile"], row["loadfile_row"] = body.file, str(body.row)
        if parent:
            row["parentid"] = parent
        self._add(row)
        for each in body.attached:
            self.add(each, body.id)

    def _add(self, row: dict[str, str]) -> None:
        self.rows += 1
        if self._columns:
            self._write(row)
            return
        self._held.append(row)
        if len(self._held) >= _AHEAD:
            self._begin()

    def _begin(self) -> None:
        self._columns = list(dict.fromkeys(name for row in self._held for name in row))[:_MOST_COLUMNS]
        if self._columns:
            self._file.write(self._writer.row(self._columns))
        for row in self._held:
            self._write(row)
        self._held.clear()

    def _write(self, row: dict[str, str]) -> None:
        self._file.write(self._writer.row([row.get(name, "") for name in self._columns]))
        self._writer.changed.clear()

    def made(self) -> Path | None:
        if not self._columns:
            self._begin()
        self._file.close()
        if not self.rows:
            self._target.unlink()
            return None
        return self._target
