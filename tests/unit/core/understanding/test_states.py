"""The state of a document follows from its ingestions; a message's fate from the state of what it names."""

import itertools

import pytest

from redwell.core.errors import UserError
from redwell.core.understanding.models import ModelChoice, Spent, checked
from redwell.core.understanding.states import (
    DocumentState,
    Fate,
    Standing,
    Status,
    after_failure,
    document_state,
    fate_of,
    is_id,
)
from redwell.core.understanding.windows import Span, halves, windows

DONE, OPEN, FAILED = Standing(Status.COMPLETED), Standing(Status.IN_PROGRESS), Standing(Status.FAILED)
FLAGGED = Standing(Status.COMPLETED, is_flagged=True)


@pytest.mark.requirement("B8")
@pytest.mark.parametrize(
    ("ingestions", "state"),
    [
        ([], DocumentState.UNKNOWN),
        ([OPEN], DocumentState.PROCESSING),
        ([DONE], DocumentState.READY),
        ([DONE, OPEN], DocumentState.PROCESSING),
        ([FAILED, OPEN], DocumentState.NEEDS_REVIEW),
        ([FLAGGED], DocumentState.NEEDS_REVIEW),
        ([FAILED, DONE], DocumentState.READY),
        ([DONE, FAILED], DocumentState.NEEDS_REVIEW),
    ],
)
def test_b8_needs_review_over_processing_over_ready(ingestions: list[Standing], state: DocumentState) -> None:
    assert document_state(ingestions, has_data=DONE in ingestions) is state


@pytest.mark.requirement("B8")
def test_b8_a_document_that_no_schema_fits_was_asked_about_all_the_same() -> None:
    assert document_state([DONE], has_data=False) is DocumentState.NONE_FITS
    assert document_state([DONE, OPEN], has_data=False) is DocumentState.PROCESSING


@pytest.mark.requirement("B7")
def test_b7_the_third_failure_asks_for_a_person() -> None:
    assert [after_failure(n) for n in (1, 2, 3)] == [Status.IN_PROGRESS, Status.IN_PROGRESS, Status.FAILED]


@pytest.mark.requirement("B3")
def test_b3_a_duplicate_message_is_deleted_only_when_its_ingestion_has_ended() -> None:
    assert fate_of(Status.IN_PROGRESS, is_claimed=True) is Fate.WORK
    assert fate_of(Status.IN_PROGRESS, is_claimed=False) is Fate.HIDE
    assert fate_of(Status.COMPLETED, is_claimed=False) is Fate.DELETE and fate_of(None, is_claimed=False) is Fate.DELETE
    assert is_id("01890a5d-ac96-774b-bcce-b302099a8057") and not is_id("hello") and not is_id("")


def test_windows_cover_all_of_a_text_and_overlap() -> None:
    text = "".join(f"line {n}\n" for n in range(5_000))
    spans = list(windows(text, 4_000))
    assert spans[0].start == 0 and spans[-1].stop == len(text)
    assert all(later.start < earlier.stop for earlier, later in itertools.pairwise(spans))
    assert list(windows("", 4_000)) == [Span(0, 0)]
    assert halves(Span(0, 2_999)) == [] and [half.stop for half in halves(Span(0, 8_000))][-1] == 8_000


def test_evidence_leaves_the_machine_only_where_somebody_meant_it() -> None:
    checked(ModelChoice(kind="openai", url="http://127.0.0.1:8080/v1"))
    with pytest.raises(UserError, match="another machine"):
        checked(ModelChoice(kind="openai", url="https://api.example.org/v1"))
    with pytest.raises(UserError, match="https"):
        checked(ModelChoice(kind="openai", url="http://api.example.org/v1", is_remote_meant=True))
    meant = checked(ModelChoice(kind="openai", name="m", url="https://api.example.org/v1", is_remote_meant=True))
    assert meant.told == "openai m at api.example.org (remote)"


def test_a_budget_stops_before_it_is_passed() -> None:
    choice = ModelChoice(budget_tokens=100)
    assert Spent(tokens=50).allows(choice, 50) and not Spent(tokens=51).allows(choice, 50)
    priced = ModelChoice(budget_cost=10, price_in=1_000_000)
    assert Spent(cost=5).allows(priced, 5) and not Spent(cost=5).allows(priced, 6)
