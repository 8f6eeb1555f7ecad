"""Each contract test runs over every adapter of its port."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.case_stores import DATABASES, Opener, OpenStore, case_stores
from tests.support.services import SERVICES, Services

from redwell.core.work.kinds import Attempts
from redwell.ports.messaging.queue import Queue


@pytest.fixture(params=DATABASES)
def open_case_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Opens stores on one case, each for the worker it is given."""
    with case_stores(request.param, tmp_path, Attempts()) as opener:
        yield opener


@pytest.fixture
def case_store(open_case_store: Opener) -> OpenStore:
    return open_case_store("w1")


@pytest.fixture(params=SERVICES)
def services(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Services]:
    """Queues, a bus and a registry, of one kind."""
    with SERVICES[request.param](tmp_path) as opened:
        yield opened


@pytest.fixture
def queue(services: Services) -> Queue:
    return services.queue()
