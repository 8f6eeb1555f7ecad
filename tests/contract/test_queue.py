"""What every queue promises (ports.messaging.queue). An adapter joins by an entry in tests/support/services.py."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.support.services import Services

from redwell.core.jobs.queue_names import LONGEST
from redwell.ports.messaging.queue import (
    LARGEST_BYTES,
    LONGEST_DELAY_S,
    Delivery,
    Message,
    NoSuchQueue,
    Queue,
    QueueSpec,
)

LONG_S = 60  # nothing of a test takes so long
WAIT_S = 20


@pytest.fixture
def work(queue: Queue, services: Services) -> str:
    """A queue with a lease that no test outlives."""
    queue.create(QueueSpec(name=services.name("work"), lease_s=LONG_S))
    return services.name("work")


def send(queue: Queue, name: str, *bodies: str, delay_s: int = 0) -> None:
    queue.send(name, [Message(body=body, delay_s=delay_s) for body in bodies])


def bodies(deliveries: list[Delivery]) -> list[str]:
    return sorted(each.body for each in deliveries)


def one(queue: Queue, name: str, wait_s: int = WAIT_S, lease_s: int | None = None) -> Delivery:
    [delivery] = queue.receive(name, 1, wait_s=wait_s, lease_s=lease_s)
    return delivery


def test_every_message_sent_is_received_with_its_body(queue: Queue, work: str) -> None:
    sent = [f'{{"n": {n}, "text": "Prüfstand - 試験 \U0001f4dc"}}' for n in range(25)]
    send(queue, work, *sent)
    received = queue.receive(work, 25, wait_s=1)
    assert bodies(received) == sorted(sent)
    assert {(each.queue, each.received) for each in received} == {(work, 1)}
    assert len({each.id for each in received}) == len({each.receipt for each in received}) == 25


def test_a_message_that_is_acknowledged_never_comes_again(queue: Queue, work: str) -> None:
    send(queue, work, "a", "b")
    received = queue.receive(work, 2, lease_s=1)
    assert queue.acknowledge(received) == []
    assert queue.receive(work, wait_s=2) == []
    assert queue.depth(work).total == 0


@pytest.mark.requirement("A10")
def test_a_leased_message_is_nobody_elses_until_its_lease_ends(services: Services, queue: Queue, work: str) -> None:
    """A dead worker's task is visible again when its lease is over."""
    send(queue, work, "task")
    assert one(queue, work, lease_s=2).received == 1
    other = services.queue()
    assert other.receive(work) == []
    assert one(other, work).received == 2


def test_a_lease_that_is_extended_goes_on(services: Services, queue: Queue, work: str) -> None:
    send(queue, work, "task")
    held = one(queue, work, lease_s=1)
    assert queue.extend([held], LONG_S) == []
    assert services.queue().receive(work, wait_s=2) == []
    assert queue.acknowledge([held]) == []


def test_the_lease_is_the_queues_own_where_none_is_given(services: Services, queue: Queue) -> None:
    name = services.name("brief")
    queue.create(QueueSpec(name=name, lease_s=1))
    send(queue, name, "task")
    assert one(queue, name).received == 1
    assert one(queue, name).received == 2


def test_a_message_given_back_is_received_at_once(queue: Queue, work: str) -> None:
    send(queue, work, "task")
    assert queue.give_back([one(queue, work)]) == []
    assert one(queue, work).received == 2


def test_a_message_given_back_with_a_delay_comes_later(queue: Queue, work: str) -> None:
    send(queue, work, "task")
    assert queue.give_back([one(queue, work)], delay_s=2) == []
    assert queue.receive(work) == []
    assert queue.depth(work).leased == 1
    assert one(queue, work).received == 2


def test_a_message_sent_with_a_delay_comes_after_later_ones(queue: Queue, work: str) -> None:
    """Late delivery: order is not promised."""
    send(queue, work, "late", delay_s=2)
    send(queue, work, "early")
    assert bodies(queue.receive(work, 10, wait_s=1)) == ["early"]
    assert queue.depth(work).delayed == 1
    assert one(queue, work).body == "late"


