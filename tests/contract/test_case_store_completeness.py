"""What every case store says of a case that is not complete: what is open, and what a cancelled import left unread."""

import pytest
from sqlalchemy import text
from tests.contract.test_case_store_jobs import THREE, cancelled, complete, index_all
from tests.support.case_stores import OpenStore
from tests.support.ledger_worker import Worker, begin

from redwell.core.case.findings import Check
from redwell.core.case.rows import Wanted
from redwell.core.outcomes import Outcome
from redwell.core.work.transitions import Standing


def findings(store: OpenStore, batch: int | None = None) -> list[str]:
    with store.rows.audit() as audit:
        return [finding.check for finding in audit.imbalances(batch)]


def seen_of(store: OpenStore, batch: int, files: int) -> None:
    """A walk that has registered so many files and is not over."""
    worker = Worker("w1", store, THREE)
    worker.walk(batch, files)
    if files:
        worker.walk(batch, files)


@pytest.mark.parametrize(("files", "last"), [(0, None), (1, "0"), (2, "1")])
def test_a_walk_that_was_cancelled_leaves_an_open_statement(
    case_store: OpenStore, files: int, last: str | None
) -> None:
    """Also of a queued import whose source nobody had begun to read."""
    batch = begin(case_store, THREE)
    seen_of(case_store, batch, files)
    cancelled(case_store, batch)
    [source] = case_store.rows.unread_sources(batch)
    paths = [exhibit.path for exhibit in case_store.rows.exhibits(Wanted(batch=batch))]
    assert (source.seen, source.read_to) == (files, paths[-1] if paths else None)
    assert len(paths) == files and (last is None) == (source.read_to is None)
    assert "unknown" in str(source)
    assert findings(case_store, batch) == findings(case_store) == [Check.CANCELLED]
    assert [row.listed for row in case_store.rows.sources(batch)] == [None]
    assert not case_store.rows.completeness(at_work=False).is_complete


def test_a_walk_that_was_over_when_its_import_was_cancelled_is_no_open_statement(case_store: OpenStore) -> None:
    batch = begin(case_store, THREE)
    seen_of(case_store, batch, 9)
    cancelled(case_store, batch)
    assert case_store.rows.unread_sources(batch) == [] == findings(case_store)
    assert {exhibit.outcome for exhibit in case_store.rows.exhibits()} == {Outcome.CANCELLED}
    assert case_store.rows.completeness(at_work=False).is_complete


def test_a_later_batch_that_reads_the_source_to_its_end_closes_the_statement(case_store: OpenStore) -> None:
    first = begin(case_store, THREE)
    seen_of(case_store, first, 1)
    cancelled(case_store, first)
    second = begin(case_store, THREE)
    assert findings(case_store, first) == [Check.CANCELLED], "it is only begun"
    complete(case_store, THREE, second)
    index_all(case_store)
    assert case_store.finish_batch(second)
    assert findings(case_store) == []
    [source] = case_store.rows.unread_sources(first)
    assert source.read_by == second
    with case_store.rows.audit() as audit:
        [note] = audit.read_later()
    assert f"batch {second} read it to the end" in note.detail
    assert case_store.rows.completeness(at_work=False).is_complete


def test_what_an_older_release_wrote_of_a_cancelled_walk_is_taken_for_what_it_is(case_store: OpenStore) -> None:
    """It counted what was found so far as if it were all."""
    batch = begin(case_store, THREE)
    seen_of(case_store, batch, 2)
    cancelled(case_store, batch)
    old = text("UPDATE ingestion SET listed = 2, metadata = '{}' WHERE source = 1")
    case_store.database.write(lambda tx: tx.execute(old))
    [source] = case_store.rows.unread_sources(batch)
    assert (source.seen, source.read_to) == (2, list(case_store.rows.exhibits())[-1].path)
    assert findings(case_store) == [Check.CANCELLED]


def test_a_row_that_is_gone_from_a_cancelled_walk_is_found(case_store: OpenStore) -> None:
    batch = begin(case_store, THREE)
    seen_of(case_store, batch, 2)
    cancelled(case_store, batch)
    case_store.database.write(
        lambda tx: tx.execute(text("DELETE FROM ingestion WHERE id = (SELECT id FROM exhibit WHERE number = 2)"))
    )
    assert Check.WALK in findings(case_store)


def test_a_case_says_what_is_searchable_what_is_open_and_of_which_batch(case_store: OpenStore) -> None:
    """docs/commands.md: the object `unfinished`."""
    done = begin(case_store, THREE)
    complete(case_store, THREE, done)
    index_all(case_store)
    case_store.finish_batch(done)
    assert case_store.rows.completeness(at_work=False).is_complete
    found, queued = begin(case_store, THREE), begin(case_store, THREE)
    case_store.start_job(found, "w1", {})
    seen_of(case_store, found, 2)
    told = case_store.rows.completeness(at_work=False)
    assert (told.searchable, told.open, told.unindexed) == (3, 2, 0)
    assert [(b.batch, b.state, b.open, b.sources) for b in told.batches] == [
        (found, "stopped", 2, 1),
        (queued, "queued", 0, 1),
    ]
    assert [b.state for b in case_store.rows.completeness(at_work=True).batches] == ["running", "queued"]


def test_what_is_done_and_not_in_the_index_is_neither_open_nor_searchable(case_store: OpenStore) -> None:
    batch = begin(case_store, THREE)
    complete(case_store, THREE, batch)
    assert case_store.standing(batch) is Standing.UNINDEXED
    told = case_store.rows.completeness(at_work=True)
    assert (told.searchable, told.open, told.unindexed) == (0, 0, 3)
