"""Hits by control number, and many hits of one score: the same order as if all of them had been read and sorted."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.search_indexes import STEMS, opened

from redwell.adapters.tantivy import paging, places
from redwell.adapters.tantivy.documents import order_of
from redwell.core.search.query_parser import parse
from redwell.core.search.request import Search, Sort
from redwell.ports.search_index import Entry, SearchIndex

NUMBERS = [f"RW{(number * 37) % 120:08d}" for number in range(120)]
LONG = [f"SMITH-PRODUCTION-{(number * 7) % 60:04d}" for number in range(60)]  # they share what a number tells of


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SearchIndex]:
    for module in (paging, places):
        monkeypatch.setattr(module, "_MANY", 3)
    monkeypatch.setattr(paging, "_WINDOW", 4)
    monkeypatch.setattr(paging, "_AT_FIRST", 1)
    with closing(opened("tantivy", tmp_path, lambda _: "")) as made:
        for key, place in enumerate([*NUMBERS, *LONG]):
            text = "breach breach" if key % 11 == 0 else "breach of contract" if key % 3 else "breach of it all"
            made.replace([Entry(exhibit=key, digest="d", text=text, fields={"control_number": place})])
            if key % 40 == 0:
                made.commit()  # several segments
        made.commit()
        yield made


def all_hits(index: SearchIndex, query: str, limit: int, sort: str = "score") -> list[tuple[float, int]]:
    after, found = None, list[tuple[float, int]]()
    while True:
        request = Search(query=parse(query, stems=STEMS), sort=Sort.read(sort), limit=limit, after=after)
        page = index.search(request)
        found += [(hit.score or 0.0, hit.exhibit) for hit in page.hits]
        if page.after is None:
            return found
        after = page.after


@pytest.mark.parametrize("query", ["breach", "contract", "breach OR contract", "control_number:RW* breach"])
@pytest.mark.parametrize("limit", [1, 3, 7, 50])
def test_many_hits_of_one_score_are_in_control_number_order_whatever_a_page_holds(
    index: SearchIndex, query: str, limit: int
) -> None:
    number_of = [*NUMBERS, *LONG]
    found = all_hits(index, query, limit)
    assert found == sorted(found, key=lambda hit: (-hit[0], number_of[hit[1]]))
    assert (
        len(found)
        == len({exhibit for _, exhibit in found})
        == index.search(Search(query=parse(query, stems=STEMS), limit=0)).total
    )


@pytest.mark.parametrize("limit", [1, 6, 200])
def test_all_are_listed_by_control_number_also_where_numbers_are_long(index: SearchIndex, limit: int) -> None:
    number_of = [*NUMBERS, *LONG]
    found = [number_of[exhibit] for _, exhibit in all_hits(index, "breach", limit, "control_number")]
    assert found == sorted(number_of)


@given(st.lists(st.text(max_size=15), min_size=2, max_size=2))
def test_the_number_of_a_place_never_contradicts_the_order_of_places(two: list[str]) -> None:
    first, second = sorted(two)
    assert 0 <= order_of(first) <= order_of(second) < 2**63


def test_numbers_as_cases_have_them_are_told_apart() -> None:
    assert len({order_of(f"RW{number:08d}") for number in range(1_000)}) == 1_000
