"""What every case store promises of large cases: many copies of a content, and a long queue of the index."""

from tests.contract.test_case_store_families import LEAF, result
from tests.contract.test_case_store_jobs import FIRST, SECOND, THREE, complete, index_all, two_batches
from tests.support.case_stores import OpenStore
from tests.support.ledger_model import File, World
from tests.support.ledger_worker import read_all

from redwell.core.outcomes import Outcome
from redwell.core.work.records import Selection
from redwell.core.work.transitions import Standing


def test_copies_that_a_step_left_over_are_settled_with_the_next_ones(case_store: OpenStore) -> None:
    """However many contents have more copies than a step settles; nobody has to wait for the end of the batch."""
    batch = read_all(case_store, World((LEAF,) * 3, ((File(0),) * 700 + (File(1),) * 700 + (File(2),),)))
    first, second, last = case_store.claim_work(3, 1 << 20)
    done = []
    for results in ([result(first), result(second)], [result(last)]):
        case_store.record([], results)
        done.append(case_store.rows.counts(batch)["SUCCESS"])
    assert done[0] < 1_400 and done[1] >= done[0] + 500
    while case_store.settle_some(batch):
        pass
    assert case_store.rows.counts(batch) == {"SUCCESS": 1_401}
    assert case_store.settle_some(batch) == 0


def test_a_batch_is_over_when_its_own_exhibits_are_indexed_whatever_others_have_pending(
    case_store: OpenStore,
) -> None:
    """Of two that wait for the index either may be ready first."""
    older, newer = two_batches(case_store)
    complete(case_store, FIRST, older), complete(case_store, SECOND, newer)
    rows = case_store.take_to_load(100)
    assert [case_store.standing(batch) for batch in (older, newer)] == [Standing.UNINDEXED] * 2
    assert not case_store.finish_batch(newer)
    case_store.loaded([row.id for row in rows if row.batch == newer])
    assert [case_store.standing(batch) for batch in (older, newer)] == [Standing.UNINDEXED, Standing.OVER]
    assert case_store.finish_batch(newer) and not case_store.finish_batch(older)
    case_store.loaded([row.id for row in rows])
    assert case_store.finish_batch(older)


def test_an_older_batch_is_over_before_what_a_newer_one_has_pending_is_indexed(case_store: OpenStore) -> None:
    older, newer = two_batches(case_store)
    complete(case_store, FIRST, older), complete(case_store, SECOND, newer)
    case_store.loaded([row.id for row in case_store.take_to_load(100) if row.batch == older])
    assert [case_store.standing(batch) for batch in (older, newer)] == [Standing.OVER, Standing.UNINDEXED]
    assert case_store.finish_batch(older) and not case_store.finish_batch(newer)


def test_a_batch_waits_for_the_index_until_the_last_of_its_exhibits_is_there(case_store: OpenStore) -> None:
    """In whatever order they come to it; and again when one of them has changed."""
    batch = read_all(case_store, THREE)
    complete(case_store, THREE, batch)
    keys = [row.id for row in case_store.take_to_load(100)]
    for key in (keys[-1], keys[0], keys[1]):
        assert case_store.standing(batch) is Standing.UNINDEXED
        assert not case_store.finish_batch(batch)
        case_store.loaded([key])
    assert case_store.standing(batch) is Standing.OVER
    assert case_store.reopen(Selection(outcome=Outcome.SUCCESS)) == 3
    assert case_store.standing(batch) is Standing.OPEN
    complete(case_store, THREE, batch)
    assert case_store.standing(batch) is Standing.UNINDEXED
    index_all(case_store)
    assert case_store.standing(batch) is Standing.OVER
