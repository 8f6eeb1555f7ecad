"""What all tests share: no test is a matter of time, and the servers go when the session ends."""

import logging
from collections.abc import Iterator

import pytest
from hypothesis import settings
from tests.support import aws, opensearch, postgres
from tests.support.groups import ByModule

# Without a node, and where nobody insists on one, a line at the end says that these did not run.
_ON_OPENSEARCH = ["contract/test_opensearch_disturbed.py", "e2e/test_opensearch.py", "e2e/test_opensearch_machines.py"]
collect_ignore = [] if opensearch.is_there() or opensearch.REQUIRED else _ON_OPENSEARCH

settings.register_profile("redwell", deadline=None)  # a busy machine is no failure
settings.load_profile("redwell")


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByModule | None:
    return ByModule(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.fixture(scope="session", autouse=True)
def _no_server_left() -> Iterator[None]:
    yield
    postgres.stop_server()
    aws.stop_server()
    opensearch.stop()


@pytest.fixture(autouse=True)
def _logging_as_it_is() -> None:
    """A command that a test, or a fixture of many, calls in its own process sends all lines to its stderr (logs)."""
    own = logging.getLogger("redwell")
    own.handlers, own.propagate = [], True
    own.setLevel(logging.NOTSET)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if told := opensearch.why_not():
        terminalreporter.write_line(told)
