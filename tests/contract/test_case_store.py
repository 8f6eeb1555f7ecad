"""What every case store promises (ports.case_store): walks, readings, claims and batches.

The families of containers are in test_case_store_families.py, kills at every step in test_case_store_disturbed.py.
"""

import random
import string

import pytest
from tests.support.case_stores import Opener, OpenStore
from tests.support.ledger_model import Content, File, World, stored
from tests.support.ledger_worker import Worker, begin, dead, failure, imported, read_all
from tests.support.load_steps import load_all

from redwell.core.case.rows import Source, Wanted
from redwell.core.errors import StaleClaim
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import Attempts
from redwell.core.work.lanes import Lane
from redwell.core.work.records import Found, Member, Read, Result
from redwell.core.work.transitions import OpenRows
from redwell.ports.ledger import NewBatch

THREE = World((Content(),) * 3, ((File(0), File(1), File(2)),))


def test_a_source_without_files_closes_and_its_batch_is_finished(case_store: OpenStore) -> None:
    batch = begin(case_store, World((), ((),)))
    assert case_store.open_rows(batch) == OpenRows(walks=1, found=0, waiting=0, unindexed=0)
    [walk] = case_store.claim_walks(batch)
    assert not case_store.finish_batch(batch)
    case_store.close_walk(walk, [], 0)
    assert case_store.rows.sources(batch) == [Source("/evidence/0", 0)]
    assert case_store.finish_batch(batch)
    assert not case_store.finish_batch(batch), "a batch ends once"


def test_files_found_twice_are_registered_once(case_store: OpenStore) -> None:
    batch = begin(case_store, THREE)
    [walk] = case_store.claim_walks(batch)
    files = THREE.found(walk.locator)
    assert case_store.add_found(walk, files[:2]) == 2
    assert case_store.add_found(walk, files) == 1
    case_store.close_walk(walk, files, 3)
    case_store.take_to_load(0)
    assert [e.control_number for e in case_store.rows.exhibits()] == ["RW00000001", "RW00000002", "RW00000003"]


def test_locators_of_any_length_are_kept_and_told_apart(open_case_store: Opener) -> None:
    """A path may be longer than what fits into an index; paths that differ only far behind are two files."""
    first, second = open_case_store("w1"), open_case_store("w2")
    source = "/" + _noise(3_000)
    longs = [_noise(9_000), _noise(9_000) + "b", "ä" * 2_000, "ä" * 2_001]
    files = [Found(locator=name, name="long", path="long", size=1) for name in longs]
    batch = first.create_batch(NewBatch(type="files", custodian=None, settings={}, sources=[source]))
    [walk] = first.claim_walks(batch)
    assert walk.locator == source
    assert first.add_found(walk, files) == 4
    assert first.add_found(walk, files) == 0
    first.close_walk(walk, files, 4)
    assert [(file.source, file.locator) for file in second.claim_reads(batch, 9)] == [(source, name) for name in longs]


def test_a_reading_goes_on_behind_a_locator_of_any_length(case_store: OpenStore) -> None:
    read_all(case_store, World((Content(),), ((File(0),),)))
    [claim] = case_store.claim_work(1, 1 << 20)
    longs = [_noise(9_000), _noise(9_000), _noise(9_000) + "b"]
    found = [Member(derivation=claim.id, attempt=1, locator=each, name=each, stored=stored(each)) for each in longs]
    case_store.record(found, [])
    assert len(list(case_store.rows.exhibits())) == 3, "one of them was said twice"
    case_store.sweep(dead("w1"))
    assert next(c for c in case_store.claim_work(9, 1 << 20) if c.id == claim.id).after == longs[-1]


def _noise(length: int) -> str:
    """Text that no database makes shorter, the same each time."""
    return "".join(random.Random(1).choices(string.ascii_letters, k=length))


@pytest.mark.requirement("A12")
def test_a_file_that_is_left_out_keeps_its_hashes_and_nobody_works_on_it(case_store: OpenStore) -> None:
    """By the walk it is never read; by its content it has a document, and no work waits for it."""
    batch = begin(case_store, THREE)
    [walk] = case_store.claim_walks(batch)
    first, *others = THREE.found(walk.locator)
    culled = Found(locator=first.locator, name="a", path="a", size=1, outcome=Outcome.FILTERED, detail="by its path")
    case_store.close_walk(walk, [culled, *others], 3)
    known, plain = case_store.claim_reads(batch, 9)
    filtered = {"outcome": Outcome.FILTERED, "detail": "a known file"}
    case_store.record_reads(
        [
            Read(id=known.id, attempt=known.attempt, name=known.name, stored=stored("known"), **filtered),
            Read(id=plain.id, attempt=plain.attempt, name=plain.name, stored=stored("plain")),
        ]
    )
    rows = [(row.outcome, row.detail, row.sha256 is not None) for row in case_store.rows.exhibits()]
    assert rows == [("FILTERED", "by its path", False), ("FILTERED", "a known file", True), (None, "", True)]
    assert len(case_store.claim_work(9, 1 << 20)) == 1


