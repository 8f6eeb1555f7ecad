"""Uploaders of batches over the real SQL queue and bus, and an engine of our own: begun, fed, drained, taken down."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.support import nutrient_server as server
from tests.support.cases import NAME, Driver, Item
from tests.support.engine import until
from tests.support.nutrient_server import TOKEN, NutrientServer

from redwell.adapters.threads import uploader_compute
from redwell.core.events.event import Event, EventType
from redwell.core.jobs.job import NewJob
from redwell.core.jobs.loader_life import Uploader
from redwell.core.jobs.queue_names import uploader_dead_letters, uploader_events
from redwell.core.viewing.uploader_life import UploaderLife, UploaderPhase
from redwell.ports.ledger import Want
from redwell.ports.messaging.queue import Message
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.services.open_services import Services, open_services
from redwell.runtime.bootstrap.settings import Settings, load_settings
from redwell.runtime.delivery.late_tidying import LateTidying
from redwell.runtime.monitor.publisher import Publisher
from redwell.runtime.monitor.teller import Teller
from redwell.runtime.upkeep.batches import begin
from redwell.runtime.upkeep.cancel import cancel
from redwell.runtime.viewing.uploading import Uploading

PATIENCE_S = 60.0
BRIEF = Item("brief.pdf", b"%PDF brief", text="a brief", media_type="application/pdf")
COPY = Item("copy of brief.pdf", b"%PDF brief", text="a brief", media_type="application/pdf")
PLAN = Item("plan.pdf", b"%PDF plan", text="a plan", media_type="application/pdf")
NOTE = Item("note.txt", b"a note", text="a note")


@pytest.fixture
def engine() -> Iterator[NutrientServer]:
    with NutrientServer() as running:
        yield running


def settings_for(engine: NutrientServer, *more: str) -> Settings:
    named = ["viewer=nutrient", f"viewer_url={engine.url}", f"viewer_token={TOKEN}", "delay_percent=0", *more]
    return load_settings(named, environ={})


@pytest.fixture
def case(tmp_path: Path, engine: NutrientServer) -> Iterator[Case]:
    with open_case(tmp_path, NAME, settings_for(engine), create=True) as opened:
        yield opened


@pytest.fixture
def services(case: Case) -> Iterator[Services]:
    with open_services(case.home, case.settings) as opened:
        yield opened


class Run:
    """The uploader of a case step by step: what a worker's threads do, in one."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.uploading = Uploading(case)

    def begin(self, *files: Item) -> int:
        self.batch = begin(self.case, ["/evidence"], "files", "Ann", NewJob(workers=25))
        self.uploading.prepare(self.case.store.open_jobs())
        self.case.store.start_job(self.batch, self.case.worker, {})
        if files:
            self.walk(*files)
        return self.batch

    def walk(self, *files: Item) -> None:
        driver = Driver(self.case)
        driver.walk(self.batch, list(files))
        driver.work(self.batch)

    @property
    def life(self) -> UploaderLife:
        return self.case.store.uploaders().get(self.batch, UploaderLife())

    def step(self) -> None:
        with closing(Teller(self.case.journal, Publisher(self.case.journal, self.case.settings))) as teller:
            teller.tell()
        self.uploading._look()

    def until(self, is_so: Callable[[], bool]) -> None:
        ends = (
            time.monotonic() + PATIENCE_S
        )  # what waits in a queue comes back by the clock, however fast the steps are
        while time.monotonic() < ends:
            if is_so():
                return
            self.step()
        raise AssertionError(f"it never came: {self.life}")

    def to_the_end(self) -> None:
        self.until(lambda: self.life.is_over)

    def told(self) -> list[EventType]:
        kinds = [row.type for row in self.case.journal.log.rows()]
        return [kind for kind in kinds if kind.startswith("UPLOADER_")]

    def events(self, kind: EventType) -> list[Event]:
        return self.case.journal.log.unpack([row for row in self.case.journal.log.rows() if row.type is kind])


@pytest.fixture
def run(case: Case) -> Iterator[Run]:
    made = Run(case)
    yield made
    made.uploading.close()


def left_behind(services: Services) -> list[str]:
    return [*services.queue.names("redwell"), *services.bus.subscriptions()]


