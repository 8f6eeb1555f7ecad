"""Who hears of a case's events, from when on, and what waits for those who are away (runtime.monitor)."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.cases import LETTER, PAIR, Driver, imported
from tests.support.engine import until

from redwell.core.errors import ServiceUnavailable
from redwell.core.events.event import Event, EventType, Filter
from redwell.core.events.joined import events_in
from redwell.core.events.webhooks import LISTENER, STATUSES
from redwell.core.jobs.job import NewJob
from redwell.ports.messaging.endpoint import Refused
from redwell.ports.messaging.queue import QueueSpec
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.services.open_services import Services, open_services
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.late_telling import LateTelling
from redwell.runtime.monitor.publisher import Consumer, Publisher
from redwell.runtime.monitor.teller import Listener, Teller
from redwell.runtime.monitor.webhook import Webhook
from redwell.runtime.upkeep.batches import begin

ALL = "t_listener"


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with open_case(tmp_path / "home", "case", Settings(), create=True) as made:
        yield made


def tell(case: Case, listener: Listener) -> float:
    with closing(Teller(case.journal, listener)) as teller:
        return teller.tell()


def untold(case: Case) -> int:
    """What the endpoint was not there to hear."""
    return case.rows.untold(LISTENER, [str(kind) for kind in STATUSES])


def subscribed(services: Services, wanted: Filter | None = None) -> None:
    services.queue.create(QueueSpec(name=ALL))
    services.bus.subscribe(ALL, wanted or Filter())


def heard(services: Services, queue: str = ALL) -> list[Event]:
    events: list[Event] = []
    while some := services.queue.receive(queue, 100):
        events += [event for each in some for event in events_in(each.body)]
        services.queue.acknowledge(some)
    return sorted(events, key=lambda event: event.id)


def journal_of(case: Case) -> list[Event]:
    return sorted(case.journal.log.unpack(case.journal.log.rows()), key=lambda event: event.id)


@pytest.mark.requirement("A18")
def test_a18_who_has_subscribed_hears_of_every_document_and_task(case: Case) -> None:
    with open_services(case.home, case.settings) as services:
        subscribed(services)
        imported(case, [LETTER, PAIR])
        tell(case, Publisher(case.journal, case.settings))
        assert heard(services) == journal_of(case)


@pytest.mark.requirement("A18")
def test_a18_an_event_that_is_told_twice_has_the_same_id(case: Case) -> None:
    """The process died after it had told them and before it had noted so."""
    with open_services(case.home, case.settings) as services:
        subscribed(services)
        imported(case, [LETTER, PAIR])
        tell(case, Publisher(case.journal, case.settings))
        first = heard(services)
        case.journal.log.tell_up_to("bus", 0)
        tell(case, Publisher(case.journal, case.settings))
        assert heard(services) == first


@pytest.mark.requirement("A2")
def test_a2_who_is_the_first_to_subscribe_in_the_middle_of_a_batch_hears_of_it_from_its_beginning(case: Case) -> None:
    batch = begin(case, ["/evidence"], "files", None, NewJob())
    tell(case, Publisher(case.journal, case.settings))
    driver = Driver(case)
    driver.walk(batch, [LETTER])
    tell(case, Publisher(case.journal, case.settings))
    with open_services(case.home, case.settings) as services:
        subscribed(services)
        driver.work(batch)
        tell(case, Publisher(case.journal, case.settings))
        assert heard(services) == journal_of(case)


def test_nobody_is_told_of_batches_that_were_over_before_anybody_listened(case: Case) -> None:
    imported(case, [LETTER])
    tell(case, Publisher(case.journal, case.settings))
    with open_services(case.home, case.settings) as services:
        subscribed(services)
        second = imported(case, [PAIR])
        tell(case, Publisher(case.journal, case.settings))
        assert {event.batch_id for event in heard(services)} == {second}


def test_a_home_whose_events_nobody_asked_for_gets_no_file_for_services(case: Case) -> None:
    imported(case, [LETTER])
    tell(case, Publisher(case.journal, case.settings))
    assert not (case.home / "services.sqlite").exists()


@pytest.mark.requirement("A2")
def test_a2_a_consumer_of_a_batch_has_its_queue_before_the_first_event(case: Case) -> None:
    """Whoever began to work meanwhile: it gets all that it wants, of its batch alone, and once."""
    loader = Consumer(
        queue=lambda prefix, number, batch: f"{prefix}_doc_loader_{number}_{batch}",
        types=frozenset({EventType.JOB_QUEUED, EventType.DOCUMENT_PROCESSED}),
    )
    first, second = imported(case, [LETTER]), imported(case, [PAIR])
    tell(case, Publisher(case.journal, case.settings, [loader]))
    with open_services(case.home, case.settings) as services:
        for batch in (first, second):
            name = f"redwell_doc_loader_{case.number}_{batch}"
            wanted = [e for e in journal_of(case) if e.batch_id == batch and e.event_type in loader.types]
            assert heard(services, name) == wanted
            assert services.queue.tags(name) == {"batch": str(batch), "job": str(batch), "subscription": name}


def test_only_types_that_somebody_wants_are_told(case: Case) -> None:
    with open_services(case.home, case.settings) as services:
        subscribed(services, Filter(event_types=frozenset({EventType.JOB_FINISHED})))
        imported(case, [LETTER])
        tell(case, Publisher(case.journal, case.settings))
        assert [event.event_type for event in heard(services)] == [EventType.JOB_FINISHED]


class Ears:
    """An endpoint that answers as it is told."""

    def __init__(self, *answers: Exception | None) -> None:
        self.answers, self.heard = list(answers), list[str]()

    def post(self, event: Event, case: str) -> None:
        answer = self.answers.pop(0) if self.answers else None
        if answer:
            raise answer
        self.heard.append(event.event_type)

    def close(self) -> None:
        pass


WORDS = [EventType.JOB_QUEUED, EventType.JOB_FINISHED, EventType.LOADER_FINISHED]


@pytest.mark.requirement("A14")
def test_a14_the_endpoint_hears_of_batches_and_of_nothing_else(case: Case) -> None:
    imported(case, [LETTER, PAIR])
    ears = Ears()
    tell(case, Webhook(case.journal, ears))
    assert ears.heard == WORDS
    tell(case, Webhook(case.journal, ears))
    assert ears.heard == WORDS


@pytest.mark.requirement("A14")
def test_a14_an_endpoint_that_is_away_is_told_the_rest_later_and_nothing_twice(case: Case) -> None:
    imported(case, [LETTER, PAIR])
    ears = Ears(None, ServiceUnavailable("away"))
    with pytest.raises(ServiceUnavailable):
        tell(case, Webhook(case.journal, ears))
    assert untold(case) == 2
    tell(case, Webhook(case.journal, ears))
    assert (ears.heard, untold(case)) == (WORDS, 0)


@pytest.mark.requirement("A14")
def test_a14_what_the_endpoint_refuses_is_parked(case: Case) -> None:
    imported(case, [LETTER])
    ears = Ears(Refused("it answered 400"))
    tell(case, Webhook(case.journal, ears))
    assert ears.heard == WORDS[1:]
    [parked] = case.journal.log.parked()
    assert (parked.type, parked.detail) == (EventType.JOB_QUEUED, "it answered 400")


@pytest.mark.requirement("A14")
def test_a14_events_that_are_not_for_the_endpoint_cost_no_transaction_each(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported(case, [LETTER, PAIR])
    rows = case.journal.log.rows()
    marks = list(Webhook(case.journal, Ears()).hear(rows))
    assert marks == [row.id for row in rows if row.type in WORDS] + [rows[-1].id] * (rows[-1].type not in WORDS)


def test_one_process_at_a_time_tells_a_listener(case: Case) -> None:
    imported(case, [LETTER])
    first, second = Ears(), Ears()
    with closing(Teller(case.journal, Webhook(case.journal, first))) as teller:
        teller.tell()
        imported(case, [PAIR])
        tell(case, Webhook(case.journal, second))
        teller.tell()
    assert (len(first.heard), second.heard) == (6, [])


def test_what_is_left_when_the_work_ends_is_said_and_left_to_others(
    case: Case, caplog: pytest.LogCaptureFixture
) -> None:
    imported(case, [LETTER])
    left: list[bool] = []
    ears = Ears(*[ServiceUnavailable("away")] * 10)
    teller = Teller(case.journal, Webhook(case.journal, ears), 0.0, lambda: left.append(True))
    teller.stop()
    teller.run()
    assert left == [True]
    assert "the next import or worker of the case tells the rest" in caplog.text
    assert untold(case) == 3


@pytest.mark.requirement("A14")
def test_a14_a_worker_tells_what_was_left_of_cases_that_nobody_works_on(case: Case, tmp_path: Path) -> None:
    """As soon as the endpoint is back, and it says that it waits for it once."""
    imported(case, [LETTER])
    ears = Ears(*[ServiceUnavailable("away")] * 2)
    late = LateTelling(case.settings, lambda journal, _: [Webhook(journal, ears)])
    late.note(case.name, case.folder)
    until(lambda: ears.heard == WORDS)
    late.stop()
    assert untold(case) == 0
