"""What every case store promises about containers: manifests, replays, retries, and the index's queue."""

from itertools import pairwise
from typing import Any

from tests.support.case_stores import Opener, OpenStore
from tests.support.ledger_model import LOCKED, MAX_DEPTH, Content, File, Part, World, stored
from tests.support.ledger_worker import Worker, begin, dead, failure, imported, read_all
from tests.support.load_steps import load_all

from redwell.core.case.rows import Wanted
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.lanes import Lane
from redwell.core.work.records import Claim, Member, Read, Result, Selection

LEAF = Content()
ONE_CONTAINER = World((LEAF, LEAF), ((File(0),),))


def member(claim: Claim, locator: str, text: str | None = None, **what: Any) -> Member:
    return Member(
        derivation=claim.id,
        attempt=claim.attempt,
        locator=locator,
        name=f"{locator}.bin",
        stored=stored(text) if text else None,
        **what,
    )


def result(claim: Claim, outcome: Outcome = Outcome.SUCCESS, **what: Any) -> Result:
    return Result(derivation=claim.id, attempt=claim.attempt, outcome=outcome, **what)


def claimed(store: OpenStore) -> Claim:
    [claim] = store.claim_work(1, 1 << 20)
    return claim


def outcomes(store: OpenStore) -> dict[str, str]:
    return {e.path.removeprefix("folder/"): e.outcome for e in store.rows.exhibits()}


def test_members_are_exhibits_before_their_container_is_finished(case_store: OpenStore) -> None:
    batch = read_all(case_store, ONE_CONTAINER)
    claim = claimed(case_store)
    lost = member(claim, "b", outcome=Outcome.INVALID_FILE, detail="bad")
    case_store.record([member(claim, "a", "text a"), lost, member(claim, "c")], [])
    assert outcomes(case_store) == {"0-0.bin": None, "0-0.bin//a.bin": None, "0-0.bin//b.bin": Outcome.INVALID_FILE}
    assert case_store.open_rows(batch).waiting == 2
    case_store.record([], [result(claim, declared=4)])
    parent = next(e for e in case_store.rows.exhibits() if e.depth == 0)
    assert parent.outcome == Outcome.PARTIAL
    assert parent.problems == [
        Problem(code=Code.MEMBER_FAILED, detail="1 of 3 members"),
        Problem(code=Code.COUNT_MISMATCH, detail="the container declares 4 members, 3 were listed"),
    ]


def test_a_reading_goes_on_behind_the_last_member_it_recorded(case_store: OpenStore) -> None:
    read_all(case_store, ONE_CONTAINER)
    claim = claimed(case_store)
    assert (claim.after, claim.skip) == (None, ())
    case_store.record([member(claim, "a", "text a"), member(claim, "b")], [])
    case_store.sweep(dead("w1"))
    claim = claimed(case_store)
    assert (claim.after, claim.skip) == ("b", ())


def test_a_member_that_kills_the_child_is_a_failed_exhibit_and_reading_goes_on_behind_it(
    case_store: OpenStore,
) -> None:
    read_all(case_store, ONE_CONTAINER)
    claim = claimed(case_store)
    case_store.record([member(claim, "a", "text a")], [])
    case_store.blame([failure(claim, Outcome.CRASHED, ("b", "b.bin"))])
    assert outcomes(case_store)["0-0.bin//b.bin"] == Outcome.CRASHED
    claim = next(c for c in case_store.claim_work(9, 1 << 20) if c.id == claim.id)
    assert (claim.after, claim.lane) == ("b", Lane.SMALL)


def test_within_one_reading_the_first_word_on_a_member_counts(case_store: OpenStore) -> None:
    """A hostile child may say anything twice; exhibits that were made of its first word stay right."""
    read_all(case_store, ONE_CONTAINER)
    claim = claimed(case_store)
    case_store.record([member(claim, "a", "first"), member(claim, "b", outcome=Outcome.TOO_LARGE)], [])
    case_store.record([member(claim, "a", "second"), member(claim, "b", "second"), member(claim, "a")], [result(claim)])
    rows = {e.path: (e.sha256, e.ordinal) for e in case_store.rows.exhibits()}
    assert rows["folder/0-0.bin//a.bin"] == (stored("first").digests.sha256, 0)
    assert rows["folder/0-0.bin//b.bin"] == (None, 1)
    assert len(rows) == 3
    assert stored("second").digests.sha256 not in dict(case_store.rows.blobs())


