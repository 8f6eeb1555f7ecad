"""What renditions may take of a slot while there is text to come (ADR 80)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.contract.test_case_store_renditions import RECIPE, end, import_one
from tests.support.case_stores import DATABASES, OpenStore
from tests.support.ledger_model import MAX_DEPTH

from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.settled import Limits
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import KINDS, Attempts, Phase
from redwell.core.work.lanes import Lane
from redwell.core.work.records import Claim, Failure
from redwell.core.work.renderers import TURNS, Turn
from redwell.ports.ledger import Want

_TEXT = tuple(turn for turn in TURNS if KINDS[turn[0]].phase is Phase.TEXT)
_LATER = tuple(turn for turn in TURNS if turn not in _TEXT)


@pytest.fixture(params=DATABASES)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    with DATABASES[request.param](tmp_path) as connect:
        recipe = replace(RECIPE, large_bytes=1 << 30)
        limits = Limits(MAX_DEPTH, 1_000)
        store = OpenStore(connect.work(), "w", recipe, limits=limits, prefix="RW", attempts=lambda _: Attempts())
        create_case(store.database, {"name": "text first"})
        store.rows = SqlCaseReader(connect.look())
        yield store
        store.rows.close()
        store.close()


@pytest.mark.requirement("A4")
def test_a4_renditions_take_little_of_a_slot_that_text_has_left_for_a_moment(case: OpenStore) -> None:
    batch = import_one(case, contents=30)

    def claimed(turns: Sequence[Turn], limit: int = 100) -> list[Claim]:
        return case.claim_work(limit, 1 << 30, Want(batch=batch, turns=tuple(turns)))

    def taken() -> int:
        claims = claimed(_LATER)
        case.release([(claim.id, claim.attempt) for claim in claims])
        return len(claims)

    end(case, claimed(_TEXT, limit=15), ArtifactKind.TEXT)
    assert taken() == 1  # texts wait for a slot
    held = claimed(_TEXT)
    assert len(held) == 15 and taken() == 10  # they may have members
    end(case, held, ArtifactKind.TEXT)
    assert taken() == 30


@pytest.mark.requirement("A5")
def test_a5_a_large_text_that_waits_for_slots_gets_them_before_any_rendition(case: OpenStore) -> None:
    batch = import_one(case, contents=2)

    def claimed(*, large: bool) -> list[Claim]:
        return case.claim_work(1, 1 << 30, Want(batch=batch, large=large, turns=TURNS))

    end(case, claimed(large=True), ArtifactKind.TEXT)
    [second] = claimed(large=True)
    case.blame([Failure(derivation=second.id, attempt=second.attempt, outcome=Outcome.OUT_OF_MEMORY, detail="")])
    assert claimed(large=False) == []
    [again] = claimed(large=True)
    assert (again.id, again.lane) == (second.id, Lane.LARGE)
    assert len(claimed(large=False)) == 1, "it has what it needs"