def test_a_walk_that_was_taken_over_is_refused_to_the_first_one(open_case_store: Opener) -> None:
    first, second = open_case_store("w1"), open_case_store("w2")
    batch = begin(first, THREE)
    [frozen] = first.claim_walks(batch)
    assert second.claim_walks(batch) == []
    assert second.sweep(dead("w1")) == 1
    [walk] = second.claim_walks(batch)
    for write in (lambda: first.add_found(frozen, []), lambda: first.close_walk(frozen, [], 0)):
        with pytest.raises(StaleClaim):
            write()
    second.close_walk(walk, THREE.found(walk.locator), 3)
    assert second.open_rows(batch).walks == 0


def test_a_walk_begun_again_does_not_forget_what_the_first_one_found(open_case_store: Opener) -> None:
    first, second = open_case_store("w1"), open_case_store("w2")
    batch = begin(first, THREE)
    [walk] = first.claim_walks(batch)
    files = THREE.found(walk.locator)
    first.add_found(walk, files[:2])
    second.sweep(dead("w1"))
    [walk] = second.claim_walks(batch)
    second.close_walk(walk, files[1:], 2)
    assert second.rows.sources(batch) == [Source("/evidence/0", 3)]


def test_a_found_exception_is_an_exhibit_at_once(case_store: OpenStore) -> None:
    batch = begin(case_store, World((), ((File(walked=Outcome.UNSUPPORTED),),)))
    [walk] = case_store.claim_walks(batch)
    problem = Problem(code=Code.SPECIAL_FILE, detail="a pipe")
    odd = Found(locator="p", name="p", path="p", size=None, outcome=Outcome.UNSUPPORTED, problem=problem)
    case_store.close_walk(walk, [odd], 1)
    assert case_store.claim_reads(batch, 10) == []
    [pending] = case_store.take_to_load(10)
    [exhibit] = case_store.rows.exhibits()
    assert pending.id == exhibit.id
    assert (exhibit.outcome, exhibit.problems) == (
        Outcome.UNSUPPORTED,
        [Problem(code=Code.SPECIAL_FILE, detail="a pipe")],
    )


@pytest.mark.requirement("B3")
def test_workers_read_different_files_and_work_on_different_contents(open_case_store: Opener) -> None:
    first, second = open_case_store("w1"), open_case_store("w2")
    batch = begin(first, THREE)
    one, other = Worker("w1", first, THREE), Worker("w2", second, THREE)
    one.walk(batch, 9), one.walk(batch, 9)
    one.claim_reads(batch, 2), other.claim_reads(batch, 2)
    assert [r.locator for r in one.reads] == ["0-0.bin", "0-1.bin"]
    assert [r.locator for r in other.reads] == ["0-2.bin"]
    one.record_reads(2), other.record_reads(2)
    one.claim_work(2), other.claim_work(2)
    assert [len(one.tasks), len(other.tasks)] == [2, 1]
    assert len({task.claim.id for task in one.tasks + other.tasks}) == 3


def test_a_content_that_is_busy_elsewhere_is_waited_for(open_case_store: Opener) -> None:
    first, second = open_case_store("w1"), open_case_store("w2")
    twice = World((Content(),), ((File(0), File(0)),))
    batch = read_all(first, twice)
    [claim] = first.claim_work(10, 1 << 20)
    assert second.claim_work(10, 1 << 20) == []
    assert second.settle_some() == 0
    assert second.open_rows(batch).waiting == 2
    assert second.waits_for_more_than(batch, 1) and not second.waits_for_more_than(batch, 2)
    result = Result(derivation=claim.id, attempt=claim.attempt, outcome=Outcome.SUCCESS)
    assert first.record([], [result]) == 0
    assert second.open_rows(batch) == OpenRows(0, 0, 0, unindexed=2)


@pytest.mark.requirement("B2")
def test_the_same_evidence_again_is_not_worked_on_again_and_has_all_its_exhibits(case_store: OpenStore) -> None:
    """A batch of contents that the case has already says so: all of it are duplicates."""
    world = World((Content(), Content()), ((File(0), File(1)), (File(1), File(walked=Outcome.UNSUPPORTED))))
    imported(case_store, world)
    again = read_all(case_store, world)
    assert case_store.claim_work(10, 1 << 20) == []
    assert not case_store.open_rows(again).waiting
    assert case_store.rows.counts(again) == {"SUCCESS": 3, "UNSUPPORTED": 1}
    assert case_store.rows.counts_by_batch([again, again - 1]) == {
        key: case_store.rows.counts(key) for key in (again, again - 1)
    }
    assert case_store.rows.counts_by_batch([]) == {}
    load_all(case_store)
    assert case_store.rows.duplicates(again) == 3


