"""What every case store promises about work that follows from a reading: renditions, and what needs these."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import structs
from tests.support.case_stores import DATABASES, OpenStore
from tests.support.ledger_model import LARGE_BYTES, MAX_DEPTH, Content, File, World, as_text, stored
from tests.support.ledger_worker import read_all

from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_queues.event_log import SqlEventLog
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.settled import Limits
from redwell.core.events.event import EventType
from redwell.core.jobs.job import NewJob
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import BY_TURN, Attempts, Profile, TaskType
from redwell.core.work.lanes import Lane
from redwell.core.work.recipe import Recipe, Rendition
from redwell.core.work.records import Artifact, Claim, Failure, Result, Selection
from redwell.core.work.renderers import TURNS, Renderer
from redwell.core.work.transitions import Standing
from redwell.ports.ledger import Want

PDF, PAGES = TaskType.RENDER_PDF, TaskType.RENDER_PAGE_IMAGES
RECIPE = Recipe(
    settings="s",
    large_bytes=LARGE_BYTES,
    renditions=(
        Rendition(renderer=Renderer(task=PDF, name="pdf", profile=Profile.OFFICE), settings="p"),
        Rendition(
            renderer=Renderer(task=PAGES, name="p", profile=Profile.PARSER, needs=ArtifactKind.PDF), settings="i"
        ),
    ),
)
Opener = Callable[[str], OpenStore]


@pytest.fixture(params=DATABASES)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    with DATABASES[request.param](tmp_path) as connect:
        made: list[OpenStore] = []

        def store(worker: str) -> OpenStore:
            limits = Limits(MAX_DEPTH, 1_000)
            new = OpenStore(connect.work(), worker, RECIPE, limits=limits, prefix="RW", attempts=lambda _: Attempts())
            new.rows = SqlCaseReader(connect.look())
            made.append(new)
            return new

        create_case(store("w0").database, {"name": "renditions"})
        yield store
        for each in made:
            each.rows.close()
            each.close()


@pytest.fixture
def case(opened: Opener) -> OpenStore:
    return opened("w1")


def import_one(store: OpenStore, contents: int = 1, copies: int = 1) -> int:
    """A batch of files, read; its number."""
    files = tuple(File(number) for number in range(contents) for _ in range(copies))
    read_all(store, World((Content(),) * contents, (files,)))
    return max(row.id for row in store.rows.batches())


def take(store: OpenStore, batch: int) -> list[Claim]:
    return store.claim_work(100, 1 << 20, Want(batch=batch, turns=TURNS))


def end(store: OpenStore, claims: list[Claim], *kinds: ArtifactKind) -> None:
    store.record([], [result(claim, kinds) for claim in claims])


def result(claim: Claim, kinds: tuple[ArtifactKind, ...]) -> Result:
    made = [Artifact(kind=kind, stored=stored(f"{kind} of {claim.sha256.hex()}")) for kind in kinds]
    about = {"derivation": claim.id, "attempt": claim.attempt}
    return Result(**about, outcome=Outcome.SUCCESS, media_type="text/plain", handler="h/1", artifacts=tuple(made))


def index(store: OpenStore) -> None:
    store.begin_loading()
    store.loaded([entry.id for entry in store.take_to_load(999)])


def load(store: OpenStore) -> None:
    """The steps of the plan, but for the index's own."""
    store.begin_loading()
    taken = store.take_to_load(999)
    store.show({exhibit.id: exhibit.look for exhibit in taken if exhibit.look is not None})
    store.loaded([exhibit.id for exhibit in taken])


def sound(store: OpenStore) -> bool:
    with store.rows.audit() as audit:
        return list(audit.seals()) == list(audit.imbalances()) == []


def read_texts(store: OpenStore, batch: int) -> None:
    end(store, take(store, batch), ArtifactKind.TEXT)


@pytest.mark.requirement("A4")
def test_a4_texts_come_first_then_what_needs_them_then_what_needs_that(case: OpenStore) -> None:
    batch = import_one(case, contents=2)
    order = []
    while claims := take(case, batch):
        assert len({claim.task for claim in claims}) == 1
        order.append(claims[0].task)
        gives = {PDF: ArtifactKind.PDF, PAGES: ArtifactKind.PAGE_IMAGE}.get(claims[0].task, ArtifactKind.TEXT)
        end(case, claims, gives)
    assert list(dict.fromkeys(order)) == [TaskType.EXTRACT_TEXT, PDF, PAGES]
    assert order == sorted(order, key=BY_TURN.index)
    index(case)
    assert case.finish_batch(batch) and sound(case)


