"""Queues, bus and registry as the settings name them (open_services), and a job's way through all three."""

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from tests.support import aws, postgres

from redwell.core.errors import UserError
from redwell.core.events.event import Event, Filter
from redwell.core.jobs.queue_names import failed_tasks, task_queue
from redwell.core.jobs.worker_services import Service
from redwell.ports.messaging.queue import Message, QueueSpec
from redwell.runtime.bootstrap.services.open_services import open_services
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.cluster.service_claims import claim

AWS = {"queue": "sqs", "bus": "sns", "registry": "dynamodb"}
KINDS: dict[str, Callable[[], dict[str, str]]] = {
    "sqlite": dict,
    "postgres": lambda: {"database": postgres.server().url},
    "aws": lambda: AWS,
    "aws but for the registry": lambda: {**AWS, "registry": "sql"},
}


@pytest.fixture(params=KINDS)
def settings(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Settings:
    chosen = KINDS[request.param]()
    if "queue" in chosen:
        for key, value in aws.server().environment().items():
            monkeypatch.setenv(key, value)
    return Settings(name_prefix=f"t{uuid4().hex[:10]}", **chosen)


@pytest.mark.requirement("A1", "A2", "A3")
def test_a_job_finds_its_queues_its_events_and_its_service(settings: Settings, tmp_path: Path) -> None:
    """Queues and subscriptions, first tasks, claim or join a service."""
    prefix, job = settings.name_prefix, int(uuid4().int % 1_000_000)
    tasks, loader = task_queue(prefix, 7, job, "small"), f"{prefix}_listener"
    with open_services(tmp_path, settings) as first:
        first.queue.create(QueueSpec(name=failed_tasks(prefix)))
        first.queue.create(QueueSpec(name=tasks, dead_letters=failed_tasks(prefix)))
        first.queue.create(QueueSpec(name=loader))
        first.bus.subscribe(loader, Filter(case_ids=frozenset({7}), batch_ids=frozenset({1})))
        first.queue.send(tasks, [Message(body="{}")])
        first.registry.add(Service(id=f"service-{prefix}"))
    with open_services(tmp_path, settings) as second:
        mine = claim(second.registry, case=job, job=job, worker_limit=0)
        assert mine and mine.jobs == {job}
        [task] = second.queue.receive(tasks, wait_s=10)
        event = Event(event_type="DOCUMENT_PROCESSED", case_id=7, batch_id=1, job_id=job)
        second.bus.publish([event])
        assert second.queue.acknowledge([task]) == []
        [heard] = second.queue.receive(loader, wait_s=10)
        assert Event.from_json(heard.body) == event
        second.bus.unsubscribe(loader)
        for name in (tasks, loader, failed_tasks(prefix)):
            second.queue.delete(name)
        second.registry.remove(mine.id)
    assert (tmp_path / "services.sqlite").exists() == (not settings.database and settings.registry == "sql")


def test_topics_deliver_to_their_own_kind_of_queue_only(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="set queue=sqs too"):
        open_services(tmp_path, Settings(bus="sns"))
