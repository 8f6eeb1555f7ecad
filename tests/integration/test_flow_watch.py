"""The flow of events into files is watched: alarms reach the bus and the webhook when they are raised and when over."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from tests.integration.test_telling import SECRET, Endpoint
from tests.support import aws
from tests.support.cases import NAME, Driver, Item

from redwell.core.errors import ServiceUnavailable
from redwell.core.events.event import Event, EventType, Filter
from redwell.core.jobs.job import NewJob
from redwell.ports.messaging.queue import QueueSpec
from redwell.ports.messaging.status_store import StatusStore
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.open_statuses import open_statuses
from redwell.runtime.bootstrap.services.open_services import open_alarm_topic, open_services
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor import status_sink
from redwell.runtime.monitor.flow_watch import FlowWatch
from redwell.runtime.monitor.status_sink import StatusSink
from redwell.runtime.monitor.teller import Teller
from redwell.runtime.upkeep.batches import begin

pytestmark = [pytest.mark.requirement("A16"), pytest.mark.xdist_group("services")]
QUEUE = "alarms"


class Failing:
    """Real files, except while they are away."""

    def __init__(self, store: StatusStore) -> None:
        self._store, self.is_away = store, False
        self.drop_from, self.refuse, self.ask = store.drop_from, store.refuse, store.ask

    def keep(self, case: int, first: int, events: Sequence[Event]) -> None:
        if self.is_away:
            raise ServiceUnavailable("the bucket is away")
        self._store.keep(case, first, events)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as running:
        yield running


@pytest.fixture
def case(tmp_path: Path, endpoint: Endpoint) -> Iterator[Case]:
    settings = Settings(webhook=endpoint.url, webhook_secret=SECRET, monitor="live")
    with open_case(tmp_path, NAME, settings, create=True) as opened:
        batch = begin(opened, ["/evidence"], "files", "Ann", NewJob())
        Driver(opened).walk(batch, [Item("a.txt", b"a", text="a")])
        yield opened


def heard(case: Case) -> list[tuple[str, str]]:
    with open_services(case.home, case.settings) as services:
        got = services.queue.receive(QUEUE)
        services.queue.acknowledge(got)
    details = [Event.from_json(each.body).event_detail for each in got]
    return [(str(each["alarm"]), str(each["state"])) for each in details]


def test_a16_files_that_are_away_raise_alarms_on_the_bus_and_at_the_webhook_and_end_them(
    case: Case, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_services(case.home, case.settings) as services:
        services.queue.create(QueueSpec(name=QUEUE))
        services.bus.subscribe(QUEUE, Filter(event_types=frozenset({EventType.WARNING})))
    store = Failing(open_statuses(case.home, case.settings))
    sink = StatusSink(case.journal, store, at_once=True)
    watch = FlowWatch(case.journal, case.settings, sink)
    later = status_sink._now_ms() / 1000 + 400
    monkeypatch.setattr("redwell.runtime.monitor.flow_watch.time.time", lambda: later)
    store.is_away, endpoint.answers = True, [503] * 3
    with closing(Teller(case.journal, sink)) as teller:
        with pytest.raises(ServiceUnavailable):
            teller.tell()
        watch.look()  # the endpoint is away, too
        watch.look()
        assert heard(case) == [("stale", "raised")] * 2  # told again, since not everybody took it
        store.is_away = False
        teller.tell()
    watch.look()
    told = [body["event"]["eventDetail"] for path, _, body in endpoint.heard if body["answer"] == 200]
    assert [(each["alarm"], each["state"]) for each in told] == [("stale", "raised"), ("stale", "cleared")]
    assert {body["status"] for _, _, body in endpoint.heard} == {"alarm"}
    assert {path for path, _, _ in endpoint.heard} == {"/batches/update/0"}
    watch._resources.close()


def test_a16_in_a_cloud_alarms_have_one_topic_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)
    with open_alarm_topic(tmp_path, Settings(queue="sqs", bus="sns", name_prefix="c2-production")) as topic:
        topic.publish([Event(event_type=EventType.WARNING, case_id=1)])
    with closing(aws.client("sns")) as sns:
        topics = [each["TopicArn"].rpartition(":")[2] for each in sns.list_topics()["Topics"]]
    assert "c2-production-alarms" in topics  # as deploy/aws calls it
