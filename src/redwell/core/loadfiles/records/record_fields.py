"""What a record's fields are called as metadata of its exhibit: the names that every other document has. Pure."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime

from redwell.core.handler import MetaValue
from redwell.core.loadfiles.bates import pages_between, parse
from redwell.core.loadfiles.dates import DateOrder, Order, is_blank, parse_date, parse_time
from redwell.core.loadfiles.fields import FIELDS, Kind
from redwell.core.loadfiles.records.record_names import NAMES

_CLOCKS = {"datesent": "timesent", "datercvd": "timercvd", "createdate": "createtime", "moddate": "modtime"}
_LEFT_OUT = frozenset({"nativepath", "textpath", "imagepath", *_CLOCKS.values()})
DATES = tuple(name for name, each in FIELDS.items() if each.kind is Kind.DATE)
_SIGNS = re.compile(r"\W+")


def metadata_of(values: Mapping[str, str], others: Mapping[str, str], dates: Mapping[str, str]) -> dict[str, MetaValue]:
    """Fields first, then columns under their own names in small letters: `Review Status` is review_status."""
    found: dict[str, MetaValue] = {}
    for name, value in values.items():
        if name in _LEFT_OUT:
            continue
        called = NAMES.get(name, name)
        if name in dates:
            found[called] = dates[name]
            if FIELDS[name].kind is Kind.DATE and dates[name] != value:
                found[f"{called}_raw"] = _as_written(name, value, values)
        elif FIELDS[name].kind is Kind.MULTI and ";" in value:
            found[called] = [part.strip() for part in value.split(";") if part.strip()]
        else:
            found[called] = value
    for name, value in others.items():
        called = _SIGNS.sub("_", name.strip().lower()).strip("_") or "unnamed"
        found.setdefault(called if called not in found else f"{called}_2", value)
    return found


def bates_of(values: Mapping[str, str]) -> str:
    """The range of its numbers, as it is shown and found; empty where it has none."""
    first, last = values.get("begbates", ""), values.get("endbates", "")
    return f"{first} - {last}" if first and last and last != first else first


def told_pages(values: Mapping[str, str]) -> int:
    """How many pages a record says it has, by its count or its numbers; 1 where it says nothing."""
    told = values.get("pgcount", "").replace(",", "")
    return int(told) if told.isdecimal() and len(told) < 6 else _numbered(values) or 1


def missing_pages(values: Mapping[str, str], given: int) -> Iterator[str]:
    """Numbers of pages of which no picture came, where others came. Documents numbered as one have one number."""
    numbered = _numbered(values)
    if given and numbered and given < numbered:
        yield f"its numbers are those of {numbered:,} pages, and {given:,} were given"


def _numbered(values: Mapping[str, str]) -> int | None:
    first, last = parse(values.get("begbates", "")), parse(values.get("endbates", ""))
    return pages_between(first, last) if first and last else None


def _as_written(name: str, value: str, values: Mapping[str, str]) -> str:
    return f"{value} {values.get(_CLOCKS.get(name, ''), '')}".strip()


def read_dates(values: Mapping[str, str], orders: Mapping[str, Order]) -> dict[str, str]:
    """Each date as ISO 8601, with the time of the column beside it; one that can't be read is left as it is."""
    found = {}
    for name in DATES:
        value = values.get(name, "")
        if not value or is_blank(value):
            continue
        parsed = parse_date(value, orders.get(name, Order.MONTH_FIRST))
        clock = parse_time(values.get(_CLOCKS.get(name, ""), ""))
        if isinstance(parsed, date) and not isinstance(parsed, datetime) and clock:
            parsed = datetime.combine(parsed, clock)
        if parsed is not None:
            found[name] = parsed.isoformat() + ("Z" if value.strip().endswith("Z") else "")
    return found


class DateOrders:
    """Sees every row once, and says then how each column writes its dates."""

    def __init__(self) -> None:
        self._by_field = {name: DateOrder() for name in DATES}

    def see(self, values: Mapping[str, str], row: int) -> None:
        for name, order in self._by_field.items():
            if value := values.get(name):
                order.see(value, row)

    def found(self) -> dict[str, Order]:
        return {name: order.order for name, order in self._by_field.items()}
