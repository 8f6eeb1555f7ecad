"""What `data.invoice.total:>1000` asks for."""

import pytest

from redwell.core.search.query import Among, And, Not, Words
from redwell.core.search.query_parser import parse
from redwell.core.search.request import Search
from redwell.core.understanding.data_query import DataQuery, read_data_query
from redwell.ports.search_index import Hits
from redwell.review.row_search import RowSearch, lookup_in


def fits(query: DataQuery, value: str, thousandths: int | None = None) -> bool:
    """As the rows are asked."""
    if thousandths is not None:
        return query.low <= thousandths < query.high
    return query.first <= value < query.last and (not query.part or query.part in value)


@pytest.mark.parametrize(
    ("asked", "number", "is_hit"),
    [
        (">1000", 1_000_001, True),
        (">1000", 1_000_000, False),
        (">=1000", 1_000_000, True),
        ("<1000", 999_999, True),
        ("<=12.50", 12_500, True),
        ("12.5", 12_500, True),
        ("12.5", 12_501, False),
        ("10..20", 20_000, True),
        ("10..20", 20_001, False),
        ("acme", 5, False),
        ("*", 5, True),
    ],
)
def test_sums_are_compared_as_numbers(asked: str, number: int, is_hit: bool) -> None:
    assert fits(read_data_query("invoice.total", asked), "", number) is is_hit


@pytest.mark.parametrize(
    ("asked", "value", "is_hit"),
    [
        ("2023", "2023-04-03", True),
        ("2023-04", "2023-04-03", True),
        ("2022", "2023-04-03", False),
        (">2022", "2023-04-03", True),
        (">2023", "2023-04-03", False),
        (">=2023-04-03", "2023-04-03", True),
        ("<2023", "2023-04-03", False),
        ("2022..2023", "2023-12-31", True),
        ("Acme", "the acme tools ltd", True),
        ("acme", "apex", False),
        ("*", "anything", True),
    ],
)
def test_days_and_words_are_compared_as_they_are_written(asked: str, value: str, is_hit: bool) -> None:
    assert fits(read_data_query("invoice.date", asked), value) is is_hit


class _Index:
    def __init__(self) -> None:
        self.asked: list[Search] = []

    def search(self, request: Search) -> Hits:
        self.asked.append(request)
        return Hits()


class _Rows:
    def given(self, field: str, value: str, prefix: bool) -> list[str]:
        return []

    def with_data(self, query: DataQuery) -> list[str]:
        return ["RW1", "RW2"] if query.path == "total" else []


def test_an_engine_never_sees_data_only_the_control_numbers_that_have_it() -> None:
    index = _Index()
    search = RowSearch(index, lookup_in(_Rows()))  # type: ignore[arg-type]
    search.search(Search(query=parse("hammer data.invoice.total:>1000 NOT data.invoice.date:2023")))
    found = Among("control_number", ("rw1", "rw2"), "data.invoice.total:>1000")
    none = Among("control_number", (), "data.invoice.date:2023")
    assert index.asked[0].query == And((Words(("hammer",)), found, Not(none)))
