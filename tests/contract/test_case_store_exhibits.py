"""What every case store promises about exhibits: numbered with their load, which goes on behind checkpoints."""

from typing import Any

import pytest
from sqlalchemy import Row, select, update
from tests.contract.test_case_store_families import LEAF, ONE_CONTAINER, claimed, member, result
from tests.support.case_stores import OpenStore
from tests.support.ledger_model import LOCKED, Content, File, Part, World
from tests.support.ledger_worker import Worker, imported, read_all

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql_exhibits.numbering import number_some
from redwell.core.case.checkpoints import LOADED, REGISTERED, Checkpoint, before
from redwell.core.case.rows import Wanted
from redwell.core.outcomes import Outcome
from redwell.core.work.records import Selection

NESTED = World((Content((Part(content=1), Part(content=2))), Content((Part(content=2),)), LEAF), ((File(0), File(2)),))


def rows(store: OpenStore) -> list[Row[Any]]:
    with store.database.read() as tx:
        return list(tx.execute(select(exhibit).order_by(exhibit.c.number, exhibit.c.control)))


def checkpoints(store: OpenStore) -> set[int]:
    return {row.checkpoint for row in rows(store)}


def load(store: OpenStore) -> list[int]:
    taken = store.take_to_load(1_000)
    store.loaded([row.id for row in taken])
    return [row.checkpoint for row in taken]


def controls(store: OpenStore) -> list[str | None]:
    return [row.control for row in rows(store)]


def test_an_exhibit_has_its_row_and_family_from_registration_and_its_number_from_the_load(
    case_store: OpenStore,
) -> None:
    read_all(case_store, NESTED)
    assert controls(case_store) == [None, None] and checkpoints(case_store) == {REGISTERED}
    assert [exhibit.control_number for exhibit in case_store.rows.exhibits()] == ["", ""]
    case_store.take_to_load(0)
    assert controls(case_store) == ["RW00000001", "RW00000002"] and checkpoints(case_store) == {Checkpoint.STARTED}


def test_what_lies_in_a_store_has_a_number_of_its_own_and_what_is_attached_that_of_its_parent(
    case_store: OpenStore,
) -> None:
    read_all(case_store, NESTED)
    claim = claimed(case_store)
    inside = member(claim, "a", "text a"), member(claim, "b", outcome=Outcome.INVALID_FILE, role="attachment")
    case_store.record(inside, [])
    case_store.take_to_load(0)
    assert controls(case_store) == ["RW00000001", "RW00000001.0002", "RW00000002", "RW00000003"]
    case_store.record([member(claim, "c", "text c", role="attachment")], [result(claim)])
    assert controls(case_store).count(None) == 1
    case_store.take_to_load(0)
    assert controls(case_store)[:3] == ["RW00000001", "RW00000001.0002", "RW00000001.0003"], "one that came late"
    with case_store.rows.audit() as audit:
        assert [finding for finding in audit.imbalances() if finding.check == "family"] == []


def test_numbers_are_issued_in_chunks_in_the_order_of_registration(case_store: OpenStore) -> None:
    imported(case_store, World((LEAF,), ((File(0),) * 5,)))
    more = [case_store.database.write(lambda tx: number_some(tx, "RW", 2)) for _ in range(3)]
    assert more == [True, True, False]
    assert [row.number for row in sorted(rows(case_store), key=lambda row: row.id)] == [1, 2, 3, 4, 5]


def test_what_the_case_says_agrees_with_the_ledger(case_store: OpenStore) -> None:
    batch = imported(case_store, NESTED)
    said = {row.id: row for row in rows(case_store)}
    listed = list(case_store.rows.exhibits())
    assert {row.id for row in listed} == set(said) and len(said) == 5
    assert {row.root for row in listed} == {1 + 1, 2 + 1}
    assert {row.id: row.family for row in listed} == {key: row.family for key, row in said.items()}
    with case_store.rows.audit() as audit:
        assert [finding for finding in audit.imbalances(batch) if finding.check == "family"] == []


def test_a_load_is_complete_when_its_last_step_is(case_store: OpenStore) -> None:
    imported(case_store, NESTED)
    assert checkpoints(case_store) == {REGISTERED}
    assert set(load(case_store)) == {Checkpoint.STARTED}
    assert checkpoints(case_store) == {LOADED}
    assert case_store.take_to_load(10) == []


def test_an_exhibit_that_ends_again_is_loaded_from_the_start(case_store: OpenStore) -> None:
    world = World((Content(locked=True), LEAF), ((File(0), File(1)),))
    imported(case_store, world)
    load(case_store)
    case_store.reopen(Selection(outcome=LOCKED))
    case_store.record([], [result(claimed(case_store))])
    assert sorted(row.checkpoint for row in rows(case_store)) == [Checkpoint.STARTED, LOADED]
    assert load(case_store) == [Checkpoint.STARTED]
    assert checkpoints(case_store) == {LOADED}


@pytest.mark.parametrize("step", [Checkpoint.PAGES, Checkpoint.INDEX])
def test_a_step_that_is_asked_for_again_leaves_the_steps_before_it(step: Checkpoint, case_store: OpenStore) -> None:
    imported(case_store, NESTED)
    load(case_store)
    case_store.load_again(step)
    assert set(load(case_store)) == {before(step)}
    assert checkpoints(case_store) == {LOADED}