def test_a_retry_gives_bytes_to_a_failed_member_under_the_same_exhibit_and_keeps_the_others(
    case_store: OpenStore,
) -> None:
    locked = Part(content=1, locked=True)
    world = World((Content((Part(content=1), locked, Part(lost=Outcome.INVALID_FILE))), LEAF), ((File(0), File(0)),))
    batch = imported(case_store, world)
    _index_all(case_store)
    before = {e.path: e for e in case_store.rows.exhibits()}
    assert before["folder/0-0.bin//m1.bin"].outcome == LOCKED
    world.unlocked = True
    assert case_store.reopen(Selection(outcome=LOCKED)) == 1
    assert case_store.open_rows(batch).waiting == 2
    Worker("w1", case_store, world).complete([batch])
    after = {e.path: e for e in case_store.rows.exhibits()}
    same = [{path: (e.id, e.uid, e.control_number) for path, e in known.items()} for known in (before, after)]
    assert same[0] == same[1]
    for store in ("folder/0-0.bin", "folder/0-1.bin"):
        gained = after[f"{store}//m1.bin"]
        assert (gained.outcome, gained.sha256) == (Outcome.SUCCESS, world.stored(1).digests.sha256)
        assert after[f"{store}//m0.bin"] == before[f"{store}//m0.bin"]
        assert after[f"{store}//m2.bin"].outcome == Outcome.INVALID_FILE
    changed = {e.path for e in case_store.take_to_load(100)}
    assert not changed & {"folder/0-0.bin//m0.bin", "folder/0-1.bin//m0.bin"}, "nothing about these is new"


def test_a_retry_that_does_worse_takes_nothing_away(case_store: OpenStore) -> None:
    read_all(case_store, ONE_CONTAINER)
    claim = claimed(case_store)
    old = [member(claim, "a", "bytes"), member(claim, "b", "more"), member(claim, "c", outcome=LOCKED)]
    case_store.record(old, [result(claim)])
    case_store.reopen(Selection(outcome=LOCKED))
    claim = next(c for c in case_store.claim_work(9, 1 << 20) if c.id == claim.id)
    worse = [member(claim, "a", outcome=Outcome.CRASHED), member(claim, "b", "other"), member(claim, "c")]
    case_store.record(worse, [result(claim)])
    again = read_all(case_store, ONE_CONTAINER)
    for batch in (1, again):
        rows = {e.name: e for e in case_store.rows.exhibits(Wanted(batch=batch))}
        assert rows["a.bin"].sha256 == stored("bytes").digests.sha256
        assert rows["b.bin"].sha256 == stored("more").digests.sha256
        assert rows["c.bin"].outcome == LOCKED
    with case_store.rows.audit() as audit:
        assert list(audit.seals()) == []


def test_a_later_reading_skips_what_it_has_lost_itself(case_store: OpenStore) -> None:
    read_all(case_store, ONE_CONTAINER)
    claim = claimed(case_store)
    case_store.record([member(claim, "a", outcome=LOCKED), member(claim, "b", outcome=LOCKED)], [result(claim)])
    case_store.reopen(Selection(outcome=Outcome.PARTIAL))
    claim = claimed(case_store)
    assert (claim.after, claim.skip) == (None, ())
    case_store.blame([failure(claim, Outcome.CRASHED, ("b", "b.bin"))])
    claim = claimed(case_store)
    assert (claim.after, claim.skip) == (None, ("b",))


def test_a_retry_opens_its_batches_again_and_they_end_again(case_store: OpenStore) -> None:
    world = World((Content(locked=True),), ((File(0),),))
    first, second = imported(case_store, world), imported(case_store, world)
    _index_all(case_store)
    assert case_store.finish_batch(first) and case_store.finish_batch(second)
    assert case_store.reopen(Selection(outcome=LOCKED)) == 1
    assert [row.finished_ms for row in case_store.rows.batches()] == [None, None]
    world.unlocked = True
    Worker("w1", case_store, world).complete([])
    assert not case_store.finish_batch(first), "its exhibit is not in the index as it is now"
    _index_all(case_store)
    assert case_store.finish_batch(first) and case_store.finish_batch(second)


