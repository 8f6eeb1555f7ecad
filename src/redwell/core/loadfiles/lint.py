"""Runs the checks over the rows or records of one load file. Called by runtime.loadfiles.linting. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from redwell.core.loadfiles.checks.shape import ShapeCheck
from redwell.core.loadfiles.fields import FIELDS
from redwell.core.loadfiles.formats.dii import DiiRecord
from redwell.core.loadfiles.formats.edrm import EdrmDocument
from redwell.core.loadfiles.formats.rows import Row, Rows
from redwell.core.loadfiles.mapping import Mapping
from redwell.core.loadfiles.records.record import Check, Record
from redwell.core.loadfiles.records.record_files import of_dii
from redwell.core.loadfiles.rules import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A delimited load file, opened: what its columns are."""

    file: str
    names: Sequence[str]
    mapping: Mapping
    has_header: bool

    @property
    def width(self) -> int:
        return len(self.mapping.columns)


class TableLint:
    """Findings of a delimited file in the order of its rows. `records` counts, once it was iterated."""

    def __init__(self, table: Table, rows: Rows, checks: Sequence[Check]) -> None:
        self._table = table
        self._rows = rows
        self._checks = checks
        self._columns = {column.field: column.number for column in table.mapping.columns if column.field in FIELDS}
        self.records = 0

    def __iter__(self) -> Iterator[Finding]:
        table = self._table
        shape = ShapeCheck(table.file, table.names, table.width)
        number = 0
        for row in self._rows:
            number += bool(row.values)
            if number == 1 and row.values:
                yield from shape.header(table.mapping, table.has_header, row)
            yield from shape.see(row, number or 1)
            if row.values and not (number == 1 and table.has_header):
                self.records += 1
                yield from self._record(row, number)
        if not self.records:
            yield Finding(code="no-records", file=table.file)

    def _record(self, row: Row, number: int) -> Iterator[Finding]:
        """A row of another width has its values in the wrong columns: only its first ones, and its id, are believed."""
        id_field = self._table.mapping.id_field
        if id_field is None:
            return
        shifted = len(row.values) != self._table.width
        values = {
            field: row.values[column - 1].strip()
            for field, column in self._columns.items()
            if column <= len(row.values) and (not shifted or field == id_field)
        }
        columns = {id_field: self._columns[id_field]} if shifted else self._columns
        record = Record(self._table.file, number, row.line, values, columns, id_field, self._table.names)
        for check in self._checks:
            yield from check.see(record)


def lint_dii(file: str, records: Iterable[DiiRecord], checks: Sequence[Check]) -> Iterator[Finding]:
    for each in records:
        raw = of_dii(each)
        values = {**({"pgcount": str(len(raw.images))} if raw.images else {}), **raw.values}
        record = Record(
            *(file, each.row, each.row, values, dict.fromkeys(values, 0), "docid"),
            images=raw.images,
            beside=raw.beside,
        )
        for code, row in each.faults:
            yield Finding(code=code, file=file, row=row, line=row)
        for check in checks:
            yield from check.see(record)


def lint_edrm(file: str, documents: Iterable[EdrmDocument], checks: Sequence[Check]) -> Iterator[Finding]:
    for each in documents:
        values = {name: value for name, value in each.fields.items() if name in FIELDS}
        values = {**values, "docid": each.id, **({"parentid": each.parent} if each.parent else {})}
        record = Record(file, each.line, each.line, values, dict.fromkeys(values, 0), "docid")
        for kind in each.inline:
            yield Finding(code="file-inline", file=file, row=each.line, line=each.line, value=each.id, detail=kind)
        for check in checks:
            yield from check.see(record)
