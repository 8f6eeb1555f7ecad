"""What every case store promises about copies: families as wholes, decided by rule, with all that is known of each."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from tests.contract.test_case_store_families import LEAF
from tests.support.case_stores import DATABASES, OpenStore, case_stores
from tests.support.ledger_model import Content, File, Part, World
from tests.support.ledger_worker import Worker, begin, imported
from tests.support.load_steps import load_all

from redwell.adapters.sql.case_tables import exhibit
from redwell.core.case.rows import Exhibit, Wanted
from redwell.core.work.kinds import Attempts
from redwell.core.work.records import Selection

pytestmark = pytest.mark.requirement("D6")
STORE = World((Content((Part(content=1), Part(content=2))), Content((Part(content=2),)), LEAF), ((File(0), File(2)),))


def copies(store: OpenStore) -> dict[str, str]:
    return {e.control_number: e.duplicate_number for e in store.rows.exhibits() if e.duplicate_number}


def problems(store: OpenStore) -> list[str]:
    with store.rows.audit() as audit:
        return [finding.detail for finding in audit.imbalances() if finding.check == "family"]


def test_members_of_stores_are_compared_one_by_one(case_store: OpenStore) -> None:
    imported(case_store, STORE)
    load_all(case_store)
    assert copies(case_store) == {"RW00000002": "RW00000005", "RW00000004": "RW00000005"}
    assert {e.family_number == e.control_number for e in case_store.rows.exhibits()} == {True}
    assert problems(case_store) == []


def test_a_later_batch_never_displaces_what_an_earlier_one_kept_in_front(case_store: OpenStore) -> None:
    late, early = (World((LEAF,), ((File(0),),)) for _ in range(2))
    first = imported(case_store, late, "Zoe")
    load_all(case_store)
    assert case_store.finish_batch(first)
    imported(case_store, early, "Ann")
    load_all(case_store)
    assert copies(case_store) == {"RW00000002": "RW00000001"}
    front = next(iter(case_store.rows.exhibits()))
    assert (front.custodians, front.paths, front.is_copied) == (["Ann", "Zoe"], ["folder/0-0.bin"] * 2, True)


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_the_same_is_in_front_whatever_order_they_are_loaded_in(at_once: int, case_store: OpenStore) -> None:
    batch = imported(case_store, World((LEAF,), ((File(0), File(0)), (File(0),))))
    case_store.take_to_load(0)  # for their numbers
    ids = [e.id for e in case_store.rows.exhibits()]
    for order in permutations(ids):
        with_keys = dict.fromkeys(order, b"k" * 32)
        for key in order:
            case_store.find_copies({key: None}, [])
        for start in range(0, len(order), at_once):
            some = order[start : start + at_once]
            case_store.find_copies({key: with_keys[key] for key in some}, [])
        assert copies(case_store) == {"RW00000002": "RW00000001", "RW00000003": "RW00000001"}
    assert case_store.rows.duplicates(batch) == 2 and problems(case_store) == []


def test_a_family_that_gains_a_custodian_is_told_anew(case_store: OpenStore) -> None:
    first = imported(case_store, World((LEAF,), ((File(0),),)), "Ann")
    load_all(case_store)
    assert case_store.finish_batch(first)
    imported(case_store, World((LEAF,), ((File(0),),)), "Bob")
    front, copy = (exhibit.id for exhibit in case_store.rows.exhibits())
    assert case_store.find_copies({copy: key_of(case_store, front)}, [copy]) == [front]
    assert [each.id for each in case_store.take_these([front, copy])] == [front, copy]
    assert case_store.take_these([front]) == [], "it is taken"
    third = imported(case_store, World((LEAF,), ((File(0),),)), "Bob")
    last = next(iter(case_store.rows.exhibits(Wanted(batch=third)))).id
    assert case_store.find_copies({last: key_of(case_store, front)}, [last]) == [], "Bob is known already"


def key_of(store: OpenStore, exhibit_id: int) -> bytes:
    with store.database.read() as tx:
        return bytes(tx.execute(select(exhibit.c.copy_key).where(exhibit.c.id == exhibit_id)).scalar_one())


def test_one_in_front_that_becomes_another_leaves_its_place(case_store: OpenStore) -> None:
    imported(case_store, World((LEAF,), ((File(0), File(0), File(0)),)))
    load_all(case_store)
    first, *_ = case_store.rows.exhibits()
    case_store.find_copies({first.id: b"o" * 32}, [])
    assert copies(case_store) == {"RW00000003": "RW00000002"}
    assert {e.control_number for e in case_store.rows.some(load_all(case_store)).values()} >= {"RW00000002"}


def test_what_is_found_late_in_a_family_in_front_is_what_members_of_its_copies_are_copies_of(
    case_store: OpenStore,
) -> None:
    mail = Content((Part(content=1, role="attachment"),))
    imported(case_store, World((mail, LEAF), ((File(0), File(0)),)))
    load_all(case_store)
    _, late, copy, counterpart = (exhibit.id for exhibit in case_store.rows.exhibits())
    assert copies(case_store) == {"RW00000002": "RW00000001", "RW00000002.0001": "RW00000001.0001"}
    assert case_store.find_copies({}, [late]) == [copy, counterpart]
    assert [each.id for each in case_store.take_to_load(10)] == [copy, counterpart]
    assert case_store.find_copies({}, [counterpart]) == [], "nothing is a copy of a copy"


def test_what_has_ended_again_is_compared_again(case_store: OpenStore) -> None:
    world = World((Content(locked=True), LEAF), ((File(0), File(0)),))
    imported(case_store, world)
    load_all(case_store)
    assert copies(case_store) == {"RW00000002": "RW00000001"}
    case_store.reopen(Selection(outcome="PASSWORD_PROTECTED"))
    world.unlocked = True
    worker = Worker("w1", case_store, world)
    while worker.claim_work(10):
        while worker.tasks:
            worker.work(5, flush=True)
    load_all(case_store)
    assert copies(case_store) == {"RW00000002": "RW00000001"} and problems(case_store) == []


def expected(exhibits: list[Exhibit]) -> dict[str, str]:
    """In plain Python: of the heads with one content the first by batch, source, path and place; members follow."""
    heads = [e for e in exhibits if e.family == e.id and e.sha256]
    fronts: dict[bytes, Exhibit] = {}
    for head in sorted(heads, key=lambda e: (e.batch, e.path.split("/")[0], e.path, e.ordinal)):
        fronts.setdefault(head.sha256 or b"", head)
    return {
        head.control_number: fronts[head.sha256].control_number
        for head in heads
        if head.sha256 and fronts[head.sha256].id != head.id
    }


files = st.lists(st.sampled_from([File(0), File(1), File(2), File(3)]), max_size=3).map(tuple)


@pytest.mark.parametrize("adapter", DATABASES)
@settings(max_examples=8, deadline=None)
@given(
    sources=st.lists(files, min_size=1, max_size=2),
    batches=st.integers(1, 3),
    at_once=st.integers(1, 4),
    data=st.data(),
)
def test_random_imports_by_loaders_that_die_end_as_plain_python_says(
    sources: list[tuple[File, ...]],
    batches: int,
    at_once: int,
    data: st.DataObject,
    adapter: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with case_stores(adapter, tmp_path_factory.mktemp("copies"), Attempts()) as opener:
        store, other = opener("w1"), opener("w2")
        world = World((*STORE.contents, Content((Part(content=1), Part(content=2)))), tuple(sources))
        for batch in [begin(store, world, f"custodian {number}") for number in range(batches)]:
            Worker("w1", store, world).complete([batch], chunk=data.draw(st.integers(1, 9)))
            if data.draw(st.booleans()):
                other.take_to_load(at_once)  # and dies of it
                store.begin_loading()
            load_all(data.draw(st.sampled_from([store, other])), at_once)
        assert copies(store) == expected(list(store.rows.exhibits()))
        assert problems(store) == [] and store.take_to_load(1) == []
