"""Are dates dates, numbers numbers and hashes hashes? Called by the lint of load files. Pure."""

import re
from collections.abc import Iterator

from redwell.core.loadfiles.dates import DateOrder, Order, is_blank, parse_date, parse_time
from redwell.core.loadfiles.fields import FIELDS, Kind
from redwell.core.loadfiles.records.record import Record
from redwell.core.loadfiles.rules import Finding

_HASHES = {"md5": 32, "mih": 32, "sha1": 40, "sha256": 64}
_HEX = re.compile(r"[0-9a-fA-F]+")
_WHOLE = re.compile(r"\d{1,3}(,\d{3})+|\d+")


class ValueCheck:
    def __init__(self) -> None:
        self._orders: dict[str, DateOrder] = {}
        self._shown: dict[str, Record] = {}  # a record of each column whose order is told at the end

    def see(self, record: Record) -> Iterator[Finding]:
        for field, value in record.values.items():
            if not value:
                continue
            kind = FIELDS[field].kind
            if kind is Kind.DATE:
                yield from self._date(record, field, value)
            elif kind is Kind.TIME and parse_time(value) is None:
                yield record.finding("time-invalid", field)
            elif kind is Kind.NUMBER and not _WHOLE.fullmatch(value):
                yield record.finding("number-invalid", field)
            elif kind is Kind.HASH and not (len(value) == _HASHES[field] and _HEX.fullmatch(value)):
                yield record.finding("hash-invalid", field, f"{_HASHES[field]} hexadecimal digits")

    def _date(self, record: Record, field: str, value: str) -> Iterator[Finding]:
        order = self._orders.setdefault(field, DateOrder())
        if is_blank(value):
            return
        found = parse_date(value) or parse_date(value, Order.DAY_FIRST)
        if found is None:
            yield record.finding("date-invalid", field)
            return
        before = order.mixed, order.assumed
        order.see(value, record.row)
        if (order.mixed, order.assumed) != before:
            self._shown[field] = record
        if not 1900 <= found.year <= 2100:
            yield record.finding("date-implausible", field)

    def end(self) -> Iterator[Finding]:
        for field, order in self._orders.items():
            if order.mixed:
                yield self._shown[field].finding("date-order-mixed", field, order.reason)
            elif order.assumed:
                yield self._shown[field].finding("date-order-assumed", field, order.reason)