@pytest.mark.requirement("E1", "E4", "E7", "A2")
def test_e1_each_content_is_handed_over_once_and_nothing_is_left_behind(
    run: Run, services: Services, engine: NutrientServer
) -> None:
    run.begin()
    assert run.life.queue == f"redwell_doc_uploader_{run.case.number}_{run.batch}"  # before any document
    run.walk(BRIEF, COPY, PLAN)
    run.to_the_end()
    assert sorted(engine.documents.values()) == [b"%PDF brief", b"%PDF plan"]
    assert len(engine.flattened) == 2
    handed = run.events(EventType.DOCUMENT_UPLOADED)
    assert sorted(len(event.exhibit_ids) for event in handed) == [1, 2] or len(handed) == 2
    assert {event.event_detail["file"] for event in handed} == engine.documents.keys()
    assert run.told() == [
        EventType.UPLOADER_CREATE_INITIATED,
        EventType.UPLOADER_STARTED,
        EventType.UPLOADER_DELETE_INITIATED,
        EventType.UPLOADER_FINISHED,
    ]
    assert run.case.store.loaders()[run.batch].uploader is Uploader.FINISHED
    run.uploading.close()
    assert left_behind(services) == [] and list((run.case.home / uploader_compute.FOLDER).iterdir()) == []


@pytest.mark.requirement("E1")
def test_e1_what_comes_twice_or_late_creates_nothing(run: Run, services: Services, engine: NutrientServer) -> None:
    run.begin()
    run.until(lambda: run.life.phase is UploaderPhase.STARTED)
    steering = uploader_events("redwell", run.case.number)
    for kind in (EventType.JOB_STARTED, EventType.UPLOADER_CREATE_INITIATED, EventType.UPLOADER_THROTTLED):
        event = Event(event_type=kind, case_id=run.case.number, batch_id=run.batch, job_id=run.life.job)
        services.queue.send(steering, [Message(body=event.to_json()), Message(body="no event")])
    run.walk(BRIEF)
    run.to_the_end()
    for kind in (EventType.LOADER_FINISHED, EventType.IMPORT_CANCELLED):
        event = Event(event_type=kind, case_id=run.case.number, batch_id=run.batch, job_id=run.life.job)
        services.queue.send(steering, [Message(body=event.to_json())])
    for _ in range(5):
        run.step()
    assert len(run.told()) == 4 and len(engine.calls) == 2


