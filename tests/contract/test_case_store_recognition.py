"""What every case store promises about recognition: exhibits are shown by what became of it, with its texts."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.case_stores import DATABASES, OpenStore
from tests.support.ledger_model import LARGE_BYTES, MAX_DEPTH, Content, File, World, stored
from tests.support.ledger_worker import read_all

from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.page_texts import RecognisedPage
from redwell.core.case.rows import Exhibit, Wanted
from redwell.core.case.settled import Limits
from redwell.core.events.event import EventType
from redwell.core.jobs.job import NewJob
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import Attempts, Profile, TaskType
from redwell.core.work.page_ranges import range_in
from redwell.core.work.recipe import Recipe, Rendition
from redwell.core.work.records import Artifact, Claim, Failure, Result, Selection
from redwell.core.work.renderers import TURNS, Renderer
from redwell.ports.ledger import Want

OCR = TaskType.OCR_PAGE_IMAGES
ROW = Renderer(task=OCR, name="ocr-pages", profile=Profile.OCR)
RECIPE = Recipe(
    settings="s", large_bytes=LARGE_BYTES, renditions=(Rendition(renderer=ROW, settings="o", if_pending=True),)
)
PENDING = Problem(code=Code.OCR_PENDING, detail="no text on page 1")
Opener = Callable[[str], OpenStore]


@pytest.fixture(params=DATABASES)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    with DATABASES[request.param](tmp_path) as connect:
        limits = Limits(MAX_DEPTH, 1_000)
        store = OpenStore(connect.work(), "w1", RECIPE, limits=limits, prefix="RW", attempts=lambda _: Attempts())
        store.rows = SqlCaseReader(connect.look())
        create_case(store.database, {"name": "recognition"})
        yield store
        store.rows.close()
        store.close()


def scanned(store: OpenStore, pages: int = 2, copies: int = 2) -> int:
    """A batch with a scan in several places, read; its number."""
    read_all(store, World((Content(),), (tuple(File(0) for _ in range(copies)),)))
    batch = max(row.id for row in store.rows.batches())
    for claim in take(store, batch):
        text = Artifact(kind=ArtifactKind.TEXT, stored=stored("\f" * pages), amount=pages)
        about = {"derivation": claim.id, "attempt": claim.attempt, "pages": pages}
        store.record([], [Result(**about, outcome=Outcome.SUCCESS, problems=[PENDING], artifacts=(text,))])
    load(store)
    return batch


def take(store: OpenStore, batch: int) -> list[Claim]:
    return store.claim_work(100, 1 << 20, Want(batch=batch, turns=TURNS))


def recognised(claim: Claim, *pages: int, problem: Problem | None = None) -> Result:
    made = tuple(
        Artifact(kind=ArtifactKind.OCR_TEXT, stored=stored(f"words of {page}"), number=page, amount=10)
        for page in pages
    )
    outcome, told = (Outcome.PARTIAL, [problem]) if problem else (Outcome.SUCCESS, [])
    return Result(derivation=claim.id, attempt=claim.attempt, outcome=outcome, problems=told, artifacts=made)


def load(store: OpenStore) -> None:
    store.begin_loading()
    taken = store.take_to_load(999)
    store.show({exhibit.id: exhibit.look for exhibit in taken if exhibit.look is not None})
    store.loaded([exhibit.id for exhibit in taken])


def exhibits(store: OpenStore) -> list[Exhibit]:
    with store.rows.audit() as audit:
        assert list(audit.seals()) == [f for f in audit.imbalances() if f.check != "unfinished"] == []
    return list(store.rows.exhibits())


@pytest.mark.requirement("A20")
def test_a20_a_scan_is_partial_and_pending_until_it_is_recognised_and_then_as_it_was_read(case: OpenStore) -> None:
    batch = scanned(case)
    assert {(e.outcome, *e.problems) for e in exhibits(case)} == {(Outcome.PARTIAL, PENDING)}
    assert list(case.rows.exhibits(Wanted(troubled=True))) == exhibits(case)
    [claim] = take(case, batch)
    assert (claim.task, claim.profile, claim.engine) == (OCR, Profile.OCR, "ocr-pages")
    case.record([], [recognised(claim, 1, 2)])
    load(case)
    seen = exhibits(case)
    assert [(e.outcome, e.problems, e.recognised, e.text_chars) for e in seen] == [(Outcome.SUCCESS, [], 2, 22)] * 2
    assert case.rows.counts() == {Outcome.SUCCESS: 2} == case.outcomes_in(batch)
    assert len(list(case.rows.exhibits(Wanted(outcome=Outcome.SUCCESS)))) == 2
    pages = [RecognisedPage(number, stored(f"words of {number}").digests.sha256) for number in (1, 2)]
    ids = [e.id for e in seen]
    assert case.rows.recognised_texts(ids) == case.recognised_texts(ids) == dict.fromkeys(ids, pages)
    assert case.finish_batch(batch)


def test_what_is_read_in_another_place_later_is_shown_recognised_at_once(case: OpenStore) -> None:
    [claim] = take(case, scanned(case, copies=1))
    case.record([], [recognised(claim, 1)])
    load(case)
    read_all(case, World((Content(),), ((File(0),),)))
    load(case)
    assert [(e.outcome, e.recognised) for e in exhibits(case)] == [(Outcome.SUCCESS, 1)] * 2


def test_pages_without_words_are_named_and_a_retry_that_finds_some_ends_that(case: OpenStore) -> None:
    batch = scanned(case, copies=1)
    nothing = Problem(code=Code.NO_TEXT, detail="page 2")
    case.record([], [recognised(take(case, batch)[0], 1, problem=nothing)])
    load(case)
    [exhibit] = exhibits(case)
    assert (exhibit.outcome, exhibit.problems, exhibit.recognised) == (Outcome.PARTIAL, [nothing], 1)
    chosen = Selection(task=OCR)
    assert case.concerned(chosen) == {exhibit.id: Outcome.PARTIAL}
    assert case.reopen(chosen, NewJob()) == 1
    case.record([], [recognised(take(case, batch)[0], 1, 2)])
    load(case)
    [exhibit] = exhibits(case)
    assert (exhibit.outcome, exhibit.problems, exhibit.recognised) == (Outcome.SUCCESS, [], 2)


@pytest.mark.requirement("A17")
def test_a17_recognition_that_is_given_up_is_named_and_nothing_waits_for_it(case: OpenStore) -> None:
    batch = scanned(case)
    while claims := take(case, batch):
        about = {"derivation": claims[0].id, "attempt": claims[0].attempt}
        case.blame([Failure(**about, outcome=Outcome.CRASHED, detail="it died")])
    load(case)
    assert {(e.outcome, *(p.code for p in e.problems)) for e in exhibits(case)} == {(Outcome.PARTIAL, Code.OCR_FAILED)}
    assert case.finish_batch(batch)


@pytest.mark.requirement("C1")
def test_c1_a_long_scan_is_worked_on_in_ranges_and_pending_until_the_last(case: OpenStore) -> None:
    batch = scanned(case, pages=250, copies=1)
    claims = take(case, batch)
    assert [range_in(claim.context) for claim in claims] == [(1, 100), (101, 200), (201, 250)]
    for number, claim in enumerate(claims):
        load(case)
        [exhibit] = exhibits(case)
        assert (exhibit.outcome, exhibit.problems) == (Outcome.PARTIAL, [PENDING])
        case.record([], [recognised(claim, 100 * number + 1)])
    load(case)
    [exhibit] = exhibits(case)
    assert (exhibit.outcome, exhibit.problems, exhibit.recognised) == (Outcome.SUCCESS, [], 3)


@pytest.mark.parametrize("change", ["outcome = 'EMPTY'", "recognised = 7", "problems = NULL, outcome = NULL"])
def test_an_exhibit_that_is_shown_otherwise_by_hand_is_found(case: OpenStore, change: str) -> None:
    batch = scanned(case, copies=1)
    case.record([], [recognised(take(case, batch)[0], 1)])
    load(case)
    exhibits(case)
    case.database.write(lambda tx: tx.exec_driver_sql(f"UPDATE exhibit SET {change}"))
    with case.rows.audit() as audit:
        assert [finding.check for finding in audit.imbalances() if finding.check != "unfinished"] == ["outcome"]


def test_what_was_recognised_counts_until_it_is_recognised_anew(case: OpenStore) -> None:
    batch = scanned(case, copies=1)
    case.record([], [recognised(take(case, batch)[0], 1)])
    load(case)
    assert case.reopen(Selection(task=OCR), NewJob()) == 1
    load(case)
    [exhibit] = exhibits(case)
    assert (exhibit.outcome, exhibit.recognised) == (Outcome.PARTIAL, 1), "its words are still found"


@pytest.mark.requirement("A18")
def test_a18_recognised_text_that_arrives_is_told(case: OpenStore) -> None:
    batch = scanned(case)
    case.record([], [recognised(take(case, batch)[0], 1)])
    with case.database.read() as tx:
        query = f"SELECT count(*) FROM event WHERE type = '{EventType.RENDITION_ADDED}' AND batch = {batch}"
        assert tx.exec_driver_sql(query).scalar() == 1


def test_an_exhibit_that_is_shown_right_is_not_written_again(case: OpenStore) -> None:
    [claim] = take(case, scanned(case))
    case.record([], [recognised(claim, 1)])
    load(case)
    case.load_again(step=4)  # type: ignore[arg-type]
    case.begin_loading()
    assert [(e.look, e.outcome) for e in case.take_to_load(9)] == [(None, Outcome.SUCCESS)] * 2
