"""Queues, buses and registries that the contract suites run over. An adapter joins by an entry in SERVICES.

Each entry gives the ways to one service: open a port on it, cut its connections, restart its server.
"""

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from tests.support import aws, postgres
from tests.support.proxy import Proxy

from redwell.adapters.aws.dynamodb import DynamoRegistry
from redwell.adapters.aws.sns import SnsBus
from redwell.adapters.aws.sqs import SqsQueue
from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.sql.database import Database
from redwell.adapters.sql_jobs.worker_registry import SqlRegistry
from redwell.adapters.sql_queues.bus import SqlBus
from redwell.adapters.sql_queues.queue import SqlQueue, prepare
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.ports.messaging.bus import Bus
from redwell.ports.messaging.queue import Queue
from redwell.ports.messaging.registry import Registry


class Services:
    """Every call opens another connection to the same service, as another process would."""

    def __init__(self, resources: ExitStack) -> None:
        self.prefix = f"t{uuid.uuid4().hex[:12]}"
        self._resources = resources

    def queue(self) -> Queue:
        raise NotImplementedError

    def bus(self, together: int = 1) -> Bus:
        raise NotImplementedError

    def registry(self) -> Registry:
        raise NotImplementedError

    def name(self, name: str) -> str:
        """A name that no other test uses."""
        return f"{self.prefix}_{name}"


class SqlServices(Services):
    def __init__(self, resources: ExitStack, connect: Callable[[], Database]) -> None:
        super().__init__(resources)
        self._connect = connect
        database = self._database()
        prepare(database)
        database.close()

    def queue(self) -> Queue:
        return SqlQueue(self._database())

    def bus(self, together: int = 1) -> Bus:
        return SqlBus(self._database(), together)

    def registry(self) -> Registry:
        return SqlRegistry(self._database())

    def _database(self) -> Database:
        database = self._connect()
        self._resources.callback(database.close)
        return database


class AwsServices(Services):
    def queue(self) -> Queue:
        return self._sqs()

    def bus(self, together: int = 1) -> Bus:
        bus = SnsBus(self.name("events"), self._sqs(), together)
        self._resources.callback(bus.close)
        return bus

    def registry(self) -> Registry:
        registry = DynamoRegistry(self.name("services"))
        self._resources.callback(registry.close)
        return registry

    def _sqs(self) -> SqsQueue:
        queue = SqsQueue()
        self._resources.callback(queue.close)
        return queue


@contextmanager
def sqlite(folder: Path) -> Iterator[Services]:
    with ExitStack() as resources:
        yield SqlServices(resources, lambda: SqliteDatabase(folder / "queues.sqlite"))


@contextmanager
def on_postgres(_folder: Path) -> Iterator[Services]:
    with postgres.schema() as schema, ExitStack() as resources:
        yield SqlServices(resources, lambda: PostgresDatabase(postgres.server().url, schema))


@contextmanager
def on_aws(_folder: Path) -> Iterator[Services]:
    with patch.dict(os.environ, aws.server().environment()), ExitStack() as resources:
        yield AwsServices(resources)


SERVICES: dict[str, Callable[[Path], AbstractContextManager[Services]]] = {
    "sqlite": sqlite,
    "postgres": on_postgres,
    "aws": on_aws,
}


@contextmanager
def postgres_behind_proxy() -> Iterator[tuple[Services, Proxy]]:
    server = postgres.server()
    with postgres.schema() as schema, Proxy(server.socket) as proxy, ExitStack() as resources:
        url = server.url_through(proxy.port)
        yield SqlServices(resources, lambda: PostgresDatabase(url, schema)), proxy


@contextmanager
def aws_behind_proxy() -> Iterator[tuple[Services, Proxy]]:
    with ExitStack() as resources:
        proxy = resources.enter_context(Proxy(aws.server().port))
        resources.enter_context(patch.dict(os.environ, aws.server().environment(proxy.port)))
        yield AwsServices(resources), proxy


BEHIND_PROXY = {"postgres": postgres_behind_proxy, "aws": aws_behind_proxy}


def _restart_postgres() -> None:
    postgres.server().stop()
    postgres.server().start()


def _restart_aws() -> None:
    aws.server().stop()
    aws.server().start()


RESTART: dict[str, Callable[[], None]] = {"postgres": _restart_postgres, "aws": _restart_aws}
