"""The load files of a volume, read for an import: records of any kind with their fields, pages by document. Pure.

Called in a child. What stands in a column that nobody knows is kept under the column's own name.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Protocol

from redwell.core.errors import UserError
from redwell.core.loadfiles.fields import BY_ALIAS, FIELDS, plain
from redwell.core.loadfiles.formats import dii, edrm, lfp, opticon
from redwell.core.loadfiles.formats.encodings import decoded, find_encoding, repaired
from redwell.core.loadfiles.formats.probe import load_file_kind
from redwell.core.loadfiles.formats.rows import Row, Rows
from redwell.core.loadfiles.formats.sniff import FoundDialect, LoadFileKind, find_dialect, kind_of
from redwell.core.loadfiles.lines import Lines
from redwell.core.loadfiles.mapping import Column, from_table, propose
from redwell.core.loadfiles.mapping import Mapping as ColumnMapping
from redwell.core.loadfiles.pages import Page
from redwell.core.loadfiles.records.guessed_columns import by_values
from redwell.core.loadfiles.volume_document import SURE

_HEAD, _PROBED = 1 << 18, 4096
_PAGE_KINDS = (LoadFileKind.OPTICON, LoadFileKind.LFP)
_MOST_COLUMNS = 5_000
_TABLES = frozenset({".csv", ".tsv"})
Chunks = Callable[[], Iterator[bytes]]


@dataclass(slots=True)
class RawRecord:
    """A row as it was given: `values` by field, `others` by the names of their columns."""

    row: int
    values: dict[str, str]
    others: dict[str, str] = field(default_factory=dict)
    images: list[str] = field(default_factory=list)  # of a DII: paths in the order of the pages
    beside: list[str] = field(default_factory=list)  # texts that should lie beside its images, in order
    said: str = ""  # its text, where it stands in the load file itself
    troubles: list[str] = field(default_factory=list)


class _HasHeader(Protocol):
    @property
    def kind(self) -> LoadFileKind: ...
    @property
    def found(self) -> FoundDialect: ...
    def header(self) -> list[str] | None: ...


def usual_headers(files: Iterable[_HasHeader]) -> list[list[str]]:
    """Those that say what columns are; a file without one may be a part of a file that has."""
    tables = (each for each in files if each.kind is LoadFileKind.DELIMITED)
    return [header for each in tables if each.found.usual_names and (header := each.header())]


class LoadFile:
    """One load file; how it is written is found out when it is first asked."""

    def __init__(self, name: str, chunks: Chunks, mapping: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self._chunks, self._told = chunks, mapping
        self._encoding = find_encoding(chunks())
        self._head = "".join(islice(decoded(chunks(), self._encoding), 1))[:_HEAD]
        self.kind = kind_of(self._head)
        self._found: FoundDialect | None = None
        self.mapping: ColumnMapping | None = None

    @property
    def has_pages(self) -> bool:
        return self.kind in _PAGE_KINDS

    def could_be_one(self) -> bool:
        """Whether a table that says little of files could be meant: it has an id, where nothing else is a load file."""
        if PurePosixPath(self.name).suffix.lower() not in _TABLES or self.kind is not LoadFileKind.DELIMITED:
            return False
        return propose(self.header() or []).id_field is not None

    def is_one(self) -> bool:
        """Whether it is a load file at all: a text or a table beside them need not be."""
        if PurePosixPath(self.name).suffix.lower() in SURE:
            return True
        return load_file_kind(next(self._chunks(), b"")[:_PROBED]) is not None

    def described(self) -> str:
        """How it is written, in a few words."""
        if self.kind is not LoadFileKind.DELIMITED:
            return f"{self.kind.value}, {self._encoding.encoding}"
        found = self.found
        signs = f"separator {found.dialect.separator!r}, qualifier {found.dialect.qualifier!r}"
        return f"{self.kind.value}, {self._encoding.encoding}, {signs}, {'a' if found.header else 'no'} header"

    @property
    def found(self) -> FoundDialect:
        if self._found is None:
            self._found = find_dialect(self._head, cut=len(self._head) >= _HEAD)
        return self._found

    def lines(self) -> Lines:
        cr_only = self.kind is LoadFileKind.DELIMITED and "\n" not in self._head and "\r" in self._head
        return Lines(decoded(self._chunks(), self._encoding), "\r" if cr_only else "\n")

    def pages(self) -> Iterator[Page]:
        read = opticon.read_pages if self.kind is LoadFileKind.OPTICON else lfp.read_pages
        return read(self.lines())

    # columns

    def header(self) -> list[str] | None:
        """Its column names; None where its first row holds values."""
        if not self.found.header:
            return None
        return next((row.values for row in self._rows()), [])

    def first_rows(self, count: int) -> list[list[str]]:
        rows = (row.values for row in self._rows())
        return list(islice(rows, int(self.found.header), count + int(self.found.header)))

    def map_columns(self, headers: Sequence[Sequence[str]], is_path: Callable[[str], bool]) -> None:
        """By its own names, else by those of a file of the same width, else by what its values are."""
        self._found = self.found.beside(headers)
        rows = self.first_rows(50)
        width = max((len(row) for row in rows), default=0)
        names = self.header() or next((list(each) for each in headers if len(each) == width), None)
        shown = names if names is not None else [f"column {number}" for number in range(1, width + 1)]
        self.mapping = self._as_told(shown) or propose(shown[:_MOST_COLUMNS], rows[0] if rows else [])
        self.mapping = by_values(self.mapping, rows, is_path)

    def fits(self) -> bool:
        """Whether the mapping that a person gave is of this file."""
        return self.kind is LoadFileKind.DELIMITED and self._as_told(self.header() or []) is not None

    def _as_told(self, names: Sequence[str]) -> ColumnMapping | None:
        """A mapping is of the files that it fits."""
        try:
            return from_table(self._told, names) if self._told else None
        except UserError:
            return None

    def _rows(self) -> Iterator[Row]:
        return (row for row in Rows(self.lines(), self.found.dialect, self.found.width) if row.values)

    # records

    def records(self) -> Iterator[RawRecord]:
        if self.kind is LoadFileKind.DII:
            return map(of_dii, dii.read_records(self.lines()))
        if self.kind is LoadFileKind.EDRM:
            return map(_of_edrm, edrm.read_documents(self._chunks()))
        return self._of_table()

    def _of_table(self) -> Iterator[RawRecord]:
        assert self.mapping is not None
        columns = [column for column in self.mapping.columns if column.field != "-"]
        width = len(self.mapping.columns)
        for number, row in enumerate(self._rows(), 1):
            if number > 1 or not self.found.header:
                yield _of_row(number, row, columns, width)


def _of_row(number: int, row: Row, columns: Sequence[Column], width: int) -> RawRecord:
    record = RawRecord(number, {})
    if len(row.values) != width:
        record.troubles.append(f"the row has {len(row.values):,} values, its header {width:,}")
    for column in columns:
        if column.number <= len(row.values) and (value := repaired(row.values[column.number - 1]).strip()):
            (record.values if column.field else record.others)[column.field or column.name] = value
    for at in range(width, min(len(row.values), width + _MOST_COLUMNS)):
        if value := repaired(row.values[at]).strip():
            record.others[f"column {at + 1}"] = value
    record.troubles += [f"{fault.value} (column {column})" for fault, column in row.faults]
    return record


def of_dii(found: dii.DiiRecord) -> RawRecord:
    record = RawRecord(found.row, {"docid": found.id})
    texts = found.fields.pop("FULLTEXT", "").upper()
    for name, value in found.fields.items():
        known = dii.DII_FIELDS.get(name, BY_ALIAS.get(plain(name), ""))
        if known and known not in record.values:
            record.values[known] = repaired(value)
        else:
            record.others[name] = repaired(value)
    folder = found.folder.removeprefix("@I").removeprefix("@V").strip().partition(":")[2] or found.folder
    folder = folder.removeprefix("@I").strip("\\/ ")
    record.images = [f"{folder}\\{name}" if folder else name for name in found.images]
    record.beside = _beside(texts, folder, record)
    record.said = record.others.pop("EMAIL-BODY", "")
    record.troubles = [code for code, _ in found.faults]
    return record


def _beside(texts: str, folder: str, record: RawRecord) -> list[str]:
    """Where `@FULLTEXT` puts the texts: one for each image, or one for the document, called as its first image is."""
    if not texts or record.values.get("textpath"):
        return []
    named = [image.rpartition(".")[0] + ".txt" for image in record.images]
    if texts.startswith("PAGE"):
        return named
    return named[:1] or [f"{folder}\\{record.values['docid']}.txt" if folder else f"{record.values['docid']}.txt"]


def _of_edrm(found: edrm.EdrmDocument) -> RawRecord:
    record = RawRecord(found.line, {"docid": found.id, **({"parentid": found.parent} if found.parent else {})})
    for name, value in found.fields.items():
        if name in FIELDS and name not in record.values:
            record.values[name] = value
        elif name not in FIELDS:
            record.others[name] = value
    record.troubles = [f"its {kind} stands inside of the XML and was not taken out" for kind in found.inline]
    return record
