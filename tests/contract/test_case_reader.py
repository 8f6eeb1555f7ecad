"""What a reader of a case promises, over every database."""

import threading
from collections.abc import Callable

import pytest
from tests.support.case_stores import Opener, OpenStore
from tests.support.ledger_model import Content, File, World
from tests.support.ledger_worker import Worker, begin, imported, read_all

from redwell.adapters.sql.schema_version import OLDEST, VERSION
from redwell.adapters.sql.tables import case_info
from redwell.core.case.rows import Exhibit, Wanted
from redwell.core.errors import UserError
from redwell.core.outcomes import Outcome

SEVEN = World((Content(), Content()), ((File(0), File(1), File(0), File(1), File(0), File(1), File(0)),))


def paged(store: OpenStore, limit: int, between: Callable[[], object] = lambda: None) -> list[Exhibit]:
    found: list[Exhibit] = []
    after: str | None = None
    while True:
        page = store.rows.page(after, limit)
        found += page.exhibits
        if page.after is None:
            return found
        after = page.after
        between()


@pytest.mark.parametrize("limit", [1, 2, 7, 100])
def test_pages_by_key_give_each_exhibit_once_and_in_order(limit: int, case_store: OpenStore) -> None:
    imported(case_store, SEVEN)
    case_store.take_to_load(0)
    whole = list(case_store.rows.exhibits())
    assert [exhibit.control_number for exhibit in whole] == [f"RW0000000{number}" for number in range(1, 8)]
    assert paged(case_store, limit) == whole


def test_a_page_follows_where_the_last_one_ended_whatever_was_added_meanwhile(case_store: OpenStore) -> None:
    imported(case_store, SEVEN)
    case_store.take_to_load(0)
    once = iter([lambda: imported(case_store, SEVEN)])
    found = paged(case_store, 5, between=lambda: [add() for add in once])
    keys = [exhibit.id for exhibit in found]
    assert len(keys) == len(set(keys)) and [exhibit.control_number for exhibit in found[:7]] == [
        f"RW0000000{number}" for number in range(1, 8)
    ]


@pytest.mark.parametrize("limit", [1, 4, 100])
def test_what_has_no_number_yet_is_listed_behind_what_has_one_also_if_it_gets_it_meanwhile(
    limit: int, case_store: OpenStore
) -> None:
    imported(case_store, SEVEN)
    case_store.take_to_load(0)
    imported(case_store, SEVEN)
    known = [exhibit.id for exhibit in case_store.rows.exhibits()]
    later = iter([lambda: None] * 9 + [lambda: case_store.take_to_load(0)] * 9)
    found = paged(case_store, limit, between=lambda: next(later)())
    assert [exhibit.id for exhibit in found] == known
    assert len({exhibit.control_number for exhibit in case_store.rows.exhibits()}) == (8 if limit > 1 else 14)


def test_pages_and_lists_are_of_what_is_wanted(case_store: OpenStore) -> None:
    imported(case_store, SEVEN)
    again = imported(case_store, SEVEN)
    page = case_store.rows.page(None, 4, Wanted(batch=again))
    assert [exhibit.batch for exhibit in page.exhibits] == [again] * 4
    rest = case_store.rows.page(page.after, 4, Wanted(batch=again))
    assert [exhibit.batch for exhibit in rest.exhibits] == [again] * 3 and rest.after is None
    assert list(case_store.rows.exhibits(Wanted(outcome=Outcome.CRASHED))) == []
    assert list(case_store.rows.exhibits(Wanted(troubled=True))) == []


def test_a_cursor_that_is_none_is_refused(case_store: OpenStore) -> None:
    with pytest.raises(UserError, match="no cursor"):
        case_store.rows.page("nonsense")


def test_some_exhibits_are_those_that_there_are(case_store: OpenStore) -> None:
    imported(case_store, SEVEN)
    whole = {exhibit.id: exhibit for exhibit in case_store.rows.exhibits()}
    wanted = list(whole)[:3]
    assert case_store.rows.some([*wanted, 4711]) == {key: whole[key] for key in wanted}
    assert case_store.rows.some([]) == {}


def test_counts_of_a_finished_batch_are_right_also_after_a_retry(open_case_store: Opener) -> None:
    """They are remembered by when the batch was finished; while it is open they are counted each time."""
    store = open_case_store("w")
    read_all(store, SEVEN)
    assert store.rows.counts() == {"OPEN": 7}
    batch = imported(store, SEVEN)
    store.begin_loading()
    store.loaded([row.id for row in store.take_to_load(100)])
    assert store.finish_batch(batch)
    assert store.rows.counts(batch) == store.rows.counts(batch) == {"SUCCESS": 7}
    counted = store.rows.counts_by_batch([batch])
    counted[batch].clear()
    assert store.rows.counts_by_batch([batch]) == {batch: {"SUCCESS": 7}}, "nobody can change what is remembered"


def test_several_threads_look_through_one_reader(open_case_store: Opener) -> None:
    store = open_case_store("w")
    imported(store, SEVEN)
    expected, seen = list(store.rows.exhibits()), list[object]()

    def look() -> None:
        for _ in range(20):
            seen.append(paged(store, 3))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [expected] * 160


def test_a_reader_in_the_middle_of_a_listing_holds_up_no_writer(open_case_store: Opener) -> None:
    store = open_case_store("w")
    imported(store, SEVEN)
    store.take_to_load(0)
    listing = store.rows.exhibits()
    first = next(listing)
    worker = Worker("other", open_case_store("other"), SEVEN)
    worker.complete([begin(worker.store, SEVEN)])
    rest = list(listing)
    assert first.control_number == "RW00000001" and len(rest) >= 6


@pytest.mark.parametrize(
    ("version", "told"),
    [(VERSION + 1, "newer"), (VERSION - 1, "redwell resume --case contract"), (OLDEST - 1, "older")],
)
def test_a_case_of_another_release_is_named_as_such(version: int, told: str, case_store: OpenStore) -> None:
    other = case_info.update().where(case_info.c.key == "schema").values(value=str(version))
    case_store.database.write(lambda tx: tx.execute(other))
    with pytest.raises(UserError, match=told):
        case_store.rows.info()
