"""Counts of a finished batch are kept, and are those of its rows whatever happens to it afterwards."""

import msgspec
from sqlalchemy import func, select
from tests.contract.test_case_store_recognition import OCR, load, recognised, scanned, take
from tests.contract.test_case_store_recognition import case as case  # a fixture
from tests.support.case_stores import OpenStore

from redwell.adapters.sql.case_tables import batch_outcome
from redwell.core.case.exhibit_look import AS_READ
from redwell.core.case.findings import Check
from redwell.core.jobs.job import NewJob
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.records import Selection

PARTLY = msgspec.structs.replace(AS_READ, outcome=Outcome.PARTIAL.value)


def kept(store: OpenStore) -> dict[str, int]:
    with store.database.read() as tx:
        rows = select(batch_outcome.c.outcome, batch_outcome.c.exhibits).where(batch_outcome.c.exhibits > 0)
        return {row.outcome: row.exhibits for row in tx.execute(rows)}


def finished(store: OpenStore) -> int:
    batch = scanned(store, copies=3)
    store.record([], [recognised(take(store, batch)[0], 1)])
    load(store)
    assert store.finish_batch(batch)
    return batch


def wrong(store: OpenStore) -> list[str]:
    with store.rows.audit() as audit:
        return [finding.detail for finding in audit.imbalances() if finding.check is Check.OUTCOME]


def test_they_are_kept_when_a_batch_ends_and_go_when_it_is_opened_again(case: OpenStore) -> None:
    batch = finished(case)
    assert kept(case) == case.rows.counts(batch) == {Outcome.SUCCESS: 3}
    assert case.reopen(Selection(task=OCR), NewJob()) == 1
    assert kept(case) == {}
    nothing = Problem(code=Code.NO_TEXT, detail="page 2")
    case.record([], [recognised(take(case, batch)[0], 1, problem=nothing)])
    load(case)
    assert case.finish_batch(batch)
    assert kept(case) == case.rows.counts(batch) == {Outcome.PARTIAL: 3} and wrong(case) == []


def test_an_exhibit_that_is_shown_in_another_way_later_is_counted_so(case: OpenStore) -> None:
    batch = finished(case)
    [first, *_] = case.rows.exhibits()
    case.show({first.id: PARTLY})
    assert kept(case) == {}
    assert case.rows.counts(batch) == {Outcome.SUCCESS: 2, Outcome.PARTIAL: 1}


def test_what_changes_while_a_batch_is_counted_is_not_kept_as_it_was(case: OpenStore) -> None:
    batch = scanned(case, copies=3)
    case.record([], [recognised(take(case, batch)[0], 1)])
    load(case)
    [first, *_] = case.rows.exhibits()
    counted = case.outcomes_in

    def disturbed(key: int) -> dict[str, int]:
        found = counted(key)
        case.show({first.id: PARTLY})
        return found

    case.outcomes_in = disturbed  # type: ignore[method-assign]
    assert case.finish_batch(batch) and kept(case) == {}
    assert case.rows.counts(batch) == {Outcome.SUCCESS: 2, Outcome.PARTIAL: 1}


def test_verify_compares_them_with_the_rows(case: OpenStore) -> None:
    finished(case)
    assert wrong(case) == []
    case.database.write(lambda tx: tx.execute(batch_outcome.update().values(exhibits=4)))
    assert wrong(case) == ["its rows and its kept counts differ by 1 of SUCCESS"]


def test_marks_of_those_who_counted_in_vain_do_not_pile_up(case: OpenStore) -> None:
    batch = scanned(case, copies=1)
    for _ in range(3):
        assert not case.finish_batch(batch)
    with case.database.read() as tx:
        assert tx.execute(select(func.count()).select_from(batch_outcome)).scalar_one() == 1
    assert kept(case) == {}
