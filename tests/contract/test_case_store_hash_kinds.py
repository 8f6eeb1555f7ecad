"""What every case store promises about hashes: of bytes that lie somewhere, or of a composed message."""

from tests.support.case_stores import OpenStore
from tests.support.ledger_model import Content, File, World, stored
from tests.support.ledger_worker import read_all

from redwell.core.work.records import Claim, Member


def container(store: OpenStore) -> Claim:
    read_all(store, World((Content(),), ((File(0),),)))
    [claim] = store.claim_work(1, 1 << 20)
    return claim


def member(claim: Claim, locator: str, text: str, *, synthetic: bool) -> Member:
    return Member(
        derivation=claim.id,
        attempt=claim.attempt,
        locator=locator,
        name=f"{locator}.eml",
        stored=stored(text),
        hash_kind="synthetic" if synthetic else "bytes",
    )


def kinds(store: OpenStore) -> dict[str, str]:
    return {exhibit.name: exhibit.hash_kind for exhibit in store.rows.exhibits() if exhibit.depth}


def test_a_composed_member_has_a_synthetic_hash_and_every_other_one_of_its_bytes(case_store: OpenStore) -> None:
    claim = container(case_store)
    found = [member(claim, "a", "composed", synthetic=True), member(claim, "b", "real", synthetic=False)]
    case_store.record(found, [])
    assert kinds(case_store) == {"a.eml": "synthetic", "b.eml": "bytes"}


def test_bytes_that_lie_somewhere_are_not_synthetic_whoever_comes_first(case_store: OpenStore) -> None:
    claim = container(case_store)
    for locator, text, synthetic in (("a", "x", True), ("b", "x", False), ("c", "y", False), ("d", "y", True)):
        case_store.record([member(claim, locator, text, synthetic=synthetic)], [])
    assert set(kinds(case_store).values()) == {"bytes"}


def test_whoever_works_on_a_composed_content_is_told_so(case_store: OpenStore) -> None:
    claim = container(case_store)
    found = [member(claim, "a", "composed", synthetic=True), member(claim, "b", "real", synthetic=False)]
    case_store.record(found, [])
    told = {claim.sha256: claim.synthetic for claim in case_store.claim_work(9, 1 << 20)}
    assert told == {stored("composed").digests.sha256: True, stored("real").digests.sha256: False}