def test_one_that_has_not_come_so_far_is_not_brought_forward_by_asking_again(case_store: OpenStore) -> None:
    imported(case_store, NESTED)
    case_store.load_again(Checkpoint.INDEX)
    assert set(load(case_store)) == {Checkpoint.STARTED}


def test_a_member_that_a_retry_gives_bytes_keeps_its_number_and_is_known_by_its_content(
    case_store: OpenStore,
) -> None:
    read_all(case_store, ONE_CONTAINER)
    claim = claimed(case_store)
    case_store.record([member(claim, "a", outcome=LOCKED), member(claim, "b", outcome=LOCKED)], [result(claim)])
    load(case_store)
    [_, lost, other] = rows(case_store)
    assert lost.document is None and lost.checkpoint == LOADED
    case_store.reopen(Selection(outcome=LOCKED))
    claim = claimed(case_store)
    case_store.record([member(claim, "a", "text a"), member(claim, "b", outcome=LOCKED)], [result(claim)])
    [_, found, again] = rows(case_store)
    assert (found.id, found.control, found.family) == (lost.id, lost.control, lost.family)
    assert found.document is not None
    assert (again.id, again.document, again.checkpoint) == (other.id, None, Checkpoint.STARTED), (
        "lost once more, told anew"
    )


def test_numbers_go_on_behind_the_last_one_of_the_case_and_none_is_issued_twice(case_store: OpenStore) -> None:
    imported(case_store, NESTED)
    case_store.take_to_load(0)
    imported(case_store, NESTED)
    case_store.take_to_load(0)
    assert [row.number for row in rows(case_store)] == list(range(1, 11))


def test_the_ledger_settles_whatever_the_case_says_of_its_exhibits(case_store: OpenStore) -> None:
    """Arrows go from the case down to the ledger: a number changed by hand changes no outcome."""
    read_all(case_store, NESTED)
    case_store.database.write(lambda tx: tx.execute(update(exhibit).values(control="x", number=exhibit.c.id)))
    claim = claimed(case_store)
    case_store.record([member(claim, "a", "text a")], [result(claim, declared=1)])
    told = {row.path: row.outcome for row in case_store.rows.exhibits() if row.depth == 0}
    assert Outcome.SUCCESS in told.values()


STORES = World((Content((Part(content=2), Part(content=1))), Content((Part(content=2),)), LEAF), ((File(0), File(1)),))
IN_ORDER = "0-0.bin 0-1.bin 0-0.bin//m0.bin 0-0.bin//m1.bin 0-1.bin//m0.bin 0-0.bin//m1.bin//m0.bin".split()


def numbered_paths(store: OpenStore) -> list[str]:
    found = sorted(
        (e.control_number, e.path.removeprefix("folder/")) for e in store.rows.exhibits() if e.control_number
    )
    return [path for _, path in found]


@pytest.mark.requirement("D3")
@pytest.mark.parametrize("backwards", [False, True])
def test_what_lies_in_two_stores_is_numbered_by_their_order_whichever_is_read_first(
    backwards: bool, case_store: OpenStore
) -> None:
    read_all(case_store, STORES)
    worker = Worker("w1", case_store, STORES)
    while worker.claim_work(9):
        worker.tasks.sort(key=lambda task: task.claim.id, reverse=backwards)
        while worker.tasks:
            worker.work(1, flush=True)
            load(case_store)
            assert numbered_paths(case_store) == IN_ORDER[: len(numbered_paths(case_store))], "at any time"
    load(case_store)
    assert numbered_paths(case_store) == IN_ORDER and checkpoints(case_store) == {LOADED}
    with case_store.rows.audit() as audit:
        assert [each for each in audit.imbalances() if each.check != "unfinished"] == []


def test_what_has_no_number_yet_is_listed_behind_all_others_and_once(case_store: OpenStore) -> None:
    read_all(case_store, STORES)
    first, second = case_store.claim_work(2, 1 << 20)
    case_store.record([member(second, str(n), f"text {n}") for n in range(3)], [result(second)])
    load(case_store)
    page = case_store.rows.page(None, 3, Wanted())
    assert [e.control_number for e in page.exhibits] == ["RW00000001", "RW00000002", ""]
    case_store.record([], [result(first)])
    load(case_store)
    rest = case_store.rows.page(page.after, 3, Wanted())
    assert [e.control_number for e in rest.exhibits] == ["RW00000004", "RW00000005"], "numbers came meanwhile"


def test_two_stores_that_are_opened_by_a_retry_are_numbered_in_their_order(case_store: OpenStore) -> None:
    world = World(
        (Content((Part(content=2),), locked=True), Content((Part(content=2),), locked=True), LEAF),
        ((File(0), File(1), File(2)),),
    )
    imported(case_store, world)
    load(case_store)
    case_store.reopen(Selection(outcome=LOCKED))
    world.unlocked = True
    worker = Worker("w1", case_store, world)
    assert worker.claim_work(9)
    worker.tasks.sort(key=lambda task: task.claim.id, reverse=True)
    while worker.tasks:
        worker.work(5, flush=True)
        load(case_store)
    assert numbered_paths(case_store) == ["0-0.bin", "0-1.bin", "0-2.bin", "0-0.bin//m0.bin", "0-1.bin//m0.bin"]