@pytest.mark.requirement("B2")
def test_duplicates_name_the_first_exhibit_and_every_custodian(case_store: OpenStore) -> None:
    imported(case_store, THREE, "Bob")
    batch = imported(case_store, THREE, "Ann")
    imported(case_store, THREE)
    load_all(case_store)
    firsts = [e for e in case_store.rows.exhibits() if e.duplicate_of is None]
    assert [e.control_number for e in firsts] == ["RW00000001", "RW00000002", "RW00000003"]
    rows = list(case_store.rows.exhibits(Wanted(batch=batch)))
    assert [row.duplicate_of for row in rows] == [e.id for e in firsts]
    assert {(row.custodian, *row.custodians) for row in rows} == {("Ann", "Ann", "Bob")}


def test_blobs_are_known_once_their_rows_are_written(case_store: OpenStore) -> None:
    native, text = THREE.stored(0), THREE.text(0)
    hashes = [native.digests.sha256, text.digests.sha256, stored("other").digests.sha256]
    read_all(case_store, THREE)
    assert case_store.known_blobs([]) == {}
    assert case_store.known_blobs(hashes) == {hashes[0]: native.location}
    imported(case_store, THREE)
    assert case_store.known_blobs(hashes) == {hashes[0]: native.location, hashes[1]: text.location}


def test_small_documents_travel_together_up_to_a_size_and_large_ones_alone(case_store: OpenStore) -> None:
    sizes = World((Content(),) * 6, (tuple(File(n) for n in range(6)),))
    read_all(case_store, sizes)
    claimed = []
    while claims := case_store.claim_work(2, 21):
        claimed.append([(sizes.by_sha[c.sha256], c.lane) for c in claims])
    assert claimed == [
        [(0, Lane.SMALL), (1, Lane.SMALL)],
        [(2, Lane.SMALL)],
        [(3, Lane.LARGE)],
        [(4, Lane.LARGE)],
        [(5, Lane.LARGE)],
    ]


def test_a_file_that_cannot_be_read_ends_with_its_problem(case_store: OpenStore) -> None:
    batch = begin(case_store, THREE)
    worker = Worker("w1", case_store, THREE)
    worker.walk(batch, 9), worker.walk(batch, 9)
    [file] = case_store.claim_reads(batch, 1)
    problem = Problem(code=Code.SOURCE_UNREADABLE, detail="permission denied")
    read = Read(id=file.id, attempt=file.attempt, name=file.name, outcome=Outcome.INVALID_FILE, problems=(problem,))
    case_store.record_reads([read, read])
    [exhibit] = case_store.rows.exhibits(Wanted(outcome=Outcome.INVALID_FILE))
    assert exhibit in list(case_store.rows.exhibits(Wanted(troubled=True)))
    assert (exhibit.detail, exhibit.sha256) == ("permission denied", None)


@pytest.mark.requirement("B3")
def test_what_a_dead_worker_held_is_claimed_again_and_its_results_are_dropped(open_case_store: Opener) -> None:
    first, second = open_case_store("w1"), open_case_store("w2")
    read_all(first, THREE)
    lost = first.claim_work(2, 1 << 20)
    kept = second.claim_work(1, 1 << 20)
    assert second.sweep(dead("w1")) == 2
    assert second.sweep(dead("w1")) == 0
    again = second.claim_work(10, 1 << 20)
    assert [(c.id, c.attempt) for c in again] == [(c.id, c.attempt + 1) for c in lost]
    late = [Result(derivation=c.id, attempt=c.attempt, outcome=Outcome.INVALID_FILE) for c in lost]
    assert first.record([], late) == 2
    first.blame([failure(c, Outcome.CRASHED) for c in lost])
    first.release([(c.id, c.attempt) for c in lost])
    live = [Result(derivation=c.id, attempt=c.attempt, outcome=Outcome.SUCCESS) for c in [*again, *kept]]
    assert second.record([], [*late, *live]) == 2
    assert {e.outcome for e in second.rows.exhibits()} == {Outcome.SUCCESS}


def test_a_document_that_takes_every_worker_down_ends_crashed(open_case_store: Opener) -> None:
    batch = read_all(open_case_store("w0"), THREE)
    onlooker = open_case_store("onlooker")
    for death in range(Attempts().deaths):
        assert len(open_case_store(f"w{death}").claim_work(10, 1 << 20)) == 3
        onlooker.sweep(dead(f"w{death}"))
    assert onlooker.claim_work(10, 1 << 20) == []
    assert onlooker.rows.counts(batch) == {"CRASHED": 3}


def test_released_work_is_claimed_again_without_blame(case_store: OpenStore) -> None:
    read_all(case_store, THREE)
    for attempt in range(1, Attempts().deaths * 2):
        claims = case_store.claim_work(10, 1 << 20)
        assert [c.attempt for c in claims] == [attempt] * 3
        case_store.release([(c.id, c.attempt) for c in claims])
    case_store.claim_work(10, 1 << 20)
    case_store.sweep(dead("w1"))
    assert len(case_store.claim_work(10, 1 << 20)) == 3
