"""What rounds of review promise (ports.review_rounds), on every database; and sets of terms and replaced files."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select, update
from tests.support.review_cases import KINDS, case_with_exhibits, databases

from redwell.adapters.sql.review_tables import review_item, review_round, saved_search, term_set
from redwell.adapters.sql_review.review_store import SqlReviewStore
from redwell.core.errors import Conflict, NotFound, UserError
from redwell.core.review.rounds import Item, NewRound, Round
from redwell.core.review.values import Action, Coding, Entry


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlReviewStore]:
    with databases(request.param, tmp_path) as opener:
        case_with_exhibits(opener(), 60)
        yield SqlReviewStore(opener())


def made(store: SqlReviewStore, count: int = 40, size: int = 5) -> Round:
    items = [Item(exhibit=n, family=n) for n in range(1, count + 1)]
    return store.rounds.make(NewRound(name="first pass", query="q=valve", who="ada", size=size), items)


def test_several_reviewers_never_get_the_same(store: SqlReviewStore) -> None:
    key = made(store).id
    with ThreadPoolExecutor(8) as people:
        portions = list(people.map(lambda n: store.rounds.hand_out(key, f"reviewer {n}").exhibits, range(8)))
    assert sorted(exhibit for portion in portions for exhibit in portion) == list(range(1, 41))
    assert store.rounds.hand_out(key, "late").exhibits == []
    assert (store.rounds.one(key).out, store.rounds.one(key).left) == (40, 40)


def test_who_asks_again_gets_what_they_have_still_and_then_the_next(store: SqlReviewStore) -> None:
    key = made(store).id
    first = store.rounds.hand_out(key, "rita").exhibits
    store.rounds.finish(key, first[0], "rita")
    assert store.rounds.hand_out(key, "rita").exhibits == first[1:]
    for exhibit in first[1:]:
        store.rounds.finish(key, exhibit, "rita")
    assert store.rounds.hand_out(key, "rita").exhibits == [6, 7, 8, 9, 10]
    assert store.rounds.one(key).done == 5


def test_a_lease_that_ended_and_what_was_given_back_go_to_the_next(store: SqlReviewStore) -> None:
    key = made(store, 10).id
    mine = store.rounds.hand_out(key, "rita").exhibits
    store._database.write(lambda tx: tx.execute(update(review_item).values(lease_ms=1)))
    assert store.rounds.hand_out(key, "rob").exhibits == mine
    with pytest.raises(Conflict, match="somebody else"):
        store.rounds.finish(key, mine[0], "rita")
    assert store.rounds.give_back(key, "rob") == 5
    assert store.rounds.hand_out(key, "rita").exhibits == mine


def test_a_family_is_handed_out_together(store: SqlReviewStore) -> None:
    items = [Item(exhibit=n, family=1 if n < 8 else n) for n in range(1, 12)]
    key = store.rounds.make(NewRound(name="x", query="", who="ada", size=3), items).id
    assert store.rounds.hand_out(key, "rita").exhibits == list(range(1, 8))


def test_a_second_look_goes_to_others_and_tells_how_often_they_agree(store: SqlReviewStore) -> None:
    key, tag = made(store, 4).id, store.add_tag("Responsive", "ada").id
    for exhibit in store.rounds.hand_out(key, "rita").exhibits:
        if exhibit < 3:
            store.code(Coding(who="rita", tag=tag, on=True, exhibits=(exhibit,)))
        store.rounds.finish(key, exhibit, "rita")
    seen = store.rounds.finished(key)
    assert [(each.exhibit, each.before, each.first_by) for each in seen][:3] == [
        (1, str(tag), "rita"),
        (2, str(tag), "rita"),
        (3, "", "rita"),
    ]
    second = store.rounds.make(NewRound(name="second", query="", who="ada", second_of=key, seed=7), seen)
    assert second.agreement is None
    assert store.rounds.hand_out(second.id, "rita").exhibits == []
    for exhibit in store.rounds.hand_out(second.id, "rob").exhibits:
        if exhibit == 4:
            store.code(Coding(who="rob", tag=tag, on=True, exhibits=(exhibit,)))
        store.rounds.finish(second.id, exhibit, "rob")
    assert store.rounds.one(second.id).agreement == 0.75


def test_rounds_that_are_not_there_are_told_and_dropped_ones_are_gone(store: SqlReviewStore) -> None:
    key = made(store).id
    with pytest.raises(NotFound):
        store.rounds.finish(key, 59, "rita")
    with pytest.raises(UserError, match="no document"):
        store.rounds.make(NewRound(name="empty", query="", who="ada"), [])
    store.rounds.drop(key, "ada")
    assert store.rounds.all() == []
    with pytest.raises(NotFound):
        store.rounds.hand_out(key, "rita")
    assert [each.action for each in store.log()] == [Action.ROUND_DROPPED, Action.ROUND_MADE]


@pytest.mark.requirement("D13")
def test_what_people_delete_is_only_marked_with_its_time_and_shown_to_nobody(store: SqlReviewStore) -> None:
    key, saved = made(store).id, store.save_search("coating", "q=coating", "ada")
    [first, *_] = store.rounds.hand_out(key, "rita").exhibits
    store.rounds.finish(key, first, "rita")
    store.set_terms("People", "c", "cooper", "ada")
    store.rounds.drop(key, "bob")
    assert store.drop_search(saved.id, "bob")
    store.set_terms("People", "c", "", "bob")
    assert (store.rounds.all(), store.saved_searches(), store.term_sets()) == ([], [], [])
    assert (store.rounds.held(key, "rita"), store.rounds.finished(key), store.rounds.give_back(key, "rita")) == (
        [],
        [],
        0,
    )
    with pytest.raises(NotFound):
        store.rounds.finish(key, first, "rita")
    with store._database.read() as tx:
        for table, name in ((review_round, "first pass"), (saved_search, "coating"), (term_set, "People")):
            [row] = tx.execute(select(table.c.name, table.c.deleted_ms))
            assert row.name == name and row.deleted_ms > 1_600_000_000_000
        assert tx.execute(select(func.count()).select_from(review_item)).scalar_one() == 40
    again = store.set_terms("People", "d", "baker", "ada")
    assert store.term_sets() == [again], "a name that was deleted is free"


def test_sets_of_terms_replaced_files_and_what_was_read_are_kept(store: SqlReviewStore) -> None:
    store.set_terms("People", "c", "cooper\nbaker", "ada")
    again = store.set_terms("People", "d", "cooper", "rita")
    assert store.term_sets() == [again]
    store.set_terms("People", "d", " ", "rita")
    assert store.term_sets() == []
    replaced = store.replace_file(7, 3, "ada")
    assert store.replacements([6, 7]) == store.replacements(batch=3) == [replaced]
    assert store.replacements([6]) == []
    store.record([Entry(who="ada", action=Action.VIEWED, exhibit=n) for n in (1, 2, 2)])
    assert (store.read_count("ada"), sorted(store.read_by("ada", limit=10))) == (2, ["RW00000001", "RW00000002"])
    assert store.read_by("rita", limit=10) == []
