"""What a queue must stand: cut connections, a server that restarts or is not there, one that asks for patience."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeVar

import pytest
from tests.support.proxy import Proxy
from tests.support.services import BEHIND_PROXY, RESTART, Services, aws_behind_proxy

from redwell.core.errors import Recoverable, ServiceUnavailable
from redwell.ports.messaging.queue import Delivery, Message, Queue, QueueSpec

WAIT_S = 20
T = TypeVar("T")


@pytest.fixture(params=BEHIND_PROXY)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def disturbed(kind: str) -> Iterator[tuple[Services, Proxy]]:
    with BEHIND_PROXY[kind]() as opened:
        yield opened


@pytest.fixture
def queue(disturbed: tuple[Services, Proxy]) -> Queue:
    return disturbed[0].queue()


@pytest.fixture
def work(disturbed: tuple[Services, Proxy], queue: Queue) -> str:
    name = disturbed[0].name("work")
    queue.create(QueueSpec(name=name, lease_s=2))
    return name


def until_done(call: Callable[[], T]) -> T:
    """As every caller does: what is Recoverable is tried again."""
    for _ in range(20):
        with suppress(Recoverable):
            return call()
    return call()


def drain(queue: Queue, name: str) -> set[str]:
    """Everything there is, acknowledged."""
    got: set[str] = set()

    def receive() -> list[Delivery]:
        return queue.receive(name, 10, wait_s=3)

    while some := until_done(receive):
        until_done(lambda held=some: queue.acknowledge(held))  # type: ignore[misc]
        got |= {each.body for each in some}
    return got


def test_a_cut_connection_loses_no_message(disturbed: tuple[Services, Proxy], queue: Queue, work: str) -> None:
    _, proxy = disturbed
    for n in range(8):
        if n % 2:
            proxy.cut()
        until_done(lambda body=str(n): queue.send(work, [Message(body=body)]))  # type: ignore[misc]
    held = until_done(lambda: queue.receive(work, 3, wait_s=WAIT_S))
    proxy.cut()
    until_done(lambda: queue.extend(held, 2))
    proxy.cut()
    assert drain(queue, work) | {each.body for each in held} == {str(n) for n in range(8)}


def test_messages_outlive_a_restart_of_the_server(
    disturbed: tuple[Services, Proxy], kind: str, queue: Queue, work: str
) -> None:
    queue.send(work, [Message(body=str(n)) for n in range(8)])
    held = queue.receive(work, 3, wait_s=WAIT_S)
    RESTART[kind]()
    until_done(lambda: queue.send(work, [Message(body="after")]))
    until_done(lambda: queue.acknowledge(held))
    assert drain(queue, work) | {each.body for each in held} == {*map(str, range(8)), "after"}


@pytest.mark.requirement("F3")
def test_a_server_that_is_not_there_is_recoverable(disturbed: tuple[Services, Proxy], queue: Queue, work: str) -> None:
    """Five attempts, then an error whose class says: come again."""
    _, proxy = disturbed
    proxy.refusing = True
    proxy.cut()
    with pytest.raises(Recoverable):
        queue.send(work, [Message(body="x")])
    proxy.refusing = False
    until_done(lambda: queue.send(work, [Message(body="there again")]))
    assert "there again" in drain(queue, work)


def test_a_service_that_asks_for_patience_gets_it() -> None:
    with aws_behind_proxy() as (services, proxy):
        queue, name = services.queue(), services.name("work")
        queue.create(QueueSpec(name=name))
        proxy.throttle(2)
        queue.send(name, [Message(body="patient")])
        assert [each.body for each in queue.receive(name, wait_s=WAIT_S)] == ["patient"]
        before = proxy.accepted
        proxy.throttle(100)
        with pytest.raises(ServiceUnavailable, match="patience"):
            queue.send(name, [Message(body="x")])
        assert proxy.accepted - before == 5  # F3: attempts
