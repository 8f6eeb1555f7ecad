"""Is a delimited file written as its own header says: widths, qualifiers, letters? Called by the lint. Pure."""

import re
from collections.abc import Iterator, Sequence

from redwell.core.loadfiles.formats.encodings import has_strays, looks_misread
from redwell.core.loadfiles.formats.rows import Fault, Row
from redwell.core.loadfiles.mapping import Mapping
from redwell.core.loadfiles.rules import Finding

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONG = 32_767
_FAULTS = {Fault.BLANK_LINE: "blank-line", Fault.UNCLOSED: "qualifier-open", Fault.INSIDE: "qualifier-inside"}


class ShapeCheck:
    """Sees rows, not records: what is wrong before columns mean anything."""

    def __init__(self, file: str, names: Sequence[str], width: int) -> None:
        self._file = file
        self._names = names
        self._width = width
        self._misread = False

    def header(self, mapping: Mapping, has_header: bool, row: Row) -> Iterator[Finding]:
        """What the first row shows, once."""
        if not has_header:
            yield Finding(code="no-header", file=self._file, row=1, line=row.line)
        else:
            yield from self._named(row)
        if mapping.id_field is None:
            yield Finding(code="no-id-column", file=self._file, row=1, line=row.line)

    def _named(self, row: Row) -> Iterator[Finding]:
        seen: dict[str, int] = {}
        for column, name in enumerate(row.values, 1):
            plain = name.strip().casefold()
            if not plain:
                yield Finding(code="header-blank", file=self._file, row=1, line=row.line, column=column)
            elif seen.setdefault(plain, column) != column:
                detail = f"column {seen[plain]}"
                yield self._finding("header-repeated", row, 1, column, name, detail)

    def see(self, row: Row, number: int) -> Iterator[Finding]:
        for fault, column in row.faults:
            value = row.values[column - 1] if 0 < column <= len(row.values) else ""
            yield self._finding(_FAULTS[fault], row, number, column, value)
        if row.values and len(row.values) != self._width:
            detail = f"{len(row.values):,} values, {self._width:,} in the first row"
            yield self._finding("field-count", row, number, min(len(row.values), self._width) + 1, "", detail)
        whole = "".join(row.values)
        if whole.isascii() and whole.isprintable() and len(whole) <= _LONG:
            return
        for column, value in enumerate(row.values, 1):
            yield from self._letters(row, number, column, value)

    def _letters(self, row: Row, number: int, column: int, value: str) -> Iterator[Finding]:
        if len(value) > _LONG:
            yield self._finding("value-too-long", row, number, column, value, f"{len(value):,} characters")
        if has_strays(value):
            yield self._finding("encoding-mixed", row, number, column, value)
        elif looks_misread(value) and not self._misread:
            self._misread = True  # once a file: mostly all of it is so
            yield self._finding("encoding-misread", row, number, column, value)
        if not value.isprintable() and _CONTROLS.search(value):
            yield self._finding("control-character", row, number, column, value)

    def _finding(self, code: str, row: Row, number: int, column: int, value: str, detail: str = "") -> Finding:
        name = self._names[column - 1] if 0 < column <= len(self._names) else ""
        return Finding(
            code=code,
            file=self._file,
            row=number,
            line=row.line,
            column=column,
            field=name,
            value=value[:200],
            detail=detail,
        )
