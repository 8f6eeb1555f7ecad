"""The queues, the bus and the worker registry that the settings name. Part of bootstrap's joining.

By default they are tables: in the database of `database`, else in a file in the home. No server is needed for that.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_jobs.worker_registry import SqlRegistry
from redwell.adapters.sql_queues.bus import SqlBus
from redwell.adapters.sql_queues.queue import SqlQueue, prepare
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.errors import UserError
from redwell.core.events.webhooks import Address
from redwell.ports.messaging.bus import Bus
from redwell.ports.messaging.endpoint import Endpoint
from redwell.ports.messaging.queue import Queue
from redwell.ports.messaging.registry import Registry
from redwell.ports.messaging.service_scaling import ServiceScaling
from redwell.ports.metrics import Metrics
from redwell.ports.request_numbers import RequestNumbers
from redwell.ports.task_protection import TaskProtection
from redwell.runtime.bootstrap.open_ledger import postgres_database
from redwell.runtime.bootstrap.services.service_notes import SERVICES_FILE
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import aws_adapter


@dataclass(frozen=True, slots=True)
class Services:
    queue: Queue
    bus: Bus
    heard: Queue  # those that the bus delivers to, which may be of another kind
    registry: Registry
    _resources: ExitStack

    def close(self) -> None:
        self._resources.close()

    def __enter__(self) -> "Services":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_services(home: Path, settings: Settings) -> Services:
    if settings.bus == "sns" and settings.queue != "sqs":
        raise UserError("bus=sns delivers to queues in SQS only: set queue=sqs too")
    with ExitStack() as stack:
        opened = _Opening(home, settings, stack)
        queue = opened.queue()
        return Services(queue, opened.bus(queue), opened.heard(queue), opened.registry(), stack.pop_all())


@contextmanager
def open_queue(home: Path, settings: Settings) -> Iterator[Queue]:
    """The queues alone."""
    with ExitStack() as resources:
        yield _Opening(home, settings, resources).queue()


@contextmanager
def open_registry(home: Path, settings: Settings) -> Iterator[Registry]:
    """The list of worker services alone."""
    with ExitStack() as resources:
        yield _Opening(home, settings, resources).registry()


@contextmanager
def open_alarm_topic(home: Path, settings: Settings) -> Iterator[Bus]:
    """Of alarms alone in SNS; elsewhere there is one bus for all events."""
    with ExitStack() as resources:
        opened = _Opening(home, settings, resources)
        yield opened.bus(opened.queue() if settings.bus == "sns" else None, "alarms")


@contextmanager
def open_scaling(settings: Settings) -> Iterator[ServiceScaling | None]:
    """Whoever starts and ends workers of services; None: not this."""
    if settings.scaling != "ecs":
        yield None
        return
    scaling: ServiceScaling = aws_adapter("ecs_services").EcsServices(
        f"{settings.name_prefix}-workers", settings.patience
    )
    with closing(scaling):
        yield scaling


def open_protection(environ: Mapping[str, str]) -> TaskProtection | None:
    """Where an agent of ECS says that it is there."""
    agent = environ.get("ECS_AGENT_URI", "")
    if not agent:
        return None
    protection: TaskProtection = aws_adapter("task_protection").AgentProtection(agent)
    return protection


def webhook_address(settings: Settings) -> Address | None:
    """The webhook's, if there is one. What it says has to be signed: an empty secret is refused."""
    if not settings.webhook:
        return None
    if not settings.webhook_secret:
        raise UserError("a webhook needs webhook_secret, with which it signs what it says: set REDWELL_WEBHOOK_SECRET")
    return Address.of(settings.webhook)


def open_endpoint(settings: Settings) -> Endpoint | None:
    address = webhook_address(settings)
    if address is None:
        return None
    module = import_module("redwell.adapters.webhook.endpoint")  # its library is loaded where it is used alone
    endpoint: Endpoint = module.HttpEndpoint(
        address,
        settings.webhook_secret,
        settings.webhook_digest,
        settings.webhook_connect_s,
        settings.webhook_answer_s,
    )
    return endpoint


def open_metrics(port: int) -> Metrics:
    """A page for Prometheus."""
    module = import_module("redwell.adapters.prometheus.page")
    page: Metrics = module.PrometheusPage(port)
    return page


def cloud_metrics(settings: Settings) -> Metrics | None:
    """Whoever scales services of workers reads them there."""
    if settings.metrics != "cloudwatch":
        return None
    metrics: Metrics = aws_adapter("cloudwatch").CloudWatchMetrics(settings.patience)
    return metrics


def open_request_numbers() -> RequestNumbers:
    """A page for Prometheus, of the server's own."""
    numbers: RequestNumbers = import_module("redwell.adapters.prometheus.requests").RequestNumbers()
    return numbers


class _Opening:
    """Each service when it is asked for, and the database only if one of them is in it."""

    def __init__(self, home: Path, settings: Settings, resources: ExitStack) -> None:
        self._home, self._settings, self._resources = home, settings, resources
        self._tables: Database | None = None

    def queue(self) -> Queue:
        if self._settings.queue != "sqs":
            return SqlQueue(self._database())
        queue: Queue = aws_adapter("sqs").SqsQueue(self._settings.patience)
        self._resources.callback(queue.close)
        return queue

    def heard(self, queue: Queue) -> Queue:
        """The tables' bus delivers to queues in the same tables, wherever tasks travel."""
        same_kind = self._settings.bus == "sns" or self._settings.queue != "sqs"
        return queue if same_kind else SqlQueue(self._database())

    def bus(self, queue: Any, topic: str = "events") -> Bus:
        if self._settings.bus != "sns":
            return SqlBus(self._database(), self._settings.bus_events)
        name, at_once, patience = (
            f"{self._settings.name_prefix}-{topic}",
            self._settings.bus_events,
            self._settings.patience,
        )
        bus: Bus = aws_adapter("sns").SnsBus(name, queue, at_once, patience)
        self._resources.callback(bus.close)
        return bus

    def registry(self) -> Registry:
        if self._settings.registry != "dynamodb":
            return SqlRegistry(self._database())
        table = f"{self._settings.name_prefix}-services"
        registry: Registry = aws_adapter("dynamodb").DynamoRegistry(table, self._settings.patience)
        self._resources.callback(registry.close)
        return registry

    def _database(self) -> Database:
        if self._tables is None:
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
            settings, schema = self._settings, f"{self._settings.name_prefix}_services"
            shared = postgres_database(settings, schema) if settings.database else None
            self._tables = shared or SqliteDatabase(self._home / SERVICES_FILE)
            self._resources.callback(self._tables.close)
            prepare(self._tables)
        return self._tables
