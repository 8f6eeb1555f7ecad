"""Reads dates and times as load files write them, in whichever order a column has. Pure.

`01/02/2003` says nothing of its order; a column mostly does. `DateOrder` watches one and says what it found.
"""

import re
from datetime import date, datetime, time
from enum import StrEnum

_SLASHED = re.compile(r"^(\d{1,4})([/.\-])(\d{1,2})\2(\d{1,4})(?:[T ]+(.+))?$")
_COMPACT = re.compile(r"^(\d{4})(\d{2})(\d{2})(?:[T ]?(.+))?$")
_NAMED = re.compile(r"^(?:(\d{1,2})[ -])?([A-Za-z]{3,9})\.?[ -](?:(\d{1,2}),? )?(\d{4})(?:,? +(.+))?$")
_TIME = re.compile(
    r"^(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*([AaPp]\.?[Mm]\.?)?\s*(Z|[A-Z]{2,5}|[+-]\d{2}:?\d{2})?$"
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_EMPTY = re.compile(r"^[0/.\-: ]*$")


class Order(StrEnum):
    MONTH_FIRST = "month first"
    DAY_FIRST = "day first"


def is_blank(text: str) -> bool:
    """True for no date at all, also as `00/00/0000`."""
    return _EMPTY.match(text) is not None


def parse_date(text: str, order: Order = Order.MONTH_FIRST) -> datetime | date | None:
    """A date, with its time if it has one; None where it is none. Zones are left to the caller's column."""
    text = text.strip()
    if found := _SLASHED.match(text):
        parts, clock = _ordered(found[1], found[3], found[4], order), found[5]
    elif found := _COMPACT.match(text):
        parts, clock = (int(found[1]), int(found[2]), int(found[3])), found[4]
    elif found := _NAMED.match(text):
        month = found[2][:3].lower()
        day = found[1] or found[3]
        if month not in _MONTHS or not day:
            return None
        parts, clock = (int(found[4]), _MONTHS.index(month) + 1, int(day)), found[5]
    else:
        return None
    return _made(parts, clock)


def parse_time(text: str) -> time | None:
    """`3:48 PM`, `15:48`, `15:48:03`, `1548`, with or without a zone."""
    found = _TIME.match(text.strip())
    if not found:
        return None
    hour, half = int(found[1]), (found[4] or "").replace(".", "").upper()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "PM" else 0)
    try:
        return time(hour, int(found[2]), int(found[3] or 0))
    except ValueError:
        return None


def _ordered(first: str, second: str, third: str, order: Order) -> tuple[int, int, int]:
    """Year, month, day."""
    if len(first) == 4:
        return int(first), int(second), int(third)
    year = int(third) if len(third) == 4 else int(third) + (2000 if int(third) < 70 else 1900)
    return (year, int(first), int(second)) if order is Order.MONTH_FIRST else (year, int(second), int(first))


def _made(parts: tuple[int, int, int], clock: str | None) -> datetime | date | None:
    try:
        day = date(*parts)
    except ValueError:
        return None
    if not clock:
        return day
    at = parse_time(clock)
    return datetime.combine(day, at) if at else None


class DateOrder:
    """Watches the dates of a column until one shows the order of day and month."""

    def __init__(self) -> None:
        self.month_first: int | None = None  # the row that shows it
        self.day_first: int | None = None
        self.unclear: int | None = None

    def see(self, text: str, row: int) -> None:
        found = _SLASHED.match(text.strip())
        if not found or len(found[1]) == 4:
            return
        first, second = int(found[1]), int(found[3])
        if first > 12 and 1 <= second <= 12:
            self.day_first = self.day_first or row
        elif second > 12 and 1 <= first <= 12:
            self.month_first = self.month_first or row
        elif first != second:
            self.unclear = self.unclear or row

    @property
    def order(self) -> Order:
        return Order.DAY_FIRST if self.day_first and not self.month_first else Order.MONTH_FIRST

    @property
    def mixed(self) -> bool:
        return bool(self.day_first and self.month_first)

    @property
    def assumed(self) -> bool:
        """No date of the column shows it: month first is what most senders of load files write."""
        return bool(self.unclear and not self.day_first and not self.month_first)

    @property
    def reason(self) -> str:
        row = self.day_first or self.month_first
        if self.mixed:
            return f"row {self.day_first} has the day first, row {self.month_first} the month"
        return f"row {row} shows it" if row else "no date of the column shows it; month first is assumed"
