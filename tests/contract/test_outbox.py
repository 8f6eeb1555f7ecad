"""The outbox: what is sent commits with the rows it follows from, and goes out once or more (DESIGN, idea 1)."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select
from tests.support.case_stores import DATABASES
from tests.support.services import Services

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.job_tables import event
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_queues.outbox import post
from redwell.adapters.sql_queues.queue import SqlQueue
from redwell.core.errors import ServiceUnavailable
from redwell.core.events.outbox_posts import OUTBOX, Post
from redwell.ports.messaging.queue import LARGEST_BYTES, Message, NotSent, Queue, QueueSpec
from redwell.runtime.delivery.outbox_relay import OutboxRelay


@pytest.fixture(params=DATABASES)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with DATABASES[request.param](tmp_path) as connect, closing(connect.work()) as database:
        create_case(database, {"name": "outbox"})
        yield database


@pytest.fixture
def outbox(case: Database) -> Queue:
    return SqlQueue(case)


@pytest.fixture
def relay(outbox: Queue, services: Services) -> OutboxRelay:
    return OutboxRelay(outbox, services.queue())


@pytest.fixture
def work(queue: Queue, services: Services) -> str:
    queue.create(QueueSpec(name=services.name("work"), lease_s=60))
    return services.name("work")


def write(case: Database, posts: Sequence[Post], *, fail: bool = False) -> None:
    """A row of the ledger and what follows from it."""

    def transaction(tx: Connection) -> None:
        tx.execute(event.insert(), {"type": "JOB_STARTED", "batch": 1, "body": "{}"})
        post(tx, posts)
        if fail:
            raise ZeroDivisionError

    case.write(transaction)


def rows(case: Database) -> int:
    with case.read() as tx:
        return int(tx.execute(select(func.count()).select_from(event)).scalar_one())


def test_what_is_posted_arrives_after_its_rows(case: Database, relay: OutboxRelay, queue: Queue, work: str) -> None:
    write(case, [Post(queue=work, body='{"task": 1}'), Post(queue=work, body='{"task": 2}')])
    assert queue.depth(work).total == 0
    assert relay.send_some() == 2
    assert relay.send_some() == 0
    assert sorted(each.body for each in queue.receive(work, 10, wait_s=1)) == ['{"task": 1}', '{"task": 2}']


def test_a_relay_that_runs_sends_what_is_posted_and_ends_with_nothing_left(
    case: Database, outbox: Queue, queue: Queue, work: str
) -> None:
    sent = threading.Event()
    relay = OutboxRelay(outbox, queue, sent.set)
    thread = threading.Thread(target=relay.run)
    thread.start()
    write(case, [Post(queue=work, body="first")])
    relay.wake()
    assert sent.wait(20)
    write(case, [Post(queue=work, body="last")])
    relay.stop()
    thread.join()
    assert outbox.depth(OUTBOX).total == 0
    assert queue.depth(work).total == 2


def test_what_is_rolled_back_is_never_sent(case: Database, relay: OutboxRelay, work: str) -> None:
    with pytest.raises(ZeroDivisionError):
        write(case, [Post(queue=work, body="never")], fail=True)
    assert (rows(case), relay.send_some()) == (0, 0)


def test_a_relay_that_dies_between_sending_and_removing_sends_again(
    case: Database, outbox: Queue, relay: OutboxRelay, queue: Queue, work: str
) -> None:
    write(case, [Post(queue=work, body="task")])
    [taken] = outbox.receive(OUTBOX, lease_s=0)
    queue.send(work, [Message(body=Post.from_json(taken.body).body)])
    assert relay.send_some() == 1  # another one, after the first was killed here
    assert [each.body for each in queue.receive(work, 10, wait_s=1)] == ["task", "task"]


def test_a_post_for_a_queue_that_is_gone_keeps_nobody_waiting(
    case: Database, outbox: Queue, relay: OutboxRelay, services: Services
) -> None:
    write(case, [Post(queue=services.name("never-made"), body="task")])
    relay.send_some()
    assert outbox.depth(OUTBOX).total == 0


def test_what_no_queue_takes_is_refused_before_the_rows_commit(case: Database) -> None:
    with pytest.raises(ValueError):
        write(case, [Post(queue="work", body="x" * (LARGEST_BYTES + 1))])
    assert rows(case) == 0


class Refusing:
    """A service that takes one message of each batch at most."""

    def __init__(self, error: type[Exception]) -> None:
        self._error = error
        self.taken: list[str] = []

    def send(self, queue: str, messages: Sequence[Message]) -> None:
        if self._error is not NotSent:
            raise self._error("away")
        self.taken.append(messages[0].body)
        if len(messages) > 1:
            raise NotSent(dict.fromkeys(range(1, len(messages)), "too many"))


def test_only_what_was_refused_is_sent_again(case: Database, outbox: Queue) -> None:
    write(case, [Post(queue="work", body=str(n)) for n in range(3)])
    refusing = Refusing(NotSent)
    relay = OutboxRelay(outbox, refusing)  # type: ignore[arg-type]
    while outbox.depth(OUTBOX).total:
        assert relay.send_some() <= 1
    assert sorted(refusing.taken) == ["0", "1", "2"]


def test_a_service_that_is_away_loses_nothing(case: Database, outbox: Queue) -> None:
    write(case, [Post(queue="work", body="kept")])
    relay = OutboxRelay(outbox, Refusing(ServiceUnavailable))  # type: ignore[arg-type]
    assert relay.send_some() == 0
    assert outbox.depth(OUTBOX).total == 1