@pytest.mark.requirement("B9")
def test_a_waiting_receiver_gets_what_arrives_meanwhile(services: Services, queue: Queue, work: str) -> None:
    """Long poll."""
    sender = threading.Timer(0.3, lambda: send(services.queue(), work, "now"))
    sender.start()
    assert one(queue, work).body == "now"
    sender.join()


def test_the_same_body_sent_twice_is_two_messages(queue: Queue, work: str) -> None:
    """Duplicate delivery: what must not be done twice is fenced in the ledger, not here."""
    send(queue, work, "same", "same")
    received = queue.receive(work, 10, wait_s=1)
    assert bodies(received) == ["same", "same"]
    assert queue.acknowledge(received[:1]) == []
    assert queue.give_back(received[1:]) == []
    assert one(queue, work).body == "same"


def test_an_acknowledgement_after_the_lease_takes_nothing_from_the_next_holder(
    services: Services, queue: Queue, work: str
) -> None:
    send(queue, work, "task")
    late = one(queue, work, lease_s=1)
    other = services.queue()
    holder = one(other, work)
    assert holder.received == 2
    assert queue.acknowledge([late]) == [late]
    assert queue.extend([late], LONG_S) == [late]
    assert queue.give_back([late]) == [late]
    assert other.receive(work) == []
    assert other.give_back([holder]) == []
    assert one(other, work).received == 3


def test_an_acknowledgement_after_the_lease_that_nobody_else_took_is_harmless(queue: Queue, work: str) -> None:
    send(queue, work, "task")
    held = one(queue, work, lease_s=1)
    while not queue.depth(work).waiting:
        time.sleep(0.05)
    if queue.acknowledge([held]):
        assert queue.acknowledge([one(queue, work)]) == []
    assert queue.receive(work) == []


def test_acknowledging_twice_is_harmless(queue: Queue, work: str) -> None:
    send(queue, work, "a", "b")
    first, second = queue.receive(work, 2)
    queue.acknowledge([first])
    queue.acknowledge([first, second])
    assert queue.depth(work).total == 0


@pytest.mark.requirement("D9")
def test_only_what_failed_of_a_delivery_comes_again(queue: Queue, work: str) -> None:
    """The failed items of a delivery, never the whole."""
    send(queue, work, *"abcdefghijklmno")
    received = queue.receive(work, 15)
    failed = [each for each in received if each.body in "ceg"]
    assert queue.acknowledge([each for each in received if each not in failed]) == []
    assert queue.give_back(failed) == []
    assert bodies(queue.receive(work, 15)) == ["c", "e", "g"]


def test_deliveries_of_several_queues_are_settled_together(services: Services, queue: Queue, work: str) -> None:
    other = services.name("other")
    queue.create(QueueSpec(name=other, lease_s=LONG_S))
    send(queue, work, "a", "b")
    send(queue, other, "c")
    assert queue.acknowledge([*queue.receive(work, 2), *queue.receive(other)]) == []
    assert queue.depth(work).total + queue.depth(other).total == 0


@pytest.mark.requirement("A5")
def test_what_is_received_too_often_becomes_a_dead_letter_and_can_be_redriven(
    services: Services, queue: Queue, work: str
) -> None:
    """The queue's own limit is a backstop for broken messages."""
    dead, name = services.name("dead"), services.name("limited")
    queue.create(QueueSpec(name=dead, lease_s=LONG_S))
    queue.create(QueueSpec(name=name, lease_s=LONG_S, dead_letters=dead, max_receives=2))
    send(queue, name, "poison")
    for time_ in (1, 2):
        poison = one(queue, name)
        assert poison.received == time_
        queue.give_back([poison])
    send(queue, name, "good")
    assert bodies(queue.receive(name, 10, wait_s=1)) == ["good"]
    assert bodies(queue.peek(dead)) == ["poison"]
    assert bodies(queue.peek(dead)) == ["poison"]
    assert queue.redrive(dead, work) == 1
    assert queue.peek(dead) == []
    back = one(queue, work)
    assert (back.body, back.received) == ("poison", 1)


