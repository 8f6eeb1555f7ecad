"""Are the pages of an OPT or LFP whole and in order, and do they agree with the records? Called by the lint. Pure."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from redwell.core.loadfiles.bates import parse
from redwell.core.loadfiles.pages import Page, documents
from redwell.core.loadfiles.records.record import Record
from redwell.core.loadfiles.rules import Finding

_NAMES = {1: "image key", 3: "path", 4: "document break", 5: "folder break", 6: "box break", 7: "pages"}


class _Told(NamedTuple):
    """What a record says of its pages."""

    record: Record
    pages: int | None


class PageCheck:
    """Sees records first (those of all files), then pages of all files; then tells where they disagree."""

    def __init__(self) -> None:
        self._records: dict[str, _Told] = {}
        self._keys: dict[str, tuple[str, int]] = {}
        self._with_pages: set[str] = set()
        self.any_pages = False

    def see(self, record: Record) -> Iterator[Finding]:
        told = record.values.get("pgcount", "").replace(",", "")
        kept = {"pgcount": told, record.id_field: record.id}
        slim = Record(record.file, record.row, record.line, kept, record.columns, record.id_field, record.names)
        for name in {record.id.casefold(), record.values.get("begbates", "").casefold()} - {""}:
            self._records.setdefault(name, _Told(slim, int(told) if told.isdecimal() else None))
        return iter(())

    def end(self) -> Iterator[Finding]:
        """Records without pages, once any page was seen."""
        told = {id(each.record): each.record for name, each in self._records.items() if name in self._with_pages}
        for each in self._records.values() if self.any_pages else ():
            if id(each.record) not in told:
                told[id(each.record)] = each.record
                yield each.record.finding("document-without-pages", each.record.id_field)

    def documents(self, pages: Iterable[Page], file: str) -> Iterator[Finding]:
        """All pages of one file."""
        first = True
        for document in documents(pages):
            self.any_pages = True
            if first and not document[0].boundary.begins_document:
                yield found(document[0], file, "page-first-no-break", 4)
            elif self._records:
                yield from self._against_records(document, file)
            first = False
            for page in document:
                yield from self._page(page, file)
            yield from _in_order(document, file)

    def _page(self, page: Page, file: str) -> Iterator[Finding]:
        for code, column in page.faults:
            yield found(page, file, code, column)
        if not page.key:
            yield found(page, file, "page-key-missing", 1)
            return
        earlier = self._keys.setdefault(page.key.casefold(), (file, page.row))
        if earlier != (file, page.row):
            yield found(page, file, "page-duplicate", 1, f"row {earlier[1]} of {earlier[0]}")

    def _against_records(self, document: list[Page], file: str) -> Iterator[Finding]:
        first = document[0]
        told = self._records.get(first.key.casefold())
        if told is None:
            yield found(first, file, "page-unknown-document", 1)
            return
        self._with_pages.add(first.key.casefold())
        pages = _counted(document)
        if told.pages is not None and told.pages != pages:
            yield told.record.finding("page-count-differs", "pgcount", f"{pages:,} from row {first.row} of {file}")


def _counted(document: list[Page]) -> int:
    """Pages of a document: a single row for a file of several pages says how many."""
    first = document[0]
    return first.count if len(document) == 1 and first.count else len(document)


def _in_order(document: list[Page], file: str) -> Iterator[Finding]:
    first = document[0]
    if first.count is not None and len(document) > 1 and first.count != len(document):
        yield found(first, file, "page-total", 7, f"{len(document):,} rows")
    before = parse(first.key)
    for page in document[1:]:
        number = parse(page.key)
        if before and number and number.series == before.series and number.number != before.number + 1:
            yield found(page, file, "page-number-broken", 1, f"behind {before}")
        before = number


def found(page: Page, file: str, code: str, column: int, detail: str = "") -> Finding:
    values = {1: page.key, 3: page.path}
    return Finding(
        code=code,
        file=file,
        row=page.row,
        line=page.row,
        column=column,
        field=_NAMES.get(column, ""),
        value=values.get(column, page.key),
        detail=detail,
    )
