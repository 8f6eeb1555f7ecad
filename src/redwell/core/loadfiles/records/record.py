"""A record of any document-level load file (DAT, CSV, DII, EDRM XML) by fields, as checks see it. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from redwell.core.loadfiles.rules import Finding


@dataclass(frozen=True, slots=True)
class Record:
    file: str
    row: int  # the header counted
    line: int
    values: Mapping[str, str]  # by field, without blanks around them
    columns: Mapping[str, int]  # of the fields, from 1
    id_field: str = ""
    names: Sequence[str] = ()  # of all columns, as the file has them
    images: Sequence[str] = ()  # its pages, where the record itself names them
    beside: Sequence[str] = ()  # texts that should lie beside its images; none of them has to

    @property
    def id(self) -> str:
        return self.values.get(self.id_field, "") or self.values.get("begbates", "")

    def finding(self, code: str, field: str = "", detail: str = "", value: str | None = None) -> Finding:
        """A defect of this record, in the column of a field."""
        column = self.columns.get(field, 0)
        shown = self.values.get(field, "") if value is None else value
        return Finding(
            code=code,
            file=self.file,
            row=self.row,
            line=self.line,
            column=column,
            field=self.names[column - 1] if 0 < column <= len(self.names) else field,
            value=shown[:200],
            detail=detail,
        )


class Check(Protocol):
    """Sees every record once; `end` tells what only all of them show."""

    def see(self, record: Record) -> Iterator[Finding]: ...
    def end(self) -> Iterator[Finding]: ...
