"""A model that is away is waited for and costs no attempts; a question that it can't answer does. Over HTTP."""

import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.integration.test_understanding import GOOD, INVOICE, QUICK, Desk
from tests.support import model_server as faults
from tests.support.model_server import ModelServer

from redwell.adapters.llm.openai import OpenAiModel
from redwell.adapters.sql_queues.queue import SqlQueue, prepare
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.errors import ServiceUnavailable
from redwell.core.understanding.models import ModelChoice
from redwell.core.understanding.states import Status
from redwell.ports.language_model import ModelAway, ModelRefusesAll
from redwell.ports.understanding import Wish
from redwell.runtime.understanding import patient_model
from redwell.runtime.understanding.heartbeat import Heartbeat
from redwell.runtime.understanding.messages import IngestionMessages, ingest_queue
from redwell.runtime.understanding.patient_model import PatientModel
from redwell.runtime.understanding.run import Account, Run
from redwell.understand.pipeline import Document


def answer(question: dict[str, Any]) -> Any:
    form = question["response_format"]["json_schema"]["schema"]["properties"]
    return {"answer": "yes"} if "answer" in form else GOOD(question)


def is_probe(question: dict[str, Any]) -> bool:
    return "answer" in question["response_format"]["json_schema"]["schema"]["properties"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setattr(patient_model, "PAUSE_S", 0.01)
    with ModelServer(answer) as made:
        yield made


class Site(Desk):
    def __init__(self, folder: Path, server: ModelServer) -> None:
        super().__init__(folder, INVOICE)
        self.choice, self.stopping = ModelChoice(kind="openai", name="m", url=server.url), threading.Event()
        self.store.wish([Wish(exhibit=key, uploader="ada") for key in (1, 2, 3)])

    def work(self, away_s: float = 60, slots: int = 1) -> Account:
        model = PatientModel(OpenAiModel(self.choice, "", QUICK), away_s, self.stopping)
        try:
            run = Run(self.tools(model, self.choice), slots=slots, stopping=self.stopping)
            return run.until_none_is_left()
        finally:
            model.close()

    def attempts(self) -> list[tuple[Status, int]]:
        return [(each.status, each.attempt) for key in (1, 2, 3) for each in self.store.ingestions(key)]


@pytest.mark.requirement("B7")
@pytest.mark.parametrize("slots", [1, 3])
def test_an_outage_is_waited_out_said_once_and_costs_no_attempt(
    tmp_path: Path, server: ModelServer, caplog: pytest.LogCaptureFixture, slots: int
) -> None:
    site = Site(tmp_path, server)
    server.faults = [faults.BROKEN, faults.BUSY] * 8
    with caplog.at_level(logging.WARNING):
        assert site.work(slots=slots).completed == 3
    assert site.attempts() == [(Status.COMPLETED, 1)] * 3
    said = [record.getMessage() for record in caplog.records if "waited for" in record.getMessage()]
    assert len(said) == 1 and sum("back after" in record.getMessage() for record in caplog.records) == 1
    probes = [each for each in server.asked if is_probe(each)]
    assert probes and not any("INV-7" in str(each) for each in probes), "no evidence is sent to find out"


def test_a_model_that_stays_away_leaves_everything_open_for_a_later_run(tmp_path: Path, server: ModelServer) -> None:
    site = Site(tmp_path, server)
    server.faults = [faults.BROKEN] * 1_000
    with pytest.raises(ModelAway, match="model_away_s"):
        site.work(away_s=0.05)
    assert site.attempts() == [(Status.IN_PROGRESS, 0)] * 3
    server.faults = []
    site.stopping.clear()
    assert site.work().completed == 3 and site.attempts() == [(Status.COMPLETED, 1)] * 3


def test_whoever_is_told_to_stop_does_not_wait_for_the_model(tmp_path: Path, server: ModelServer) -> None:
    site = Site(tmp_path, server)
    server.breaks = lambda question: site.stopping.set() is None if is_probe(question) else True
    with pytest.raises(ModelAway):
        site.work()
    assert site.attempts() == [(Status.IN_PROGRESS, 0)] * 3


def test_a_wrong_key_stops_the_run_and_fails_no_document(tmp_path: Path, server: ModelServer) -> None:
    site = Site(tmp_path, server)
    server.faults = [faults.DENIED] * 1_000
    with pytest.raises(ModelRefusesAll, match="redwell model show"):
        site.work()
    assert site.attempts() == [(Status.IN_PROGRESS, 0)] * 3


def test_one_question_that_breaks_the_model_costs_its_document_alone(tmp_path: Path, server: ModelServer) -> None:
    site = Site(tmp_path, server)

    def document(exhibit: int) -> Document:
        text = INVOICE + "poison" if exhibit == 1 else INVOICE
        return Document(exhibit=exhibit, row=Desk.document(site, exhibit).row, text=text)

    server.breaks = lambda question: "poison" in str(question)
    site.document = document  # type: ignore[method-assign]
    assert site.work() == Account(completed=2, failed=1, tried_again=2, flagged=2)
    assert site.attempts() == [(Status.FAILED, 3), (Status.COMPLETED, 1), (Status.COMPLETED, 1)]


def test_a_store_of_bytes_that_is_away_costs_no_attempt_either(tmp_path: Path, server: ModelServer) -> None:
    site = Site(tmp_path, server)

    def document(exhibit: int) -> Document:
        raise ServiceUnavailable("the bucket does not answer")

    site.document = document  # type: ignore[method-assign]
    with pytest.raises(ServiceUnavailable):
        site.work()
    assert site.attempts() == [(Status.IN_PROGRESS, 0)] * 3


@pytest.mark.requirement("B3")
def test_messages_of_a_run_that_an_outage_ends_are_anybodys_at_once(tmp_path: Path, server: ModelServer) -> None:
    site, database = Site(tmp_path, server), SqliteDatabase(tmp_path / "queues.sqlite")
    prepare(database)
    queue, name = SqlQueue(database), ingest_queue("redwell", 1)
    messages = IngestionMessages(queue, name, site.store)
    assert messages.sweep() == 3

    def document(exhibit: int) -> Document:
        raise ServiceUnavailable("the bucket does not answer")

    site.document = document  # type: ignore[method-assign]
    with Heartbeat(site.store) as heart, pytest.raises(ServiceUnavailable):
        messages.poll(Run(site.tools()), heart, wait_s=0)
    assert len(queue.receive(name, 10, wait_s=0)) == 3 and site.attempts() == [(Status.IN_PROGRESS, 0)] * 3
