"""Hits over time: exact counts by month or year of the case's time zone, each one small question to the index."""

from dataclasses import dataclass, replace
from datetime import datetime

from redwell.core.search.query import Range
from redwell.core.search.request import Search, Sort
from redwell.ports.review import ReviewStore
from redwell.review.searching import Asked, Searched, filters, tree

MOST = 36  # bars


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    label: str  # 2023, or 2023-04; as a query: date:2023-04
    count: int


def histogram(asked: Asked, case: Searched, review: ReviewStore) -> list[Bar]:
    """None where no hit has a date."""
    dated = (*filters(asked, case, review), Range("date"))
    base = Search(query=tree(asked.query, case), filters=dated, snippets=False, limit=1)
    ends = [case.index.search(replace(base, sort=sort)).hits for sort in (Sort("date"), Sort("date", descending=True))]
    days = [_day(case, hits[0].exhibit) for hits in ends if hits]
    if len(days) < 2 or days[0] is None or days[1] is None:
        return []
    bars = list[Bar]()
    for label, low, high in _steps(days[0], days[1]):
        seconds = [int(datetime(*day, 1, tzinfo=case.zone).timestamp()) for day in (low, high)]
        within = replace(base, filters=(*dated, Range("date", seconds[0], seconds[1])), limit=0)
        bars.append(Bar(label=label, count=case.index.search(within).total))
    return bars


def _day(case: Searched, exhibit: int) -> datetime | None:
    found = case.rows.some([exhibit]).get(exhibit)
    try:
        return datetime.fromisoformat(str(found.metadata.get("date"))).astimezone(case.zone) if found else None
    except (ValueError, OverflowError):
        return None


Month = tuple[int, int]


def _steps(first: datetime, last: datetime) -> list[tuple[str, Month, Month]]:
    """Months where these are few enough, else years; of very many years the latest."""
    months = [divmod(n, 12) for n in range(first.year * 12 + first.month - 1, last.year * 12 + last.month)]
    if len(months) <= MOST:
        return [(f"{y}-{m + 1:02d}", (y, m + 1), (y + (m == 11), (m + 1) % 12 + 1)) for y, m in months]
    years = range(max(first.year, last.year - MOST + 1), last.year + 1)
    return [(str(year), (year, 1), (year + 1, 1)) for year in years]
