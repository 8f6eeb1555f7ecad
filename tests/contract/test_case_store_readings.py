"""What every case store promises about members that were read with their container: final at once, under its claim."""

from tests.support.case_stores import OpenStore
from tests.support.ledger_model import Content, File, World, as_text, stored
from tests.support.ledger_worker import dead, read_all

from redwell.core.case.rows import Exhibit
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.records import Claim, Derived, Member, Result, Selection

READ = Derived(
    outcome=Outcome.SUCCESS, media_type="text/plain", handler="text/1", artifacts=as_text(stored("its text"))
)
LOCKED = Derived(outcome=Outcome.PASSWORD_PROTECTED, detail="no password fits")


def container(store: OpenStore, files: int = 1) -> Claim:
    read_all(store, World((Content(),), ((File(0),) * files,)))
    [claim] = store.claim_work(1, 1 << 20)
    return claim


def member(claim: Claim, locator: str, data: str, reading: Derived | None = READ, name: str = "") -> Member:
    return Member(
        derivation=claim.id,
        attempt=claim.attempt,
        locator=locator,
        name=name or f"{locator}.txt",
        stored=stored(data),
        reading=reading,
    )


def done(claim: Claim) -> Result:
    return Result(derivation=claim.id, attempt=claim.attempt, outcome=Outcome.SUCCESS)


def members(store: OpenStore) -> dict[str, Exhibit]:
    return {row.name: row for row in store.rows.exhibits() if row.depth}


def sound(store: OpenStore) -> bool:
    """After everything is indexed, verify has nothing to say."""
    store.begin_loading()
    store.loaded([entry.id for entry in store.take_to_load(99)])
    for batch in store.rows.batches():
        store.finish_batch(batch.id)
    with store.rows.audit() as audit:
        return list(audit.seals()) == list(audit.imbalances()) == []


def test_it_is_an_exhibit_with_its_end_and_nobody_is_asked_to_work_on_it(case_store: OpenStore) -> None:
    claim = container(case_store)
    case_store.record([member(claim, "a", "bytes")], [done(claim)])
    row = members(case_store)["a.txt"]
    assert (row.outcome, row.media_type, row.handler) == (Outcome.SUCCESS, "text/plain", "text/1")
    assert row.text == stored("its text").digests.sha256
    assert (row.path, row.ordinal) == ("folder/0-0.bin//a.txt", 0)
    assert case_store.claim_work(9, 1 << 20) == []
    assert {entry.name for entry in case_store.take_to_load(9)} == {"0-0.bin", "a.txt"}
    assert sound(case_store)


def test_a_content_that_waits_for_a_worker_keeps_waiting_for_it(case_store: OpenStore) -> None:
    claim = container(case_store)
    case_store.record([member(claim, "a", "bytes", None)], [])
    case_store.record([member(claim, "b", "bytes")], [done(claim)])
    assert {name: row.outcome for name, row in members(case_store).items()} == {"a.txt": None, "b.txt": None}
    [work] = case_store.claim_work(9, 1 << 20)
    case_store.record([], [done(work)])
    assert {row.outcome for row in members(case_store).values()} == {Outcome.SUCCESS}
    assert sound(case_store)


def test_a_content_that_is_known_needs_no_second_reading(case_store: OpenStore) -> None:
    claim = container(case_store)
    case_store.record([member(claim, "a", "bytes")], [])
    other = Derived(outcome=Outcome.INVALID_FILE)
    case_store.record([member(claim, "b", "bytes", other), member(claim, "c", "bytes", None)], [done(claim)])
    assert [row.outcome for row in members(case_store).values()] == [Outcome.SUCCESS] * 3
    assert case_store.claim_work(9, 1 << 20) == []
    assert sound(case_store)


def test_every_occurrence_of_the_container_has_it(case_store: OpenStore) -> None:
    claim = container(case_store, files=3)
    case_store.record([member(claim, "a", "bytes")], [done(claim)])
    ends = [(row.path, row.outcome) for row in case_store.rows.exhibits() if row.depth]
    assert sorted(ends) == [(f"folder/0-{place}.bin//a.txt", Outcome.SUCCESS) for place in (0, 1, 2)]
    assert sound(case_store)


def test_a_name_that_promises_another_type_is_noted(case_store: OpenStore) -> None:
    claim = container(case_store)
    case_store.record([member(claim, "a", "bytes", name="a.pdf")], [done(claim)])
    assert members(case_store)["a.pdf"].problems == [
        Problem(code=Code.TYPE_MISMATCH, detail="the content is text/plain")
    ]


def test_whoever_lost_the_container_records_no_reading_either(case_store: OpenStore) -> None:
    claim = container(case_store)
    case_store.sweep(dead("w1"))
    assert case_store.record([member(claim, "a", "bytes")], [done(claim)]) == 1
    assert members(case_store) == {}
    assert stored("its text").digests.sha256 not in dict(case_store.rows.blobs())


def test_a_retry_reads_it_again_as_a_task_of_its_own(case_store: OpenStore) -> None:
    claim = container(case_store)
    case_store.record([member(claim, "a", "bytes", LOCKED)], [done(claim)])
    assert case_store.reopen(Selection(outcome=Outcome.PASSWORD_PROTECTED)) == 1
    [work] = case_store.claim_work(9, 1 << 20)
    assert (work.sha256, work.attempt) == (stored("bytes").digests.sha256, 1)
    case_store.record([], [done(work)])
    assert members(case_store)["a.txt"].outcome == Outcome.SUCCESS
    assert sound(case_store)