def test_page_images_are_made_of_the_pdf_and_of_nothing_else(case: OpenStore) -> None:
    batch = import_one(case)
    [text] = take(case, batch)
    end(case, [text], ArtifactKind.TEXT)
    [pdf] = take(case, batch)
    assert (pdf.task, pdf.sha256) == (PDF, text.sha256)
    end(case, [pdf], ArtifactKind.PDF)
    [pages] = take(case, batch)
    assert pages.task is PAGES
    assert pages.sha256 == stored(f"{ArtifactKind.PDF} of {text.sha256.hex()}").digests.sha256


def test_a_batch_is_searchable_before_its_renditions_and_finished_after_them(case: OpenStore) -> None:
    batch = import_one(case)
    read_texts(case, batch)
    assert case.standing(batch) is Standing.UNINDEXED
    index(case)
    left = case.open_rows(batch)
    assert case.standing(batch) is Standing.RENDERING
    assert left.searchable and not left.finished and left.renditions == 1
    assert not case.finish_batch(batch)
    end(case, take(case, batch), ArtifactKind.PDF)
    end(case, take(case, batch), ArtifactKind.PAGE_IMAGE)
    assert case.standing(batch) is Standing.OVER and case.finish_batch(batch)


def test_copies_and_later_batches_share_one_rendition(case: OpenStore) -> None:
    first = import_one(case, copies=3)
    read_texts(case, first)
    second = import_one(case)
    index(case)
    assert case.standing(second) is Standing.RENDERING
    [pdf] = take(case, second)  # what the first asked for
    end(case, [pdf], ArtifactKind.PDF)
    [pages] = take(case, first)
    end(case, [pages], ArtifactKind.PAGE_IMAGE)
    assert case.standing(first) is case.standing(second) is Standing.OVER
    third = import_one(case)
    index(case)
    assert not take(case, third) and case.standing(third) is Standing.OVER


def test_a_cancelled_batch_leaves_what_others_want_to_them(case: OpenStore) -> None:
    first = import_one(case)
    read_texts(case, first)
    second = import_one(case)
    [held] = take(case, first)
    case.begin_cancelling(first)
    while case.cancel_some(first):
        pass
    index(case)
    assert case.standing(first) is Standing.OVER
    end(case, [held], ArtifactKind.PDF)  # whoever is at it goes on, for the second
    [pages] = take(case, second)
    assert pages.task is PAGES


def test_what_only_a_cancelled_batch_wanted_waits_for_the_next_that_does(case: OpenStore) -> None:
    first = import_one(case)
    read_texts(case, first)
    [held] = take(case, first)
    case.begin_cancelling(first)
    while case.cancel_some(first):
        pass
    index(case)
    assert case.record([], [result(held, (ArtifactKind.PDF,))]) == 1  # the fence drops it
    assert not take(case, first) and case.standing(first) is Standing.OVER
    second = import_one(case)
    [pdf] = take(case, second)
    assert (pdf.task, pdf.id, pdf.attempt) == (PDF, held.id, held.attempt + 1)


@pytest.mark.requirement("A5", "A17")
def test_a5_a17_a_rendition_that_kills_child_after_child_is_given_up_and_can_be_retried(case: OpenStore) -> None:
    batch = import_one(case)
    read_texts(case, batch)
    index(case)
    lanes = []
    while claims := take(case, batch):
        lanes.append(claims[0].lane)
        about = {"derivation": claims[0].id, "attempt": claims[0].attempt}
        case.blame([Failure(**about, outcome=Outcome.CRASHED, detail="it died")])
    assert lanes == [Lane.SMALL, Lane.SMALL, Lane.LARGE, Lane.LARGE]
    [parked] = case.rows.parked()
    assert parked.task == PDF
    assert case.standing(batch) is Standing.UNINDEXED, "it is shown otherwise now"
    load(case)
    assert case.standing(batch) is Standing.OVER and case.finish_batch(batch)
    [exhibit] = case.rows.exhibits()
    assert exhibit.outcome == Outcome.PARTIAL and [p.code for p in exhibit.problems] == [Code.PDF_UNAVAILABLE]
    with case.database.read() as tx:
        told = tx.exec_driver_sql("SELECT problems FROM derivation WHERE given_up = 1").scalar_one()
        assert Code.PDF_UNAVAILABLE in told
    assert case.reopen(Selection(task=PDF), NewJob()) == 1
    [again] = take(case, batch)
    assert again.task is PDF and not case.rows.parked()
    end(case, [again], ArtifactKind.PDF)
    load(case)
    [exhibit] = case.rows.exhibits()
    assert (exhibit.outcome, exhibit.problems) == (Outcome.SUCCESS, [])


