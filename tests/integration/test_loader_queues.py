"""The loader's queue of a batch, over the real SQL queue and bus: made first, heard, redriven, taken down."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support import aws
from tests.support.cases import LETTER, NAME, PAIR, Driver
from tests.support.product import ask

from redwell.core.errors import ServiceUnavailable
from redwell.core.events.event import EventType
from redwell.core.jobs.job import NewJob
from redwell.core.jobs.loader_life import Phase, Uploader
from redwell.core.jobs.queue_names import loader_dead_letters
from redwell.core.work.attempts import LOADER_REDRIVES
from redwell.ports.messaging.queue import Message, NoSuchQueue
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.services.open_services import Services, open_services
from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.delivery import loader_queues
from redwell.runtime.delivery.loader_queues import LoaderQueues
from redwell.runtime.monitor.publisher import Publisher
from redwell.runtime.monitor.teller import Teller
from redwell.runtime.upkeep.batches import begin
from redwell.runtime.upkeep.cancel import cancel

SETTINGS = load_settings(["queue=sql", "delay_percent=0"], environ={})


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with open_case(tmp_path, NAME, SETTINGS, create=True) as opened:
        yield opened


@pytest.fixture
def services(case: Case) -> Iterator[Services]:
    with open_services(case.home, SETTINGS) as opened:
        yield opened


def begun(case: Case) -> int:
    batch = begin(case, ["/evidence"], "files", "Ann", NewJob())
    case.store.start_job(batch, case.worker, {})
    return batch


def work(case: Case, batch: int) -> None:
    driver = Driver(case)
    driver.walk(batch, [LETTER, PAIR])
    driver.work(batch)


def told(case: Case) -> list[EventType]:
    kinds = [row.type for row in case.journal.log.rows()]
    return [kind for kind in kinds if kind.startswith(("LOADER_", "BATCH_"))]


@pytest.mark.requirement("A2")
def test_a2_the_queue_is_there_and_hears_every_document_and_goes_at_the_end(case: Case, services: Services) -> None:
    batch, queues = begun(case), LoaderQueues(case, services)
    queues.look(case.store.open_jobs())
    name = case.store.loaders()[batch].queue
    assert name == f"redwell_doc_loader_{case.number}_{batch}" and services.bus.wanted()
    work(case, batch)
    Teller(case.journal, Publisher(case.journal, SETTINGS)).tell()
    assert services.queue.depth(name).total > 0  # the documents, before anybody has listened
    assert EventType.LOADER_FINISHED not in told(case)  # the queue is still there
    queues.close_down(batch)
    assert case.store.loaders()[batch].phase is Phase.COMPLETE and not services.bus.wanted()
    with pytest.raises(NoSuchQueue):
        services.queue.depth(name)
    assert told(case)[0] is EventType.LOADER_STARTED and told(case)[-1] is EventType.LOADER_FINISHED
    queues.close_down(batch)
    assert told(case).count(EventType.LOADER_FINISHED) == 1


@pytest.mark.requirement("A2")
def test_a2_the_loader_has_its_queue_where_the_bus_delivers_though_tasks_travel_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tasks through SQS, events through tables."""
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)
    settings = load_settings(["queue=sqs", "bus=sql", "delay_percent=0", f"name_prefix={tmp_path.name[:20]}"], {})
    with open_case(tmp_path, NAME, settings, create=True) as case, open_services(case.home, settings) as services:
        batch, queues = begun(case), LoaderQueues(case, services)
        queues.look(case.store.open_jobs())
        name = case.store.loaders()[batch].queue
        work(case, batch)
        Teller(case.journal, Publisher(case.journal, settings)).tell()
        assert services.heard.depth(name).total > 0 and services.queue.names(name) == []
        queues.close_down(batch)
        assert case.store.loaders()[batch].phase is Phase.COMPLETE
        with pytest.raises(NoSuchQueue):
            services.heard.depth(name)


@pytest.mark.requirement("D5")
def test_d5_dead_letters_are_redriven_twice_then_kept_and_told(case: Case, services: Services) -> None:
    batch, queues = begun(case), LoaderQueues(case, services)
    queues.look(case.store.open_jobs())
    name = case.store.loaders()[batch].queue
    services.queue.send(name, [Message(body='{"no": "event"}')])
    work(case, batch)
    queues.close_down(batch)
    life = case.store.loaders()[batch]
    assert (life.redrives, life.phase, life.queue) == (2, Phase.COMPLETE, "")
    assert services.queue.depth(loader_dead_letters(name)).total == 1
    assert case.rows.loaders()[batch].kept == 1
    [shown] = ask(case.home, "parked", "list", "--case", NAME).stdout.splitlines()
    assert shown.endswith(f"1 messages that its loader could not take, in {loader_dead_letters(name)}")
    [warning] = [row for row in case.journal.log.rows() if row.type is EventType.WARNING]
    assert warning.packed.detail["messages"] == 1
    notes = [row.packed.detail for row in case.journal.log.rows() if row.type is EventType.NOTIFICATION]
    passes = [note for note in notes if "dlq_redrive_count" in note]
    assert [(each["dlq_redrive_count"], each["dlq_final_pass"]) for each in passes] == [(1, False), (2, True)]
    assert "missing" not in passes[0] and passes[1]["missing"] == []