def test_a_redrive_stops_at_its_limit(services: Services, queue: Queue, work: str) -> None:
    dead = services.name("dead")
    queue.create(QueueSpec(name=dead))
    send(queue, dead, *(str(n) for n in range(15)))
    assert queue.redrive(dead, work, limit=12) == 12
    assert (len(queue.receive(work, 20)), len(queue.peek(dead))) == (12, 3)


@pytest.mark.requirement("A2")
def test_creating_a_queue_again_keeps_its_messages_and_changes_its_lease(
    services: Services, queue: Queue, work: str
) -> None:
    """Created idempotently."""
    send(queue, work, "kept")
    services.queue().create(QueueSpec(name=work, lease_s=1, tags={"job": "7"}))
    assert services.queue().tags(work) == {"job": "7"}
    assert one(services.queue(), work).received == 1
    assert one(services.queue(), work).received == 2


@pytest.mark.requirement("A8")
def test_a_deleted_queue_is_gone_with_its_messages_for_everybody(services: Services, queue: Queue, work: str) -> None:
    """A worker notices when its queue is deleted under it."""
    other = services.queue()
    send(queue, work, "a", "b", "c")
    held = one(other, work)
    queue.delete(work)
    queue.delete(work)
    for use in (
        lambda: send(other, work, "more"),
        lambda: other.receive(work),
        lambda: other.depth(work),
        lambda: other.peek(work),
        lambda: other.tags(work),
    ):
        with pytest.raises(NoSuchQueue):
            use()
    assert _lost_or_gone(other, held)
    assert queue.names(services.prefix) == []


def _lost_or_gone(queue: Queue, held: Delivery) -> bool:
    try:
        return queue.acknowledge([held]) == [held]
    except NoSuchQueue:
        return True


def test_queues_are_found_by_the_beginning_of_their_name(services: Services, queue: Queue) -> None:
    names = [services.name(part) for part in ("nptasks_1_2_small", "nptasks_1_2_large", "other")]
    for name in names:
        queue.create(QueueSpec(name=name))
    assert queue.names(services.name("nptasks")) == sorted(names[:2])


@pytest.mark.requirement("A2")
def test_a_name_that_one_service_refuses_is_refused_by_all(queue: Queue) -> None:
    """80 characters."""
    for name in ("", "x" * (LONGEST + 1), "a.b", "ä", "a b"):
        with pytest.raises(ValueError, match="name of a queue"):
            queue.create(QueueSpec(name=name))


@pytest.mark.parametrize(
    "message",
    [
        Message(body=""),
        Message(body="x" * (LARGEST_BYTES + 1)),
        Message(body="ü" * (LARGEST_BYTES // 2 + 1)),
        Message(body="a\x00b"),
        Message(body="later", delay_s=LONGEST_DELAY_S + 1),
    ],
    ids=["empty", "large", "large in UTF-8", "NUL", "late"],
)
def test_a_message_that_one_service_refuses_is_refused_by_all_before_any_is_sent(
    queue: Queue, work: str, message: Message
) -> None:
    with pytest.raises(ValueError):
        queue.send(work, [Message(body="fine"), message])
    assert queue.depth(work).total == 0


def test_messages_of_the_largest_size_travel_in_any_number(queue: Queue, work: str) -> None:
    sent = [f"{n}" + "x" * (LARGEST_BYTES - 1) for n in range(5)]
    send(queue, work, *sent)
    received: list[Delivery] = []
    while len(received) < 5:
        received += queue.receive(work, 5, wait_s=WAIT_S)
    assert bodies(received) == sent


def test_two_receivers_at_once_share_the_messages(services: Services, queue: Queue, work: str) -> None:
    send(queue, work, *(str(n) for n in range(200)))

    def receive_all(_: int) -> list[str]:
        own, got = services.queue(), []
        while some := own.receive(work, 10):
            assert own.acknowledge(some) == []
            got += [each.body for each in some]
        return got

    with ThreadPoolExecutor(3) as pool:
        counts = Counter(body for got in pool.map(receive_all, range(3)) for body in got)
    assert counts == Counter(str(n) for n in range(200))
