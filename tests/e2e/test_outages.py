"""PostgreSQL, SQS, SNS and DynamoDB go away and come back: it is said once and waited out, and nothing is lost.

The servers are stopped and started, so that connections are refused. Where an import gives up, it ends with 9.
"""

import json
import os
import signal
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from tests.support import aws, postgres
from tests.support.engine import PATIENCE_S, SMALL, folder_of, until, until_it_says, worker
from tests.support.product import Process, ask, redwell, start, verified, wait_until_at_work

from redwell.core.exit_codes import ExitCode

pytestmark = pytest.mark.xdist_group("databases")
CASE = "case"
FILES = 300


def on_aws(**more: str) -> dict[str, str]:
    prefix = f"t{uuid4().hex[:8]}"
    services = {"REDWELL_QUEUE": "sqs", "REDWELL_BUS": "sns", "REDWELL_REGISTRY": "dynamodb"}
    return {**aws.server().environment(), **services, "REDWELL_NAME_PREFIX": prefix, **more}


@contextmanager
def away(server: "aws.Server | postgres.Server") -> Iterator[None]:
    server.stop()
    try:
        yield
    finally:
        server.start()


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "in", FILES, "word")


def finished(home: Path, **env: str) -> Callable[[], bool]:
    def look() -> bool:
        run = ask(home, "jobs", "--all", "--json", **env)
        return [json.loads(line)["state"] for line in run.stdout.splitlines()] == ["finished"]

    return look


def ended(process: Process) -> str:
    """In order, when it is told to; what it has said since."""
    assert process.poll() is None, "it did not live through the outage"
    os.kill(process.pid, signal.SIGTERM)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said
    return said


def test_a_worker_with_metrics_lives_through_an_outage_of_its_database(evidence: Path, tmp_path: Path) -> None:
    home, env = (
        tmp_path / "home",
        {"REDWELL_DATABASE": postgres.server().url, "REDWELL_NAME_PREFIX": "t" + uuid4().hex[:8]},
    )
    assert redwell(home, "import", str(evidence), "--case", CASE, "--queue", **env).returncode == 0
    with worker(home, "--metrics-port", "0", **env) as process:
        assert process.stderr is not None
        url = process.stderr.readline().strip().removeprefix("metrics: ")
        until_it_says(process, "begins with batch 1")
        with away(postgres.server()):
            until_it_says(process, "the PostgreSQL server cannot be reached")
            with urllib.request.urlopen(url) as answer:
                assert "redwell_worker_capacity_usage" in answer.read().decode()
        until(finished(home, **env))
        said = ended(process)
    assert "Traceback" not in said
    verified(home, CASE, **env)


def test_an_import_that_cannot_begin_says_that_nothing_was_begun(evidence: Path, tmp_path: Path) -> None:
    home, env = tmp_path / "home", {"REDWELL_DATABASE": postgres.server().url}
    with away(postgres.server()):
        run = redwell(home, "import", str(evidence), "--case", CASE, **env)
    assert run.returncode == ExitCode.DATABASE_UNAVAILABLE
    assert "Nothing was begun. Import it again when it is back." in run.stderr


def test_a_worker_of_a_service_lives_through_an_outage_of_aws(evidence: Path, tmp_path: Path) -> None:
    """At its start and in the middle of a job; each thing that is away is said once."""
    home, env = tmp_path / "home", on_aws()
    with away(aws.server()):
        process = start(home, "worker", *SMALL, "--service", "alpha", **env)
        until_it_says(process, "the registry of services")
    try:
        until_it_says(process, "the registry of services: back")
        assert redwell(home, "import", str(evidence), "--case", CASE, "--queue", **env).returncode == 0
        until_it_says(process, "begins with batch 1")
        with away(aws.server()):
            until_it_says(process, "it is waited for")
        until(finished(home, **env))
        said = ended(process)
    finally:
        process.kill()
        process.communicate()
    assert "Traceback" not in said
    verified(home, CASE, **env)


def test_an_import_waits_until_its_queues_are_back(evidence: Path, tmp_path: Path) -> None:
    home, env = tmp_path / "home", on_aws()
    running = start(home, "import", str(evidence), "--case", CASE, *SMALL, **env)
    wait_until_at_work(home, running)
    with away(aws.server()):
        until_it_says(running, "the task queues: ")
    _, said = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 0, said
    told = [line.partition("the task queues: ")[2] for line in said.splitlines() if "the task queues: " in line]
    assert [line.partition(" after")[0] for line in told] == ["back"], "that they are away is said once"
    verified(home, CASE, **env)


def test_an_import_that_waits_no_longer_ends_with_9_and_is_resumed(evidence: Path, tmp_path: Path) -> None:
    home, env = tmp_path / "home", on_aws(REDWELL_OUTAGE_S="0", REDWELL_WEBHOOK_WAIT_S="0")
    running = start(home, "import", str(evidence), "--case", CASE, *SMALL, **env)
    wait_until_at_work(home, running)
    with away(aws.server()):
        _, said = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == ExitCode.SERVICE_UNAVAILABLE, said
    assert f"Nothing is lost. Go on with: redwell resume --case {CASE} 1" in said
    assert "Traceback" not in said
    run = redwell(home, "resume", "--case", CASE, **env)
    assert run.returncode == 0, run.stderr
    verified(home, CASE, **env)


def test_a_bus_that_is_away_stops_no_import(evidence: Path, tmp_path: Path) -> None:
    """Its events wait in the case; nobody is told that there is nobody."""
    env = on_aws(REDWELL_WEBHOOK_WAIT_S="0", REDWELL_QUEUE="sqs", REDWELL_OUTAGE_S="0")
    home = tmp_path / "home"
    with away(aws.server()):
        run = redwell(home, "import", str(evidence), "--case", CASE, "--queue", **env)
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr
