"""`redwell loadfile lint`: all load files of a volume, each other, and the files around them. Reads, never writes."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from redwell.core.errors import BadInput
from redwell.core.loadfiles.checks.families import FamilyCheck
from redwell.core.loadfiles.checks.files import Balance, FileCheck
from redwell.core.loadfiles.checks.pages import PageCheck
from redwell.core.loadfiles.checks.ranges import RangeCheck
from redwell.core.loadfiles.checks.values import ValueCheck
from redwell.core.loadfiles.formats import dii, edrm, lfp, opticon
from redwell.core.loadfiles.formats.rows import Rows
from redwell.core.loadfiles.formats.sniff import LoadFileKind
from redwell.core.loadfiles.lint import Table, TableLint, lint_dii, lint_edrm
from redwell.core.loadfiles.mapping import Mapping, from_table, propose
from redwell.core.loadfiles.pages import Page
from redwell.core.loadfiles.records.record import Check
from redwell.core.loadfiles.records.record_files import usual_headers
from redwell.core.loadfiles.rules import Finding
from redwell.runtime.loadfiles.opened import Given, OpenedLoadFile
from redwell.runtime.loadfiles.volume import FolderVolume, load_files, volume_root

_PAGES = (LoadFileKind.OPTICON, LoadFileKind.LFP)


class VolumeLint:
    """Findings of one volume. `described` and `records` are whole when all findings were taken."""

    def __init__(self, files: Sequence[Path], given: Given, mapping: dict[str, object] | None = None) -> None:
        opened = [OpenedLoadFile(path, given) for path in files]
        self._opened = sorted(opened, key=lambda each: each.kind in _PAGES)  # records before pages
        self._headers = usual_headers(opened)
        self._mapping = mapping
        self._files = FileCheck(FolderVolume(volume_root(files[0]), files))
        self._pages = PageCheck()
        self._families = defaultdict[str, FamilyCheck](FamilyCheck)  # a DAT may be split; a CSV says it again
        self.described: list[dict[str, object]] = []

    @property
    def balance(self) -> Balance:
        return self._files.balance

    def __iter__(self) -> Iterator[Finding]:
        for opened in self._opened:
            try:
                yield from self._one(opened)
            except BadInput as error:
                code = "xml-invalid" if opened.kind is LoadFileKind.EDRM else "qualifier-open"
                yield Finding(code=code, file=opened.path.name, detail=str(error))
        for families in self._families.values():
            yield from families.end()
        yield from self._pages.end()
        yield from self._files.unnamed()

    def _one(self, opened: OpenedLoadFile) -> Iterator[Finding]:
        name = opened.path.name
        opened.take_beside(self._headers)
        told = opened.described()
        self.described.append(told)
        if opened.kind in _PAGES:
            yield from self._page_file(opened, told)
            return
        families = self._families[opened.path.suffix.lower()]
        checks: list[Check] = [ValueCheck(), RangeCheck(), families, self._files, self._pages]
        if opened.kind is LoadFileKind.DELIMITED:
            yield from self._table(opened, checks, told)
        elif opened.kind is LoadFileKind.DII:
            yield from lint_dii(name, dii.read_records(opened.lines()), checks)
        else:
            yield from lint_edrm(name, edrm.read_documents(opened.chunks()), checks)
        for check in checks[:2]:
            yield from check.end()

    def _table(self, opened: OpenedLoadFile, checks: list[Check], told: dict[str, object]) -> Iterator[Finding]:
        lines = opened.lines()
        table = table_of(opened, self._mapping, self._headers)
        rows = Rows(lines, opened.found.dialect, table.width)
        lint = TableLint(table, rows, checks)
        yield from lint
        told["records"] = lint.records
        last = lint.records + table.has_header
        if rows.odd_end and not (lines.unended and rows.odd_end == rows.line):
            yield Finding(code="line-ends-mixed", file=table.file, line=rows.odd_end)
        if lines.unended:
            yield Finding(code="no-final-newline", file=table.file, line=rows.line, row=last)

    def _page_file(self, opened: OpenedLoadFile, told: dict[str, object]) -> Iterator[Finding]:
        read = opticon.read_pages if opened.kind is LoadFileKind.OPTICON else lfp.read_pages
        name, lines = opened.path.name, opened.lines()
        column = 3 if opened.kind is LoadFileKind.OPTICON else 5
        count = 0

        def watched() -> Iterator[Page]:
            nonlocal count
            for page in read(lines):
                count += 1
                yield page
                found.extend(self._files.pages(page, name, column))

        found: list[Finding] = []
        for finding in self._pages.documents(watched(), name):
            yield from found
            found.clear()
            yield finding
        yield from found
        told["pages"] = count
        if lines.unended:
            yield Finding(code="no-final-newline", file=name, row=count)


def table_of(
    opened: OpenedLoadFile, mapping: dict[str, object] | None = None, headers: Sequence[Sequence[str]] = ()
) -> Table:
    """The columns of a delimited file, by its first rows and what a person says of them."""
    found = opened.found
    rows = (row.values for row in Rows(opened.lines(), found.dialect, found.width) if row.values)
    first = next(rows, [])
    names = first if found.header else next((list(each) for each in headers if len(each) == len(first)), [])
    names = names or [f"column {number}" for number in range(1, len(first) + 1)]
    proposed = from_table(mapping, names) if mapping is not None else propose(names, next(rows, []))
    return Table(file=opened.path.name, names=names, mapping=proposed, has_header=found.header)


def volumes(places: Sequence[Path]) -> list[list[Path]]:
    """Load files by the volume that they speak of."""
    found = sorted({path for place in places for path in load_files(place)}, key=lambda path: (volume_root(path), path))
    return [list(files) for _, files in groupby(found, key=volume_root)]


def proposed_mapping(path: Path, given: Given) -> Mapping:
    return table_of(OpenedLoadFile(path, given)).mapping
