"""What every case store promises about retries: what is chosen, how it stood and stands; and names that are lent."""

import msgspec
import pytest
from tests.contract.test_case_store_families import ONE_CONTAINER, claimed, member, outcomes, result
from tests.support.case_stores import OpenStore
from tests.support.ledger_model import LOCKED, Content, File, World
from tests.support.ledger_worker import read_all

from redwell.core.outcomes import Outcome
from redwell.core.work.records import Selection

TWO_FILES = World((Content(), Content()), ((File(0), File(1)),))


def read_by(case_store: OpenStore) -> None:
    """Two contents, each read by another handler, as another type, with another outcome."""
    read_all(case_store, TWO_FILES)
    first, second = case_store.claim_work(2, 1 << 20)
    case_store.record(
        [],
        [
            result(first, Outcome.SUCCESS, media_type="image/png", handler="image/1"),
            result(second, LOCKED, media_type="application/x_y", handler="image_two/3"),
        ],
    )


@pytest.mark.parametrize(
    ("chosen", "contents"),
    [
        (Selection(media_type="image/png"), 1),
        (Selection(media_type="image"), 1),
        (Selection(media_type="imag"), 0),
        (Selection(media_type="application/x%y"), 0),
        (Selection(handler="image"), 1),
        (Selection(handler="image/1"), 1),
        (Selection(handler="image/2"), 0),
        (Selection(outcome=LOCKED), 1),
        (Selection(outcome=LOCKED, handler="image_two"), 1),
        (Selection(outcome=LOCKED, handler="image"), 0),
        (Selection(), 2),
    ],
)
def test_a_retry_reads_what_fits_everything_that_is_named(
    chosen: Selection, contents: int, case_store: OpenStore
) -> None:
    read_by(case_store)
    concerned = case_store.concerned(chosen)
    assert len(concerned) == contents
    assert case_store.reopen(chosen) == contents
    assert set(case_store.outcomes_of(concerned).values()) <= {None}
    assert len(case_store.claim_work(9, 1 << 20)) == contents


def test_members_lost_in_a_chosen_container_are_among_those_that_a_retry_concerns(case_store: OpenStore) -> None:
    read_all(case_store, ONE_CONTAINER)
    claim = claimed(case_store)
    case_store.record([member(claim, "a", "text a"), member(claim, "b", outcome=LOCKED)], [result(claim)])
    standing = case_store.concerned(Selection(outcome=LOCKED))
    assert sorted(standing.values()) == [Outcome.PARTIAL, LOCKED]
    assert case_store.reopen(Selection(outcome=LOCKED)) == 1
    again = next(one for one in case_store.claim_work(9, 1 << 20) if one.id == claim.id)
    case_store.record([member(again, "a", "text a"), member(again, "b", "opened")], [result(again)])
    for leaf in case_store.claim_work(9, 1 << 20):
        case_store.record([], [result(leaf)])
    assert Outcome.SUCCESS in case_store.outcomes_of(standing).values()


def test_a_member_without_a_name_is_called_as_each_of_its_containers(case_store: OpenStore) -> None:
    read_all(case_store, World((Content(),), ((File(0), File(0)),)))
    claim = claimed(case_store)
    case_store.record([msgspec.structs.replace(member(claim, "0", "text"), name="")], [result(claim)])
    assert set(outcomes(case_store)) == {"0-0.bin", "0-0.bin//0-0", "0-1.bin", "0-1.bin//0-1"}
    with case_store.rows.audit() as audit:
        assert list(audit.seals()) == []
