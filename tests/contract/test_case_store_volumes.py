"""What every case store promises about sets of volumes: joined once all are there, and keyed by all contents."""

from tests.support.case_stores import Opener, OpenStore
from tests.support.ledger_model import stored
from tests.support.ledger_worker import dead

from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.lanes import Lane
from redwell.core.work.records import Claim, Found, Member, Read, Result, Selection, Walk
from redwell.core.work.volumes import LAST
from redwell.ports.ledger import NewBatch

NAMES = ("a.z01", "a.z02", "a.zip")


def found(*names: str) -> list[Found]:
    return [Found(locator=f"in/{name}", name=name, path=f"in/{name}", size=9) for name in names]


def begun(store: OpenStore, names: tuple[str, ...] = NAMES) -> tuple[int, Walk]:
    batch = store.create_batch(NewBatch(type="files", custodian=None, settings={}, sources=["/in"]))
    [walk] = store.claim_walks(batch)
    store.add_found(walk, found(*names))
    return batch, walk


def read(store: OpenStore, batch: int, limit: int, *, lost: str = "", salt: str = "") -> None:
    reads = []
    for file in store.claim_reads(batch, limit):
        gone = file.name == lost
        reads.append(
            Read(
                id=file.id,
                attempt=file.attempt,
                name=file.name,
                stored=None if gone else stored(salt + file.name),
                outcome=Outcome.INVALID_FILE if gone else None,
                problems=(Problem(code=Code.SOURCE_UNREADABLE, detail="refused"),) if gone else (),
            )
        )
    store.record_reads(reads)


def claimed(store: OpenStore) -> list[Claim]:
    """Everything that is to be had, small and large."""
    return [claim for claims in iter(lambda: store.claim_work(99, 1 << 20), []) for claim in claims]


def by_context(store: OpenStore) -> dict[str, Claim]:
    return {claim.context.partition(".")[0]: claim for claim in claimed(store)}


def finished(store: OpenStore, claims: list[Claim]) -> None:
    store.record([], [Result(derivation=c.id, attempt=c.attempt, outcome=Outcome.SUCCESS) for c in claims])


def notes(store: OpenStore) -> dict[str, list[str]]:
    return {e.path: [p.detail for p in e.problems if p.code == Code.VOLUME_OF] for e in store.rows.exhibits()}


def test_a_set_is_claimed_once_its_last_volume_is_read(case_store: OpenStore) -> None:
    batch, walk = begun(case_store)
    case_store.close_walk(walk, found("other.zip"), 4)
    read(case_store, batch, 2)
    assert not by_context(case_store) and not case_store.open_rows(batch).finished
    read(case_store, batch, 2)
    claims = by_context(case_store)
    assert set(claims) == {"", "+part", "+zip"}  # other.zip is in no set
    assert [v.sha256 for v in claims["+zip"].volumes] == [stored(name).digests.sha256 for name in NAMES]
    assert claims["+part"].volumes == ()


def test_volumes_whose_names_have_no_dot_before_the_number_are_a_set_too(case_store: OpenStore) -> None:
    batch, walk = begun(case_store, ("disk1.cab", "disk02.cab", "disk.cab", "disks3.cab", "diskette1.cab"))
    case_store.close_walk(walk, [], 5)
    read(case_store, batch, 9)
    claims = claimed(case_store)
    [head] = [claim for claim in claims if claim.context.startswith("+cab.")]
    assert len(claims) == 5 and [volume.number for volume in head.volumes] == [1, 2]


def test_single_files_whose_names_are_numbers_are_a_set_too(case_store: OpenStore) -> None:
    batch, walks = named_one_by_one(case_store, "/in/1.cab", "/in/2.cab", "/elsewhere/3.cab")
    for walk in walks:
        case_store.close_walk(walk, alone(walk), 1)
        read(case_store, batch, 1)
    [head] = [claim for claim in claimed(case_store) if claim.context.startswith("+cab.")]
    assert [volume.number for volume in head.volumes] == [1, 2]


def test_the_other_volumes_name_the_head_and_end_with_it(case_store: OpenStore) -> None:
    batch, walk = begun(case_store)
    case_store.close_walk(walk, [], 3)
    read(case_store, batch, 9)
    finished(case_store, claimed(case_store))
    assert notes(case_store) == {"in/a.z01": ["in/a.zip"], "in/a.z02": ["in/a.zip"], "in/a.zip": []}
    assert {e.outcome for e in case_store.rows.exhibits()} == {Outcome.SUCCESS}


def test_a_walk_that_is_open_may_still_bring_a_volume(case_store: OpenStore) -> None:
    """Another worker may read what a walk has found while it goes on."""
    batch, walk = begun(case_store, NAMES[:2])
    read(case_store, batch, 9)
    assert not by_context(case_store)
    case_store.close_walk(walk, found(NAMES[2]), 3)
    assert not by_context(case_store)
    read(case_store, batch, 9)
    assert len(by_context(case_store)["+zip"].volumes) == 3


def test_volumes_without_siblings_are_worked_on_when_the_walk_ends(case_store: OpenStore) -> None:
    batch, walk = begun(case_store, ("a.zip",))
    read(case_store, batch, 9)
    case_store.close_walk(walk, [], 1)
    assert set(by_context(case_store)) == {""}