def test_a_retry_of_texts_leaves_renditions_alone(case: OpenStore) -> None:
    batch = import_one(case)
    read_texts(case, batch)
    end(case, take(case, batch), ArtifactKind.PDF)
    end(case, take(case, batch), ArtifactKind.PAGE_IMAGE)
    assert case.reopen(Selection(outcome=Outcome.SUCCESS), NewJob()) == 1
    [again] = take(case, batch)
    assert again.task is TaskType.EXTRACT_TEXT
    end(case, [again], ArtifactKind.TEXT)
    assert not take(case, batch)
    index(case)
    assert sound(case) or case.finish_batch(batch)


def test_a_dead_workers_rendition_is_another_ones(opened: Opener) -> None:
    first, second = opened("w1"), opened("w2")
    batch = import_one(first)
    read_texts(first, batch)
    [held] = take(first, batch)
    second.sweep(lambda worker: worker != "w1")
    [taken] = take(second, batch)
    assert (taken.id, taken.attempt) == (held.id, held.attempt + 1)
    assert first.record([], [result(held, (ArtifactKind.PDF,))]) == 1  # dropped


def test_what_failed_to_be_read_is_not_rendered(case: OpenStore) -> None:
    batch = import_one(case)
    [claim] = take(case, batch)
    result = Result(derivation=claim.id, attempt=claim.attempt, outcome=Outcome.INVALID_FILE, artifacts=as_text(None))
    case.record([], [result])
    assert not take(case, batch)


def test_a_pdf_that_was_made_otherwise_than_the_document_looks_is_told_of_its_exhibits(case: OpenStore) -> None:
    batch = import_one(case)
    read_texts(case, batch)
    load(case)
    told = Problem(code=Code.PDF_UNAVAILABLE, detail="only its fields are shown")
    [claim] = take(case, batch)
    case.record([], [structs.replace(result(claim, (ArtifactKind.PDF,)), problems=[told])])
    load(case)
    end(case, take(case, batch), ArtifactKind.PAGE_IMAGE)
    load(case)
    case.finish_batch(batch)
    [exhibit] = case.rows.exhibits()
    assert (exhibit.outcome, [p.detail for p in exhibit.problems]) == (Outcome.SUCCESS, [told.detail])
    assert sound(case)


@pytest.mark.requirement("E7")
@pytest.mark.parametrize("is_built_in", [True, False])
def test_e7_with_the_engine_that_is_built_in_a_pdf_is_published_when_it_is_made(
    case: OpenStore, is_built_in: bool
) -> None:
    case.views_itself = is_built_in
    batch = import_one(case, contents=2, copies=2)
    read_texts(case, batch)
    end(case, take(case, batch), ArtifactKind.PDF)
    log = SqlEventLog(case.database, 1)
    told = log.unpack([row for row in log.rows() if row.type is EventType.DOCUMENT_UPLOADED])
    assert [len(event.exhibit_ids) for event in told] == ([2, 2] if is_built_in else [])
    assert {event.source for event in told} <= {"uploader"}


def test_what_cost_attempts_lately_is_listed_by_name_with_the_last_reason(case: OpenStore) -> None:
    batch = import_one(case)
    read_texts(case, batch)
    assert case.rows.slow() == []
    for detail in ("60 s", "600 s"):
        [claim] = take(case, batch)
        about = {"derivation": claim.id, "attempt": claim.attempt}
        case.blame([Failure(**about, outcome=Outcome.TIMED_OUT, detail=detail)])
    [slow] = case.rows.slow()
    assert (slow.attempts, slow.outcome, slow.reason, slow.task) == (2, Outcome.TIMED_OUT, "600 s", PDF)
    assert slow.path == next(iter(case.rows.exhibits())).path
