"""Hits over time: the bars add up to all that have a date, however far off some are."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from redwell.core.search.query import Everything, Range
from redwell.ports.search_index import Hit, Hits
from redwell.review.histogram import MOST, Bar, histogram
from redwell.review.searching import Asked


class Case:
    """Exhibits with nothing but a date, which are their own index."""

    zone = UTC

    def __init__(self, years: list[int]) -> None:
        self.dates = sorted(datetime(year, 6, 1, tzinfo=UTC) for year in years)
        self.index = SimpleNamespace(search=self.search)
        self.rows = SimpleNamespace(some=self.some)

    def understood(self, query: str) -> Everything:
        return Everything()

    def some(self, keys: list[int]) -> dict[int, Any]:
        return {key: SimpleNamespace(metadata={"date": self.dates[key].isoformat()}) for key in keys}

    def search(self, request: Any) -> Hits:
        found = [key for key, date in enumerate(self.dates) if all(_fits(date, each) for each in request.filters)]
        found = found[::-1] if request.sort.descending else found
        hits = tuple(Hit(exhibit=key, family=key, score=None) for key in found[: request.limit])
        return Hits(total=len(found), hits=hits)


def _fits(date: datetime, wanted: Range) -> bool:
    at = int(date.timestamp())
    return (wanted.low is None or at >= wanted.low) and (wanted.high is None or at < wanted.high)


def bars(*years: int) -> list[Bar]:
    case: Any = Case(list(years))
    review: Any = None
    return histogram(Asked(), case, review)


def test_a_few_that_are_far_off_are_one_bar_at_the_end() -> None:
    found = bars(*(2020 + number % 4 for number in range(200)), 1601, 3609)
    assert [(bar.label, bar.count) for bar in found] == [
        ("..2019", 1),
        ("2020", 50),
        ("2021", 50),
        ("2022", 50),
        ("2023", 50),
        ("2024..", 1),
    ]


@pytest.mark.parametrize("years", [(2020,), (2020, 2022), tuple(range(1950, 2020)), (1, 9000), ()])
def test_the_bars_add_up_to_all_that_have_a_date(years: tuple[int, ...]) -> None:
    found = bars(*years)
    assert sum(bar.count for bar in found) == len(years)
    assert len(found) <= MOST + 2


def test_months_are_shown_where_they_are_few() -> None:
    assert [bar.label for bar in bars(2020, 2021)][:2] == ["2020-06", "2020-07"]