def test_a_volume_that_cannot_be_read_is_missing(case_store: OpenStore) -> None:
    batch, walk = begun(case_store)
    case_store.close_walk(walk, [], 3)
    read(case_store, batch, 1)
    read(case_store, batch, 9, lost="a.z02")
    assert [v.number for v in by_context(case_store)["+zip"].volumes] == [1, LAST]


def named_one_by_one(store: OpenStore, *sources: str) -> tuple[int, list[Walk]]:
    batch = store.create_batch(NewBatch(type="files", custodian=None, settings={}, sources=sources))
    return batch, store.claim_walks(batch)


def alone(walk: Walk) -> list[Found]:
    name = walk.locator.rpartition("/")[2]
    return [Found(locator=name, name=name, path=name, size=9)]


def test_sources_that_are_single_files_of_one_folder_are_a_set(case_store: OpenStore) -> None:
    batch, walks = named_one_by_one(case_store, "/in/a.zip", "/in/a.z01", "/elsewhere/a.z02", "/in/b.zip")
    for walk in walks:
        case_store.close_walk(walk, alone(walk), 1)
        read(case_store, batch, 1)
    claims = by_context(case_store)
    assert set(claims) == {"", "+part", "+zip"}
    assert [v.number for v in claims["+zip"].volumes] == [1, LAST]


def test_a_single_file_waits_for_what_was_named_beside_it(case_store: OpenStore) -> None:
    batch, (head, first) = named_one_by_one(case_store, "/in/a.zip", "/in/a.z01")
    case_store.close_walk(head, alone(head), 1)
    read(case_store, batch, 9)
    assert not by_context(case_store)
    gone = Problem(code=Code.SOURCE_UNREADABLE, detail="gone")
    lost = Found(locator="a.z01", name="a.z01", path="a.z01", size=None, outcome=Outcome.INVALID_FILE, problem=gone)
    case_store.close_walk(first, [lost], 1)
    assert set(by_context(case_store)) == {""}


def test_a_folder_that_is_called_as_a_volume_is_no_sibling(case_store: OpenStore) -> None:
    batch, (head, folder) = named_one_by_one(case_store, "/in/a.zip", "/in/a.z01")
    case_store.close_walk(head, alone(head), 1)
    case_store.close_walk(folder, found("a.z01"), 1)
    read(case_store, batch, 9)
    assert set(by_context(case_store)) == {""}


def test_the_same_set_is_worked_on_once_and_another_one_anew(case_store: OpenStore) -> None:
    works = []
    for salt in ("", "", "other "):
        batch, walk = begun(case_store)
        case_store.close_walk(walk, [], 3)
        read(case_store, batch, 9, salt=salt)
        claims = claimed(case_store)
        works.append(len(claims))
        finished(case_store, claims)
    assert works == [3, 0, 3]
    assert {e.outcome for e in case_store.rows.exhibits()} == {Outcome.SUCCESS}


def test_a_worker_that_dies_while_it_reads_a_set_leaves_nothing_behind(open_case_store: Opener) -> None:
    first, second = open_case_store("w1"), open_case_store("w2")
    batch, walk = begun(first)
    first.close_walk(walk, [], 3)
    read(first, batch, 1)
    first.claim_reads(batch, 1)
    second.sweep(dead("w1"))
    read(second, batch, 9)
    assert len(by_context(second)["+zip"].volumes) == 3


def test_members_of_a_container_are_joined_when_it_has_ended(case_store: OpenStore) -> None:
    batch, walk = begun(case_store, ("mail.eml",))
    case_store.close_walk(walk, [], 1)
    read(case_store, batch, 1)
    [claim] = case_store.claim_work(9, 1 << 20)
    members = [
        Member(derivation=claim.id, attempt=claim.attempt, locator=str(n), name=name, stored=stored(name))
        for n, name in enumerate(NAMES)
    ]
    case_store.record(members[:2], [])
    assert not case_store.claim_work(9, 1 << 20)
    case_store.record(members[2:], [Result(derivation=claim.id, attempt=claim.attempt, outcome=Outcome.SUCCESS)])
    assert set(by_context(case_store)) == {"+part", "+zip"}
    assert notes(case_store)["in/mail.eml//a.z01"] == ["in/mail.eml//a.zip"]


def test_a_batch_that_is_cancelled_while_it_gathers_balances(case_store: OpenStore) -> None:
    batch, walk = begun(case_store)
    case_store.close_walk(walk, [], 3)
    read(case_store, batch, 2)
    assert case_store.begin_cancelling(batch)
    while case_store.cancel_some(batch):
        pass
    assert {e.outcome for e in case_store.rows.exhibits()} == {Outcome.CANCELLED}
    with case_store.rows.audit() as audit:
        assert [f.check for f in audit.imbalances() if f.check != "unfinished"] == []


def test_a_retry_of_a_set_takes_the_lane_of_all_its_volumes(case_store: OpenStore) -> None:
    batch, walk = begun(case_store)
    case_store.close_walk(walk, [], 3)
    read(case_store, batch, 9)
    claims = claimed(case_store)
    finished(case_store, claims)
    lanes = {claim.id: claim.lane for claim in claims}
    assert case_store.reopen(Selection(outcome=Outcome.SUCCESS)) == 3
    assert {claim.id: claim.lane for claim in claimed(case_store)} == lanes
    assert set(lanes.values()) == {Lane.SMALL, Lane.LARGE}