@pytest.mark.requirement("E4")
def test_e4_a_pdf_that_is_not_there_yet_waits_and_is_left_out_after_the_jobs_end(
    tmp_path: Path, engine: NutrientServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    settings = settings_for(engine, "pdf=eager", "ocr=none")
    with open_case(tmp_path, NAME, settings, create=True) as case, open_services(tmp_path, settings) as services:
        run, driver = Run(case), Driver(case)
        run.begin()
        driver.walk(run.batch, [NOTE])
        for claim in case.store.claim_work(2, 1 << 20, Want(batch=run.batch)):
            driver._extract(claim, driver.items[claim.sha256])  # its PDF is wanted from now on, and not made
        run.until(lambda: run.life.phase is UploaderPhase.STARTED)
        waiting = f"{run.life.queue}-pdf"
        run.until(lambda: services.queue.depth(waiting).total == 1)
        assert "left out" not in caplog.text
        case.store.change_uploader(run.batch, {"is_draining": True})  # as JOB_FINISHED does
        run.until(lambda: "left out" in caplog.text)
        assert services.queue.depth(waiting).total == 0
        run.uploading.close()


@pytest.mark.requirement("E4")
def test_e4_lazy_pdfs_are_never_missing(run: Run, engine: NutrientServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    run.begin(NOTE, BRIEF)
    run.to_the_end()
    assert list(engine.documents.values()) == [b"%PDF brief"] and "left out" not in caplog.text


@pytest.mark.requirement("E5")
def test_e5_an_uploader_waits_its_turn_and_misses_nothing(
    run: Run, engine: NutrientServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as busy:
        busy.setattr(uploader_compute.LocalCompute, "running", lambda _: 21)
        run.begin(BRIEF)
        for _ in range(10):
            run.step()
        assert run.life.phase is UploaderPhase.THROTTLED and not engine.calls
    run.to_the_end()
    assert run.told()[:2] == [EventType.UPLOADER_THROTTLED, EventType.UPLOADER_CREATE_INITIATED]
    assert run.told().count(EventType.UPLOADER_THROTTLED) == 1 and len(engine.documents) == 1


@pytest.mark.requirement("E2")
def test_e2_what_the_engine_refuses_four_times_is_a_dead_letter_that_is_kept_and_told_once(
    run: Run, services: Services, engine: NutrientServer
) -> None:
    engine.faults["load"] = [server.BROKEN, server.REFUSED, server.CUT, server.BUSY]
    run.begin(BRIEF)
    run.to_the_end()
    assert run.life.phase is UploaderPhase.FINISHED and run.life.kept == 1 and not engine.flattened
    [error] = run.events(EventType.ERROR)
    assert error.status == "ERROR" and "429" in error.event_detail["reason"] and len(error.exhibit_ids) == 1
    run.uploading.close()
    name = f"redwell_doc_uploader_{run.case.number}_{run.batch}"
    assert left_behind(services) == [uploader_dead_letters(name)]


@pytest.mark.requirement("E2")
def test_e2_a_flattening_that_takes_too_long_is_told_and_not_tried_again(
    tmp_path: Path, engine: NutrientServer
) -> None:
    engine.silence_s, engine.faults["flatten"] = 1.5, [server.SILENT]
    with open_case(tmp_path, NAME, settings_for(engine, "flatten_s=1"), create=True) as case:
        run = Run(case)
        run.begin(BRIEF, PLAN)
        run.to_the_end()
        run.uploading.close()
        assert len(run.events(EventType.DOCUMENT_UPLOADED)) == 1
        [error] = run.events(EventType.ERROR)
        assert "flatten_s" in error.event_detail["reason"]
        assert [call for call, _ in engine.calls].count("flatten") == 2 and run.life.kept == 0


@pytest.mark.requirement("E1", "D7")
def test_e1_an_uploader_that_cannot_be_made_fails_with_a_warning_and_the_load_goes_on(
    run: Run, services: Services, engine: NutrientServer
) -> None:
    engine.close()
    run.begin(BRIEF)
    run.to_the_end()
    assert run.told()[-1] is EventType.UPLOADER_FAILED and run.life.tries == 4
    assert run.case.store.loaders()[run.batch].uploader is Uploader.FAILED
    [warning] = run.events(EventType.WARNING)
    assert "the load goes on" in warning.event_detail["what"]
    assert EventType.LOADER_FINISHED in [row.type for row in run.case.journal.log.rows()]
    run.uploading.close()
    assert left_behind(services) == []


@pytest.mark.requirement("E1")
@pytest.mark.parametrize("phase", [UploaderPhase.PREPARED, UploaderPhase.CREATING, UploaderPhase.STARTED])
def test_e1_a_cancelled_import_takes_its_uploader_along_wherever_that_is(
    run: Run, services: Services, phase: UploaderPhase
) -> None:
    run.begin()
    run.until(lambda: run.life.phase is phase)
    run.uploading.close()  # as if that process were gone
    cancel(run.case, run.batch)
    assert run.life.phase is UploaderPhase.CANCELLED and run.told()[-1] is EventType.UPLOADER_CANCELLED
    assert left_behind(services) == []


@pytest.mark.requirement("E1")
@pytest.mark.parametrize("phase", [UploaderPhase.CREATING, UploaderPhase.STARTED, UploaderPhase.DELETING])
def test_e1_another_process_goes_on_with_an_uploader_whose_own_is_gone(
    case: Case, engine: NutrientServer, services: Services, phase: UploaderPhase
) -> None:
    first = Run(case)
    first.begin(BRIEF, PLAN)
    first.until(lambda: first.life.phase is phase)
    first.uploading.close()
    second = Run(case)
    second.batch = first.batch
    second.to_the_end()
    second.uploading.close()
    assert second.life.phase is UploaderPhase.FINISHED and len(engine.documents) == 2
    assert len(second.events(EventType.DOCUMENT_UPLOADED)) == 2 and left_behind(services) == []


@pytest.mark.requirement("E1")
@pytest.mark.parametrize("phase", [UploaderPhase.PREPARED, UploaderPhase.STARTED])
def test_e1_a_worker_goes_on_with_what_a_killed_import_has_left_where_nothing_else_is_to_be_done(
    case: Case, engine: NutrientServer, services: Services, phase: UploaderPhase
) -> None:
    killed = Run(case)
    killed.begin(BRIEF, PLAN)
    if phase is not UploaderPhase.PREPARED:
        killed.until(lambda: killed.life.phase is phase)
    killed.uploading.close()
    assert not case.store.open_jobs() and not killed.life.is_over
    tidying = LateTidying(case.home, case.settings)
    tidying.note(case.name)
    until(lambda: not tidying.is_busy)
    tidying.stop()
    assert killed.life.phase is UploaderPhase.FINISHED and len(engine.documents) == 2 and left_behind(services) == []
