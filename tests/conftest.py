"""What all tests share: the servers go when the session ends."""

from collections.abc import Iterator

import pytest
from tests.support import aws, postgres


@pytest.fixture(scope="session", autouse=True)
def _no_server_left() -> Iterator[None]:
    yield
    postgres.stop_server()
    aws.stop_server()
