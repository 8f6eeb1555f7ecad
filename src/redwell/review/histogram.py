"""Hits over time: exact counts by month or year of the case's time zone, each one small question to the index."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from redwell.core.search.query import Range
from redwell.core.search.request import Search, Sort
from redwell.ports.review import ReviewStore
from redwell.review.searching import Asked, Searched, filters, tree

MOST = 36  # bars
FEW = 50  # one of so many may be left to the bars at the ends
Month = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    label: str  # 2023, 2023-04, ..1989 or 2031..; as a query: date:2023-04
    count: int


def histogram(asked: Asked, case: Searched, review: ReviewStore) -> list[Bar]:
    """None where no hit has a date. A few that are far off (a clock that was wrong) are one bar at its end."""
    dated = (*filters(asked, case, review), Range("date"))
    base = Search(query=tree(asked.query, case), filters=dated, snippets=False, limit=1)
    ends = [case.index.search(replace(base, sort=sort)).hits for sort in (Sort("date"), Sort("date", descending=True))]
    days = [_day(case, hits[0].exhibit) for hits in ends if hits]
    if len(days) < 2 or days[0] is None or days[1] is None:
        return []

    def counted(low: Month | None, high: Month | None) -> int:
        since, until = (int(datetime(*day, 1, tzinfo=case.zone).timestamp()) if day else None for day in (low, high))
        within = replace(base, filters=(*dated, Range("date", since, until)), limit=0)
        return case.index.search(within).total

    first, last = _usual(days[0], days[1], counted)
    bars = [Bar(label=label, count=counted(low, high)) for label, low, high in _steps(first, last)]
    begin, end = int(bars[0].label[:4]), last[0] + 1
    if days[0].year < begin:
        bars.insert(0, Bar(label=f"..{begin - 1}", count=counted(None, (begin, 1))))
    return [*bars, *([Bar(label=f"{end}..", count=counted((end, 1), None))] if days[1].year >= end else [])]


def _usual(
    first: datetime, last: datetime, counted: Callable[[Month | None, Month | None], int]
) -> tuple[Month, Month]:
    """From when to when nearly all of them are, where all of them are too far apart to be shown."""
    if last.year - first.year < MOST:
        return (first.year, first.month), (last.year, last.month)
    few = counted(None, None) // FEW
    low = _boundary(first.year, last.year, lambda year: counted(None, (year + 1, 1)) > few)
    high = _boundary(low, last.year, lambda year: counted((year + 1, 1), None) <= few)
    return (low, 1), (high, 12)


def _boundary(first: int, last: int, holds: Callable[[int], bool]) -> int:
    """The first year for which it holds; the last one where it holds for no other."""
    while first < last:
        middle = (first + last) // 2
        first, last = (first, middle) if holds(middle) else (middle + 1, last)
    return first


def _day(case: Searched, exhibit: int) -> datetime | None:
    found = case.rows.some([exhibit]).get(exhibit)
    try:
        return datetime.fromisoformat(str(found.metadata.get("date"))).astimezone(case.zone) if found else None
    except (ValueError, OverflowError):
        return None


def _steps(first: Month, last: Month) -> list[tuple[str, Month, Month]]:
    """Months where these are few enough, else years; of very many years the latest."""
    months = [divmod(n, 12) for n in range(first[0] * 12 + first[1] - 1, last[0] * 12 + last[1])]
    if len(months) <= MOST:
        return [(f"{y}-{m + 1:02d}", (y, m + 1), (y + (m == 11), (m + 1) % 12 + 1)) for y, m in months]
    years = range(max(first[0], last[0] - MOST + 1), last[0] + 1)
    return [(str(year), (year, 1), (year + 1, 1)) for year in years]
