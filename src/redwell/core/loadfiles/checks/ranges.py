"""Are ids unique and ranges of pages whole, in order and apart? Called by the lint of load files. Pure."""

from collections import defaultdict
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from redwell.core.loadfiles.bates import Bates, pages_between, parse
from redwell.core.loadfiles.records.record import Record
from redwell.core.loadfiles.rules import Finding


class Span(NamedTuple):
    """The pages of one record, and enough of it to tell where it stands."""

    first: int
    last: int
    record: Record


class RangeCheck:
    """Keeps a span for each record: some hundred bytes a row."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._spans: dict[tuple[str, str], list[Span]] = defaultdict(list)
        self._widths: dict[tuple[str, str], int] = {}

    def see(self, record: Record) -> Iterator[Finding]:
        yield from self._id(record)
        begin, end = record.values.get("begbates", ""), record.values.get("endbates", "")
        if "begbates" not in record.columns:
            return
        if not begin or ("endbates" in record.columns and not end):
            if begin or end:
                yield record.finding("range-half", "endbates" if begin else "begbates")
            return
        yield from self._range(record, begin, end or begin)

    def _id(self, record: Record) -> Iterator[Finding]:
        found = record.id
        field = record.id_field
        if not found:
            yield record.finding("id-missing", field)
            return
        if any(map(str.isspace, found)) and parse(found):
            yield record.finding("id-blanks", field)
        earlier = self._ids.setdefault(found.casefold(), record.row)
        if earlier != record.row:
            yield record.finding("id-duplicate", field, f"row {earlier}")

    def _range(self, record: Record, begin: str, end: str) -> Iterator[Finding]:
        first, last = parse(begin), parse(end)
        for number, field in ((first, "begbates"), (last, "endbates")):
            if number is None:
                yield record.finding("number-without-digits", field)
        if first is None or last is None:
            return
        if first.series != last.series:
            yield record.finding("range-series", "endbates", f"begins with {begin}")
        elif last.number < first.number:
            yield record.finding("range-reversed", "endbates", f"begins with {begin}")
        else:
            yield from self._padding(record, first)
            self._spans[first.series].append(Span(first.number, last.number, _slim(record)))
            yield from _page_count(record, first, last)

    def _padding(self, record: Record, first: Bates) -> Iterator[Finding]:
        width = self._widths.setdefault(first.series, first.width)
        if first.width != width and first.number < 10 ** max(width, first.width) // 10:
            yield record.finding("range-padding", "begbates", f"{first.width} digits, {width} before")

    def end(self) -> Iterator[Finding]:
        for spans in self._spans.values():
            spans.sort(key=attrgetter("first", "last"))
            reached = spans[0]
            for span in spans[1:]:
                if span.first <= reached.last:
                    yield span.record.finding("range-overlap", "begbates", f"row {reached.record.row}")
                elif span.first > reached.last + 1:
                    missing = span.first - reached.last - 1
                    behind = f"behind row {reached.record.row}"
                    yield span.record.finding("range-gap", "begbates", f"{missing:,} pages {behind}")
                reached = max(reached, span, key=attrgetter("last"))


def _page_count(record: Record, first: Bates, last: Bates) -> Iterator[Finding]:
    told = record.values.get("pgcount", "").replace(",", "")
    pages = pages_between(first, last)
    if told.isdecimal() and "endbates" in record.columns and int(told) != pages:
        yield record.finding("page-count-range", "pgcount", f"{first} to {last} are {pages:,}")


def _slim(record: Record) -> Record:
    """What is kept until the end: not the subject of a mail with thousands of recipients."""
    kept = {name: record.values[name] for name in ("begbates",) if name in record.values}
    return Record(record.file, record.row, record.line, kept, record.columns, record.id_field, record.names)
