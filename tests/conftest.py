"""What all tests share: the PostgreSQL server goes when the session ends."""

from collections.abc import Iterator

import pytest
from tests.support.postgres import stop_server


@pytest.fixture(scope="session", autouse=True)
def _no_server_left() -> Iterator[None]:
    yield
    stop_server()
