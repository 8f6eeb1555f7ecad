"""What every case store promises about folders, dates of families, custodians, sources, and who loads what."""

from typing import Any

import pytest
from sqlalchemy import select, update
from tests.contract.test_case_store_families import LEAF, ONE_CONTAINER, claimed, member, result
from tests.support.case_stores import Opener, OpenStore
from tests.support.ledger_model import File, World
from tests.support.ledger_worker import imported, read_all
from tests.support.load_steps import load_all

from redwell.adapters.sql.case_tables import batch_source, custodian, exhibit
from redwell.adapters.sql_exhibits import load_queue
from redwell.core.case.checkpoints import LOADED
from redwell.core.case.filing import Filed, Filing

pytestmark = pytest.mark.requirement("D3")
SENT = Filed("mails", "2023-04-05T06:07:08Z")


def rows_of(store: OpenStore, table: Any) -> list[Any]:
    with store.database.read() as tx:
        return list(tx.execute(select(table).order_by(table.c.id)))


def family(store: OpenStore) -> tuple[int, int]:
    """A head and what is attached to it, both ended."""
    read_all(store, ONE_CONTAINER)
    claim = claimed(store)
    store.record([member(claim, "a", "text a", role="attachment")], [result(claim)])
    for other in store.claim_work(9, 1 << 20):
        store.record([], [result(other)])
    head, attached = (each.id for each in store.rows.exhibits())
    return head, attached


@pytest.mark.parametrize("head_first", [True, False])
def test_what_is_attached_lies_where_its_head_lies_and_has_its_date_whichever_comes_first(
    head_first: bool, case_store: OpenStore
) -> None:
    head, attached = family(case_store)
    case_store.take_to_load(9)
    filings = [Filing(head, head, SENT, True), Filing(attached, head, None)]
    told = []
    for each in filings if head_first else reversed(filings):
        told += case_store.file([each], [each.id], [], [])
    assert told == [attached], "one that is on its way already is told of anew"
    assert case_store.filed([head, attached]) == {head: SENT, attached: SENT}
    assert {(each.folder, each.sort_date) for each in case_store.rows.exhibits()} == {SENT}
    assert case_store.file(filings, [head, attached], [], []) == [], "as often as one likes"


def test_custodians_and_sources_are_rows_in_the_order_in_which_they_came(case_store: OpenStore) -> None:
    batches = [imported(case_store, World((LEAF,), ((File(0),), (File(0),))), name) for name in ("Zoe", "Ann", "Zoe")]
    load_all(case_store)
    assert [row.name for row in rows_of(case_store, custodian)] == ["Zoe", "Ann"]
    assert [row.batch for row in rows_of(case_store, batch_source)] == sorted(batches * 2)
    assert {row.path for row in rows_of(case_store, batch_source)} == {"/evidence/0", "/evidence/1"}
    assert {each.folder for each in case_store.rows.exhibits()} == {"folder"}


@pytest.mark.parametrize(
    "by_hand",
    [
        {"copy_key": bytes(32)},
        {"copy_key": None, "copy_of": None},
        {"thread": 2},
        {"inclusive": 0},
        {"near": 2, "near_score": 79, "sketch": b"s"},
        {"near": 99, "near_score": 90, "sketch": b"s"},
        {"near_score": 90},
    ],
    ids=str,
)
def test_what_a_load_has_written_and_cannot_be_so_is_found(by_hand: dict[str, Any], case_store: OpenStore) -> None:
    imported(case_store, World((LEAF,), ((File(0),) * 3,)))
    load_all(case_store)
    with case_store.rows.audit() as audit:
        assert list(audit.loads()) == []
    last = max(row.id for row in rows_of(case_store, exhibit))
    case_store.database.write(lambda tx: tx.execute(update(exhibit).where(exhibit.c.id == last).values(**by_hand)))
    with case_store.rows.audit() as audit:
        [finding] = audit.loads()
    assert finding.subject.startswith("RW00000003")


@pytest.mark.requirement("D6")
def test_a_loader_that_is_not_heard_of_loses_what_it_took_and_cannot_mark_it(open_case_store: Opener) -> None:
    first, second = open_case_store("w1"), open_case_store("w2")
    imported(first, World((LEAF,), ((File(0),) * 4,)))
    held = [each.id for each in first.take_to_load(2)]
    lost = first.database.write(lambda tx: load_queue.take_pending(tx, 2, "w1", lease_ms=-1))
    assert [each.id for each in second.take_to_load(9)] == lost, "and nothing that is held"
    first.loaded([*held, *lost])
    unloaded = {row.id for row in rows_of(first, exhibit) if row.checkpoint != LOADED}
    assert unloaded == set(lost), "what another one has taken over is left to it"
    second.loaded(lost)
    assert second.take_to_load(9) == [] and {row.checkpoint for row in rows_of(first, exhibit)} == {LOADED}
