"""Every table that a command prints as CSV."""

import csv
from collections.abc import Mapping, Sequence
from typing import TextIO

from redwell.core.spreadsheet_cells import as_text


class CsvOutput:
    """Writes the header at once. Cells that a spreadsheet would take for formulas get an apostrophe, unless `raw`."""

    def __init__(self, out: TextIO, fields: Sequence[str], *, raw: bool = False) -> None:
        self._raw = raw
        self._writer = csv.DictWriter(out, fields)
        self._writer.writeheader()

    def write(self, row: Mapping[str, str]) -> None:
        self._writer.writerow(row if self._raw else {name: as_text(cell) for name, cell in row.items()})
