"""Do families hold together: parents, ranges, lists of attachments? Called by the lint of load files. Pure."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from redwell.core.loadfiles.bates import Bates, parse, parse_range
from redwell.core.loadfiles.records.record import Record
from redwell.core.loadfiles.rules import Finding

_KEPT = ("begbates", "endbates", "begattach", "endattach", "parentid", "attachids", "attachcount")


class _Family(NamedTuple):
    first: Bates
    last: Bates
    record: Record


class FamilyCheck:
    """Keeps what each record says of its family until all ids are known."""

    def __init__(self) -> None:
        self._ids: dict[str, Record] = {}
        self._families: dict[str, _Family] = {}
        self._covered: Counter[str] = Counter()  # pages of members, by family
        self._children: Counter[str] = Counter()

    def see(self, record: Record) -> Iterator[Finding]:
        slim = Record(
            *(record.file, record.row, record.line),
            {name: record.values[name] for name in (*_KEPT, record.id_field) if record.values.get(name)},
            *(record.columns, record.id_field, record.names),
        )
        for name in {record.id.casefold(), record.values.get("begbates", "").casefold()} - {""}:
            self._ids.setdefault(name, slim)
        parent = record.values.get("parentid", "").casefold()
        if parent and parent != record.id.casefold():
            self._children[parent] += 1
        yield from self._ranges(slim)
        yield from _told_range(record)

    def _ranges(self, record: Record) -> Iterator[Finding]:
        begin, end = record.values.get("begattach", ""), record.values.get("endattach", "")
        if bool(begin) != bool(end):
            if {"begattach", "endattach"} <= record.columns.keys():
                yield record.finding("family-half", "endattach" if begin else "begattach")
            return
        first, last = parse(begin), parse(end)
        if first is None or last is None:
            return
        if first.series != last.series or last.number < first.number:
            yield record.finding("family-reversed", "endattach", f"begins with {begin}")
            return
        known = self._families.setdefault(begin.casefold(), _Family(first, last, record))
        if known.last != last:
            yield record.finding("family-unequal", "endattach", f"row {known.record.row} ends with {known.last}")
        yield from self._member(record, known)

    def _member(self, record: Record, family: _Family) -> Iterator[Finding]:
        first = parse(record.values.get("begbates", ""))
        last = parse(record.values.get("endbates", "")) or first
        if first is None or last is None or last.number < first.number:
            return
        inside = first.series == family.first.series and family.first.number <= first.number <= last.number
        if not inside or last.number > family.last.number:
            yield record.finding("family-outside", "begattach", f"pages {first} to {last}")
        else:
            self._covered[str(family.first).casefold()] += last.number - first.number + 1

    def end(self) -> Iterator[Finding]:
        for name, record in self._ids.items():
            if name == (record.values.get(record.id_field) or record.values.get("begbates", "")).casefold():
                yield from self._parents(name, record)
                yield from self._attachments(name, record)
        yield from self._apart()

    def _parents(self, name: str, record: Record) -> Iterator[Finding]:
        parent = record.values.get("parentid", "").casefold()
        if not parent:
            return
        if parent == name:
            yield record.finding("parent-self", "parentid")
        elif parent not in self._ids:
            yield record.finding("parent-unknown", "parentid")
        elif self._leads_back(name, parent):
            yield record.finding("parent-loop", "parentid")

    def _leads_back(self, name: str, parent: str) -> bool:
        seen = {name}
        while parent in self._ids and parent not in seen:
            seen.add(parent)
            parent = self._ids[parent].values.get("parentid", "").casefold()
        return parent == name

    def _attachments(self, name: str, record: Record) -> Iterator[Finding]:
        for each in filter(None, map(str.strip, record.values.get("attachids", "").split(";"))):
            child = self._ids.get(each.casefold())
            if child is None:
                yield record.finding("attachment-unknown", "attachids", value=each)
            elif "parentid" in record.columns and child.values.get("parentid", "").casefold() != name:
                yield record.finding("attachment-one-sided", "attachids", f"row {child.row}", value=each)
        told = record.values.get("attachcount", "")
        if told.isdecimal() and "parentid" in record.columns and int(told) != self._children[name]:
            yield record.finding("attachment-count", "attachcount", f"{self._children[name]:,} rows name it as parent")

    def _apart(self) -> Iterator[Finding]:
        families = sorted(self._families.values(), key=lambda each: (each.first.series, each.first.number))
        reached: _Family | None = None
        for family in families:
            pages = family.last.number - family.first.number + 1
            if self._covered[str(family.first).casefold()] < pages:
                detail = f"{self._covered[str(family.first).casefold()]:,} of {pages:,} pages are in rows"
                yield family.record.finding("family-incomplete", "begattach", detail)
            if reached and reached.first.series == family.first.series and family.first.number <= reached.last.number:
                yield family.record.finding("family-overlap", "begattach", f"row {reached.record.row}")
            reached = family if not reached or family.last.number > reached.last.number else reached


def _told_range(record: Record) -> Iterator[Finding]:
    told = parse_range(record.values.get("attachrange", ""))
    ends = record.values.get("begattach", ""), record.values.get("endattach", "")
    if told and all(ends) and tuple(map(str.casefold, told)) != tuple(map(str.casefold, ends)):
        yield record.finding("family-range-differs", "attachrange", f"{ends[0]} to {ends[1]}")
