"""What every case store promises of PDFs that fail: one plain try more, then another engine, then the better one."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.contract.test_case_store_renditions import end, import_one, load, sound, take
from tests.support.case_stores import DATABASES, OpenStore
from tests.support.ledger_model import LARGE_BYTES, MAX_DEPTH, stored

from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.settled import Limits
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.lanes import Lane
from redwell.core.work.recipe import Recipe, Rendition
from redwell.core.work.records import Artifact, Claim, Failure, Result, Selection
from redwell.core.work.renderers import RENDERERS, Renderer

SHEET = Renderer(task=TaskType.RENDER_XLSX, name="sheets-pdf", profile=Profile.OFFICE)
ROWS = (SHEET, *(row for row in RENDERERS if row.name in ("words-pdf", "page-images")))
RECIPE = Recipe(
    settings="s", large_bytes=LARGE_BYTES, renditions=tuple(Rendition(renderer=row, settings="") for row in ROWS)
)
LIMITS = Limits(MAX_DEPTH, 1_000)


@pytest.fixture(params=DATABASES)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    with DATABASES[request.param](tmp_path) as connect:
        store = OpenStore(connect.work(), "w1", RECIPE, limits=LIMITS, prefix="RW")
        store.rows = SqlCaseReader(connect.look())
        create_case(store.database, {"name": "stand-ins"})
        yield store
        store.rows.close()
        store.close()


def read_one(store: OpenStore) -> int:
    """A batch of one document whose text is known."""
    batch = import_one(store)
    [claim] = take(store, batch)
    text = Artifact(kind=ArtifactKind.TEXT, stored=stored("words"), amount=5)
    store.record([], [_result(claim, Outcome.SUCCESS, text)])
    return batch


def refuse(store: OpenStore, batch: int, outcome: Outcome = Outcome.INVALID_FILE) -> Claim:
    """The next claim ends without a PDF."""
    [claim] = take(store, batch)
    store.record([], [_result(claim, outcome)])
    return claim


def _result(claim: Claim, outcome: Outcome, *made: Artifact) -> Result:
    detail = "" if made else "it is damaged"
    about = {"derivation": claim.id, "attempt": claim.attempt, "media_type": "text/plain", "handler": "h/1"}
    return Result(**about, outcome=outcome, detail=detail, artifacts=made)


def pdf_of(store: OpenStore, batch: int) -> Claim:
    [claim] = take(store, batch)
    made = Artifact(kind=ArtifactKind.PDF, stored=stored(f"by {claim.engine}"), amount=1)
    store.record([], [_result(claim, Outcome.SUCCESS, made)])
    return claim


def shown(store: OpenStore) -> tuple[str, list[str]]:
    load(store)
    [exhibit] = store.rows.exhibits()
    return str(exhibit.outcome), [str(problem.code) for problem in exhibit.problems]


@pytest.mark.requirement("A5", "A11", "A17")
def test_a_pdf_that_fails_is_tried_once_more_plainly_and_then_by_what_stands_in(case: OpenStore) -> None:
    batch = read_one(case)
    first, second = refuse(case, batch), refuse(case, batch)
    assert (first.id, first.plain, second.id, second.plain) == (second.id, False, first.id, True)
    [words] = take(case, batch)
    assert (words.engine, words.sha256, words.plain) == ("words-pdf", stored("words").digests.sha256, False)
    case.release([(words.id, words.attempt)])
    pdf_of(case, batch)
    assert shown(case) == (Outcome.SUCCESS, [Code.HANDLER_ERROR])
    [exhibit] = case.rows.exhibits()
    assert exhibit.problems[0].detail == "its PDF shows its text alone: it is damaged"
    counts = {(task, outcome) for task, outcome, _ in case.rows.parts_in(batch)}
    assert counts == {(TaskType.RENDER_PDF, Outcome.SUCCESS), (TaskType.RENDER_PAGE_IMAGES, "")}
    end(case, take(case, batch), ArtifactKind.PAGE_IMAGE)
    assert case.finish_batch(batch) and sound(case)


@pytest.mark.requirement("A17")
def test_a_child_that_dies_of_a_pdf_gets_the_same_single_plain_try(case: OpenStore) -> None:
    batch = read_one(case)
    plain = []
    while (claims := take(case, batch)) and claims[0].engine == "sheets-pdf":
        plain.append(claims[0].plain)
        about = {"derivation": claims[0].id, "attempt": claims[0].attempt}
        case.blame([Failure(**about, outcome=Outcome.CRASHED, detail="signal 11")])
    assert plain == [False, False, False, False, True]
    assert claims[0].engine == "words-pdf"


def test_no_pdf_at_all_is_told_when_nothing_stands_in(case: OpenStore) -> None:
    batch = read_one(case)
    for _ in range(4):
        refuse(case, batch)
    assert take(case, batch) == []
    assert shown(case) == (Outcome.PARTIAL, [Code.PDF_UNAVAILABLE])
    assert case.finish_batch(batch) and sound(case)


def test_what_an_engine_is_missing_for_is_not_tried_plainly(case: OpenStore) -> None:
    batch = read_one(case)
    refuse(case, batch, Outcome.UNSUPPORTED)
    [claim] = take(case, batch)
    assert (claim.engine, claim.lane) == ("words-pdf", Lane.SMALL)


def test_the_document_as_it_looks_takes_the_place_of_its_words_with_its_pages(case: OpenStore) -> None:
    batch = read_one(case)
    refuse(case, batch, Outcome.UNSUPPORTED)
    pdf_of(case, batch)
    [pages] = take(case, batch)
    end(case, [pages], ArtifactKind.PAGE_IMAGE)
    case.reopen(Selection(task=TaskType.RENDER_XLSX))
    pdf_of(case, batch)
    assert shown(case) == (Outcome.SUCCESS, [])
    [exhibit] = case.rows.exhibits()
    made = {each.kind: each.sha256 for each in case.rows.artifacts(exhibit.id)}
    assert made == {ArtifactKind.PDF: stored("by sheets-pdf").digests.sha256}, "no page of the other PDF is left"
    [pages] = take(case, batch)
    assert pages.sha256 == stored("by sheets-pdf").digests.sha256
    end(case, [pages], ArtifactKind.PAGE_IMAGE)
    load(case)
    assert case.finish_batch(batch) and sound(case)


def test_what_a_program_was_missing_for_is_chosen_for_a_retry_and_nothing_else(case: OpenStore) -> None:
    batch = read_one(case)
    refuse(case, batch, Outcome.UNSUPPORTED)
    pdf_of(case, batch)
    end(case, take(case, batch), ArtifactKind.PAGE_IMAGE)
    load(case)
    assert len(case.concerned(Selection(lacking=True))) == 1
    assert case.reopen(Selection(lacking=True)) == 1
    pdf_of(case, batch)
    assert shown(case) == (Outcome.SUCCESS, [])
    end(case, take(case, batch), ArtifactKind.PAGE_IMAGE)
    load(case)
    assert case.reopen(Selection(lacking=True)) == 0 and case.concerned(Selection(lacking=True)) == {}
    assert case.finish_batch(batch) and sound(case)


def test_a_pdf_that_says_that_a_program_was_missing_is_chosen_for_a_retry(case: OpenStore) -> None:
    batch = read_one(case)
    [claim] = take(case, batch)
    made = Artifact(kind=ArtifactKind.PDF, stored=stored("plain"), amount=1)
    told = (Problem(code=Code.ENGINE_MISSING, detail="by a browser"),)
    case.record([], [msgspec.structs.replace(_result(claim, Outcome.SUCCESS, made), problems=told)])
    assert shown(case) == (Outcome.SUCCESS, [Code.ENGINE_MISSING])
    assert case.reopen(Selection(lacking=True)) == 1
    assert case.reopen(Selection(lacking=True)) == 0
