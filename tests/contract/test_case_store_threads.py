"""What every case store promises about threads and neighbours, and that two loaders never take the same exhibit."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.contract.test_case_store_families import LEAF
from tests.support.case_stores import Opener, OpenStore
from tests.support.ledger_model import File, World
from tests.support.ledger_worker import imported

from redwell.core.case.near import Neighbour
from redwell.core.errors import UserError

FOUR = World((LEAF,), ((File(0),) * 4,))
A, B, C = (letter * 32 for letter in (b"a", b"b", b"c"))


def test_a_mail_that_comes_late_ties_threads_together(case_store: OpenStore) -> None:
    imported(case_store, FOUR)
    case_store.take_to_load(0)  # for their numbers
    one, two, three, four = (exhibit.id for exhibit in case_store.rows.exhibits())
    assert case_store.find_threads({two: [A], three: [B]}) == set()
    assert case_store.find_threads({four: [B, C]}) == {three}
    assert case_store.find_threads({one: [A, C]}) == {two}
    assert {exhibit.thread for exhibit in case_store.rows.exhibits()} == {"RW00000001"}, "the lowest control number"
    mails = case_store.mails_of([two])
    assert [mail.id for mail in mails] == [one, two, three, four]
    case_store.judge_threads([mail.id for mail in mails], {four})
    assert [exhibit.inclusive for exhibit in case_store.rows.exhibits()] == [False, False, False, True]
    assert sorted(case_store.rows.given("thread", "rw00000003", False)) == [f"RW0000000{n}" for n in range(1, 5)]


def test_neighbours_are_kept_and_found_by_how_near_they_are(case_store: OpenStore) -> None:
    imported(case_store, FOUR)
    case_store.take_to_load(0)  # for their numbers
    one, two, three, four = (exhibit.id for exhibit in case_store.rows.exhibits())
    assert [each.id for each in case_store.unsketched((0, ""), 2)] == [one, two]
    assert [each.id for each in case_store.unsketched((2, "RW00000002"), 9)] == [three, four]
    sketch = bytes(256)
    case_store.note_near([Neighbour(one, sketch, None, None), Neighbour(two, b"", None, None)])
    case_store.note_near([Neighbour(three, sketch, one, 83), Neighbour(four, sketch, one, 96)])
    assert case_store.masters() == {one: sketch} and case_store.unsketched((0, ""), 9) == []
    assert case_store.rows.some([three])[three].near == "RW00000001"
    assert sorted(case_store.rows.given("near", "rw00000004", False)) == ["RW00000001", "RW00000003", "RW00000004"]
    assert sorted(case_store.rows.given("near", "rw00000001@95", False)) == ["RW00000001", "RW00000004"]
    case_store.forget_near()
    assert len(case_store.unsketched((0, ""), 9)) == 4


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("tag", "hot", "no tags yet"),
        ("thread", "rw00000009", "no document has"),
        ("thread", "rw00000001", "in no thread"),
        ("near", "rw00000001@x", "takes a control number"),
    ],
)
def test_what_the_case_does_not_know_is_an_error(case_store: OpenStore, field: str, value: str, told: str) -> None:
    imported(case_store, World((LEAF,), ((File(0),),)))
    case_store.take_to_load(0)
    with pytest.raises(UserError, match=told):
        case_store.rows.given(field, value, False)


@pytest.mark.requirement("D6")
def test_two_loaders_never_take_the_same_exhibit(open_case_store: Opener) -> None:
    stores = [open_case_store(name) for name in ("w1", "w2")]
    imported(stores[0], World((LEAF,), ((File(0),) * 60,)))

    def take_all(store: OpenStore) -> list[int]:
        taken = []
        while chunk := store.take_to_load(3):
            taken += [exhibit.id for exhibit in chunk]
        return taken

    with ThreadPoolExecutor(2) as pool:
        taken = [key for some in pool.map(take_all, stores) for key in some]
    assert len(taken) == len(set(taken)) == 60