@pytest.mark.requirement("D5")
def test_d5_what_is_not_loaded_at_the_last_chance_is_named_and_forgiven(case: Case) -> None:
    batch = begun(case)
    Driver(case).walk(batch, [LETTER, PAIR])
    for _ in range(LOADER_REDRIVES):
        case.store.redriven(batch, LOADER_REDRIVES)
    notes = [row.packed.detail for row in case.journal.log.rows() if row.type is EventType.NOTIFICATION]
    [missing] = [note["missing"] for note in notes if note.get("dlq_final_pass")]
    assert sorted(missing) == ["letter.txt", "pair.zip"]


@pytest.mark.requirement("D11")
def test_d11_the_start_of_a_loader_is_told_when_its_queue_is_there(tmp_path: Path) -> None:
    """By a whole import: the names of queues are those that the event tells."""
    folder = tmp_path / "evidence"
    folder.mkdir()
    (folder / "a.txt").write_text("coating")
    ask(tmp_path / "home", "import", str(folder), "--case", NAME, "--set", "queue=sql", "--set", "delay_percent=0")
    with open_case(tmp_path / "home", NAME, SETTINGS) as opened:
        [started] = [row.packed.detail for row in opened.journal.log.rows() if row.type is EventType.LOADER_STARTED]
        assert started == {"queue": f"redwell_doc_loader_{opened.number}_1"}


def test_a_step_of_the_teardown_that_fails_stops_no_other_and_is_done_again(
    case: Case, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, queues = begun(case), LoaderQueues(case, services)
    queues.look(case.store.open_jobs())
    name = case.store.loaders()[batch].queue
    work(case, batch)

    def away(_queue: str) -> None:
        raise ServiceUnavailable("the bus is away")

    with monkeypatch.context() as broken:
        broken.setattr(services.bus, "unsubscribe", away)
        queues.look(())
        queues.look(())
    with pytest.raises(NoSuchQueue):
        services.queue.depth(name)  # the queue went, though the subscription stayed
    assert case.store.loaders()[batch].phase is Phase.ENDED
    queues.close_down(batch)
    assert case.store.loaders()[batch].phase is Phase.COMPLETE and not services.bus.wanted()


@pytest.mark.requirement("D7")
@pytest.mark.parametrize("stage", ["queued", "started", "listening", "walked"])
def test_d7_a_batch_cancelled_at_any_stage_leaves_no_queue_and_says_so_once(
    case: Case, services: Services, stage: str
) -> None:
    batch = begin(case, ["/evidence"], "files", "Ann", NewJob())
    if stage != "queued":
        case.store.start_job(batch, case.worker, {})
    if stage in ("listening", "walked"):
        LoaderQueues(case, services).look(case.store.open_jobs())
    if stage == "walked":
        Driver(case).walk(batch, [LETTER])
    cancel(case, batch)
    cancel(case, batch)
    assert case.store.loaders()[batch].phase is Phase.CANCELLED and not services.bus.wanted()
    assert told(case).count(EventType.LOADER_CANCELLED) == 1 and EventType.LOADER_FINISHED not in told(case)


@pytest.mark.parametrize("point", ["loader.before_open", "loader.before_redrive", "loader.before_cleared"])
def test_a_kill_at_any_point_leaves_an_end_that_the_next_one_brings_about_once(
    case: Case, services: Services, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """The kill is an exception here: like one, it loses what was not committed."""
    batch = begun(case)
    armed = {point}

    def trip(name: str) -> None:
        if name in armed:
            armed.clear()
            raise KeyboardInterrupt

    for module in (loader_queues, _module("redwell.adapters.sql_jobs.loader_store")):
        monkeypatch.setattr(module, "trip", trip)
    _through(lambda: LoaderQueues(case, services).look(case.store.open_jobs()))
    services.queue.send(case.store.loaders()[batch].queue, [Message(body="{}")])
    work(case, batch)
    for _ in range(2):
        _through(lambda: LoaderQueues(case, services).close_down(batch))
    assert not armed
    assert case.store.loaders()[batch].phase is Phase.COMPLETE
    assert told(case).count(EventType.LOADER_FINISHED) == 1 and told(case).count(EventType.LOADER_STARTED) == 1


def _module(name: str) -> object:
    import importlib

    return importlib.import_module(name)


def _through(step: object) -> None:
    for _ in range(2):
        try:
            step()  # type: ignore[operator]
            return
        except KeyboardInterrupt:
            continue


def test_the_uploaders_word_is_kept_and_its_failure_is_told_once(case: Case) -> None:
    batch = begun(case)
    for status in (Uploader.STARTED, Uploader.FAILED, Uploader.FAILED):
        case.store.uploader_said(batch, status)
    assert case.store.loaders()[batch].uploader is Uploader.FAILED
    warnings = [row for row in case.journal.log.rows() if row.type is EventType.WARNING]
    assert len(warnings) == 1


def test_without_queues_the_whole_life_is_in_the_import_itself(tmp_path: Path) -> None:
    with open_case(tmp_path, NAME, load_settings(environ={}), create=True) as case:
        batch = begun(case)
        work(case, batch)
        assert case.store.loaders()[batch].phase is Phase.COMPLETE
        assert told(case)[-2:] == [EventType.BATCH_END_FINISHED, EventType.LOADER_FINISHED]
