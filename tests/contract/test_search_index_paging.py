"""What every search index keeps (ports.search_index): order, pages, filters, counts."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.search_indexes import INDEXES, ask, opened

from redwell.core.errors import UserError
from redwell.core.search.fields import FieldValue
from redwell.core.search.request import Cursor, Facet
from redwell.ports.search_index import Entry, Hit, SearchIndex

COUNT = 60


def entry(number: int) -> Entry:
    """Control numbers are in the order of `number`, exhibits are not; a fourth have no date."""
    fields: dict[str, FieldValue] = {
        "control_number": f"RW{number:08d}",
        "size": number % 3,
        "kind": "mail" if number % 2 else "pdf",
        "custodian": ("Ann Lee", "Bob Ray") if number % 10 == 0 else "Ann Lee",
    }
    if number % 4:
        fields["date"] = f"20{10 + number % 5}-05-01T00:00:00Z"
    return Entry(exhibit=(number * 37) % COUNT, digest="", text="word " * (number % 7 + 1), fields=fields)


def number_of(hit: Hit) -> int:
    return next(number for number in range(COUNT) if (number * 37) % COUNT == hit.exhibit)


@pytest.fixture(scope="module", params=INDEXES)
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    """Written in no order, in several commits; only searched, so one serves all tests of this file."""
    with closing(opened(request.param, tmp_path_factory.mktemp("index"), lambda _: "word")) as built:
        numbers = list(range(COUNT))
        random.Random(7).shuffle(numbers)
        for start in range(0, COUNT, 15):
            built.replace(entry(number) for number in numbers[start : start + 15])
            built.commit()
        yield built


def all_pages(index: SearchIndex, query: str, sort: str, limit: int) -> Iterator[Hit]:
    after: Cursor | None = None
    while True:
        page = ask(index, query, sort=sort, limit=limit, after=after, snippets=False)
        yield from page.hits
        if page.after is None:
            return
        assert len(page.hits) == limit
        after = Cursor.read(str(page.after))


def expected(sort: str) -> list[int]:
    numbers = list(range(COUNT))
    match sort:
        case "control_number":
            return numbers
        case "size":
            return sorted(numbers, key=lambda n: n % 3)
        case "size:desc":
            return sorted(numbers, key=lambda n: -(n % 3))
        case "date":
            return sorted(numbers, key=lambda n: n % 5 if n % 4 else 9)
        case _:
            return sorted(numbers, key=lambda n: -(n % 5) if n % 4 else 9)


@pytest.mark.parametrize("limit", [1, 7, 20, 60, 1000])
@pytest.mark.parametrize("sort", ["control_number", "size", "size:desc", "date", "date:desc"])
def test_pages_follow_each_other_in_order_with_ties_by_control_number(
    index: SearchIndex, sort: str, limit: int
) -> None:
    assert [number_of(hit) for hit in all_pages(index, "word", sort, limit)] == expected(sort)


@pytest.mark.parametrize("limit", [1, 7, 60])
def test_pages_by_score_follow_each_other_with_ties_by_control_number(index: SearchIndex, limit: int) -> None:
    hits = list(all_pages(index, "word", "score", limit))
    scored = [(-(hit.score or 0.0), number_of(hit)) for hit in hits]
    assert scored == sorted(scored)
    assert len(set(scored)) == COUNT


def test_what_scores_alike_is_in_the_order_of_control_numbers(index: SearchIndex) -> None:
    assert [number_of(hit) for hit in all_pages(index, "kind:mail", "score", 7)] == list(range(1, COUNT, 2))
    assert [number_of(hit) for hit in all_pages(index, "*", "score", 20)] == list(range(COUNT))


def test_totals_are_of_all_pages_and_a_page_of_none_has_no_hits(index: SearchIndex) -> None:
    first = ask(index, "word", limit=7)
    assert first.total == ask(index, "word", limit=7, after=first.after).total == COUNT
    none = ask(index, "word", limit=0)
    assert (none.total, none.hits, none.after) == (COUNT, (), None)


def test_a_page_begins_behind_its_cursor_whatever_came_since(tmp_path: Path) -> None:
    with closing(opened("tantivy", tmp_path / "index", str)) as index:
        index.replace(entry(number) for number in range(20, 40))
        index.commit()
        first = ask(index, "*", sort="control_number", limit=5)
        index.replace(entry(number) for number in range(40))
        index.commit()
        second = ask(index, "*", sort="control_number", limit=5, after=first.after)
    assert [number_of(hit) for hit in second.hits] == [25, 26, 27, 28, 29]


def test_filters_leave_hits_out_and_do_not_change_scores(index: SearchIndex) -> None:
    scores = {hit.exhibit: hit.score for hit in ask(index, "word", limit=COUNT).hits}
    kept = ask(index, "word", filters="kind:mail date:2011", limit=COUNT)
    assert {number_of(hit) for hit in kept.hits} == {n for n in range(COUNT) if n % 2 and n % 4 and n % 5 == 1}
    assert {hit.exhibit: hit.score for hit in kept.hits}.items() <= scores.items()


def test_values_are_counted_over_all_hits_as_they_are_written(index: SearchIndex) -> None:
    found = ask(index, "word", limit=3, facets=(Facet("kind"), Facet("custodian"), Facet("batch")))
    assert found.facets["kind"].values == (("mail", 30), ("pdf", 30))
    assert found.facets["custodian"].values == (("Ann Lee", 60), ("Bob Ray", 6))
    assert found.facets["batch"].values == ()
    assert ask(index, "kind:mail", facets=(Facet("kind"),)).facets["kind"].values == (("mail", 30),)
    short = ask(index, "word", facets=(Facet("custodian", limit=1),)).facets["custodian"]
    assert (short.values, short.other) == ((("Ann Lee", 60),), 6)


def test_a_cursor_of_another_search_is_refused(index: SearchIndex) -> None:
    after = ask(index, "word", limit=7).after
    for query, sort in (("words", "score"), ("word", "date")):
        with pytest.raises(UserError, match="another query or order"):
            ask(index, query, sort=sort, after=after)
    for text in ("", "x", "é", "W10"):
        with pytest.raises(UserError, match="is no cursor"):
            Cursor.read(text)


@pytest.mark.parametrize("sort", ["subject", "score:desc", "exhibit", "control_number:desc", ""])
def test_an_order_that_cannot_be_had_is_refused_with_those_that_can(index: SearchIndex, sort: str) -> None:
    with pytest.raises(UserError, match="sort by score, control_number, date"):
        ask(index, "word", sort=sort)


def test_a_field_that_is_not_counted_is_refused_with_those_that_are() -> None:
    with pytest.raises(UserError, match="count by custodian, media_type, kind"):
        Facet("subject")


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3)), max_size=40), st.integers(1, 9), st.booleans())
@settings(max_examples=25, deadline=None)
def test_any_entries_are_paged_once_each_and_in_order(
    written: list[tuple[int, int]], limit: int, descending: bool
) -> None:
    model = dict(written)
    with TemporaryDirectory() as folder, closing(opened("tantivy", Path(folder) / "index", str)) as index:
        for start in range(0, len(written), 10):
            index.replace(
                Entry(
                    exhibit=n,
                    digest="",
                    text="",
                    fields={"control_number": f"{n:02d}"} | ({"size": size} if size else {}),
                )
                for n, size in written[start : start + 10]
            )
            index.commit()
        found = [hit.exhibit for hit in all_pages(index, "*", "size:desc" if descending else "size", limit)]
    assert found == sorted(model, key=lambda n: (not model[n], -model[n] if descending else model[n], n))
