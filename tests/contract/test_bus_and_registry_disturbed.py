"""What a bus and a registry must stand: cut connections, a server that restarts or is not there."""

from collections.abc import Iterator

import pytest
from tests.contract.test_queue_disturbed import until_done
from tests.support.proxy import Proxy
from tests.support.services import BEHIND_PROXY, RESTART, Services

from redwell.core.errors import Recoverable
from redwell.core.events.event import Event, Filter
from redwell.core.jobs.worker_services import Service, Status
from redwell.ports.messaging.queue import QueueSpec
from redwell.runtime.cluster.service_claims import claim


@pytest.fixture(params=BEHIND_PROXY)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def disturbed(kind: str) -> Iterator[tuple[Services, Proxy]]:
    with BEHIND_PROXY[kind]() as opened:
        yield opened


def test_an_event_published_again_after_a_cut_or_a_restart_arrives(
    disturbed: tuple[Services, Proxy], kind: str
) -> None:
    services, proxy = disturbed
    queue, bus, name = services.queue(), services.bus(), services.name("events")
    queue.create(QueueSpec(name=name, lease_s=60))
    bus.subscribe(name, Filter(case_ids=frozenset({7})))
    sent = [Event(event_type="DOCUMENT_PROCESSED", case_id=7, batch_id=n) for n in range(4)]
    for event in sent:
        proxy.cut()
        until_done(lambda event=event: bus.publish([event]))  # type: ignore[misc]
    RESTART[kind]()
    last = Event(event_type="JOB_FINISHED", case_id=7)
    until_done(lambda: bus.publish([last]))
    got: dict[str, Event] = {}
    while some := until_done(lambda: queue.receive(name, 10, wait_s=2)):
        got |= {event.id: event for event in (Event.from_json(each.body) for each in some)}
    assert got == {event.id: event for event in (*sent, last)}


def test_a_claim_made_over_cut_connections_is_there_once(disturbed: tuple[Services, Proxy], kind: str) -> None:
    services, proxy = disturbed
    registry = services.registry()
    for name in ("a", "b"):
        proxy.cut()
        until_done(lambda name=name: registry.add(Service(id=name)))  # type: ignore[misc]
    proxy.cut()
    until_done(lambda: claim(registry, case=7, job=1, worker_limit=0))
    RESTART[kind]()
    until_done(lambda: claim(registry, case=7, job=2, worker_limit=0))
    [busy] = until_done(lambda: registry.find(status=Status.BUSY))
    assert (busy.case, busy.jobs) == (7, {1, 2})


def test_a_server_that_is_not_there_is_recoverable(disturbed: tuple[Services, Proxy]) -> None:
    services, proxy = disturbed
    bus, registry = services.bus(), services.registry()
    proxy.refusing = True
    proxy.cut()
    with pytest.raises(Recoverable):
        registry.find()
    with pytest.raises(Recoverable):
        bus.publish([Event(event_type="ERROR", case_id=1)])