def test_a_retry_keeps_what_the_reading_of_the_file_said(case_store: OpenStore) -> None:
    batch = begin(case_store, ONE_CONTAINER)
    worker = Worker("w1", case_store, ONE_CONTAINER)
    worker.walk(batch, 1), worker.walk(batch, 1)
    [file] = case_store.claim_reads(batch, 1)
    changed = Problem(code=Code.SOURCE_CHANGED, detail="it changed")
    read = Read(id=file.id, attempt=file.attempt, name=file.name, stored=stored("pdf"), problems=(changed,))
    case_store.record_reads([read])
    for _ in range(2):
        case_store.record([], [result(claimed(case_store), LOCKED)])
        [exhibit] = case_store.rows.exhibits()
        assert exhibit.problems == [Problem(code=Code.SOURCE_CHANGED, detail="it changed")]
        case_store.reopen(Selection(outcome=LOCKED))


def test_a_container_inside_itself_ends_at_the_deepest_level_each_time(case_store: OpenStore) -> None:
    quine = World((Content((Part(content=0),)),), ((File(0),),))
    batch = imported(case_store, quine)
    for _ in range(2):
        rows = list(case_store.rows.exhibits())
        assert [row.depth for row in rows] == list(range(MAX_DEPTH + 1))
        assert [row.outcome for row in rows] == [Outcome.SUCCESS] * MAX_DEPTH + [Outcome.PARTIAL]
        assert [p.code for p in rows[-1].problems] == [Code.LIMIT_REACHED]
        case_store.reopen(Selection(outcome=Outcome.SUCCESS))
        Worker("w1", case_store, quine).complete([batch])


def test_nothing_is_settled_over_and_over_while_the_deepest_level_waits(case_store: OpenStore) -> None:
    """An occurrence that may not open its members has nothing to do until its container is finished."""
    read_all(case_store, World((Content((Part(content=0),)),), ((File(0),),)))
    claim = claimed(case_store)
    itself = Member(derivation=claim.id, attempt=claim.attempt, locator="0", name="m0.bin", stored=World.stored(0))
    case_store.record([itself], [])
    steps = 0
    while case_store.settle_some():
        steps += 1
        assert steps < 10
    assert len(list(case_store.rows.exhibits())) == MAX_DEPTH + 1


def test_a_container_of_5000_members_settles_in_bounded_steps(case_store: OpenStore) -> None:
    batch = read_all(case_store, ONE_CONTAINER)
    claim = claimed(case_store)
    members = [member(claim, str(n), f"text {n}") for n in range(5_000)]
    case_store.record(members, [result(claim, declared=5_000)])
    seen = [sum(case_store.rows.counts(batch).values())]
    while case_store.settle_some():
        seen.append(sum(case_store.rows.counts(batch).values()))
    assert seen[-1] == 5_001
    assert max(later - now for now, later in pairwise(seen)) <= 1_000
    assert len(seen) <= 25


def test_many_occurrences_of_a_container_that_is_done_all_get_its_members(case_store: OpenStore) -> None:
    world = World((Content((Part(content=1), Part(content=1))), LEAF), ((File(0),) * 700,))
    imported(case_store, world)
    again = read_all(case_store, world)
    assert case_store.claim_work(9, 1 << 20) == []
    while case_store.settle_some():
        pass
    assert case_store.rows.counts(again) == {"SUCCESS": 2_100}
    load_all(case_store)
    assert case_store.rows.duplicates(again) == 2_100


def test_an_exhibit_that_changes_while_it_is_indexed_stays_pending(case_store: OpenStore) -> None:
    world = World((Content(locked=True),), ((File(0),),))
    batch = imported(case_store, world)
    [old] = case_store.take_to_load(10)
    case_store.reopen(Selection(outcome=LOCKED))
    world.unlocked = True
    Worker("w1", case_store, world).complete([batch])
    case_store.loaded([old.id])
    [new] = case_store.take_to_load(10)
    assert (old.outcome, new.outcome) == (LOCKED, Outcome.SUCCESS)
    case_store.loaded([new.id])
    assert case_store.take_to_load(10) == []


def test_what_was_taken_by_an_indexer_that_died_is_taken_again(open_case_store: Opener) -> None:
    world = World((LEAF,), ((File(0), File(0), File(0)),))
    batch = imported(open_case_store("w1"), world)
    first, second = open_case_store("w1"), open_case_store("w2")
    taken = [e.id for e in first.take_to_load(2)]
    assert [e.id for e in second.take_to_load(9)] == [max(taken) + 1], "nobody else takes them meanwhile"
    second.begin_loading()
    assert [e.id for e in second.take_to_load(9)][:2] == taken
    second.loaded(taken)
    assert second.open_rows(batch).unindexed == 1


def _index_all(store: OpenStore) -> None:
    store.loaded([e.id for e in store.take_to_load(1_000)])
