"""Services of workers with real processes: who gets which case, and what is left when somebody dies."""

import json
import os
import signal
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from tests.support import aws, postgres
from tests.support.engine import PATIENCE_S, SMALL, folder_of, jobs, until, until_it_says, worker
from tests.support.product import redwell, verified
from tests.support.proxy import Proxy

from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.main import main
from redwell.runtime.bootstrap.services.open_services import open_registry
from redwell.runtime.bootstrap.settings import Settings, load_settings
from redwell.runtime.cluster.service_assignment import Assignments
from redwell.runtime.upkeep import status

pytestmark = [pytest.mark.xdist_group("services"), pytest.mark.requirement("A3")]
WORKER = ("worker", "--cluster", *SMALL, "--set", "slots=1", "--service")


def on_postgres() -> dict[str, str]:
    return {"REDWELL_DATABASE": postgres.server().url, "REDWELL_NAME_PREFIX": f"t{uuid4().hex[:8]}"}


def in_dynamodb() -> dict[str, str]:
    prefix = f"t{uuid4().hex[:8]}"
    return {**aws.server().environment(), "REDWELL_REGISTRY": "dynamodb", "REDWELL_NAME_PREFIX": prefix}


@pytest.fixture(params=[on_postgres, in_dynamodb], ids=lambda made: made.__name__)
def env(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    made: dict[str, str] = request.param()
    for key, value in made.items():
        monkeypatch.setenv(key, value)
    return made


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "home"
    monkeypatch.setenv("REDWELL_HOME", str(made))
    return made


def said(*args: str) -> list[dict[str, Any]]:
    """What a command prints, without the time that another process takes to start."""
    with redirect_stdout(StringIO()) as out:
        assert main([*args, "--json"]) == ExitCode.OK
    return [json.loads(line) for line in out.getvalue().splitlines()]


def queued(source: Path, case: str, *more: str) -> str | None:
    """The service that the job is with."""
    [told] = said("import", str(source), "--case", case, "--queue", *more)
    return None if told["service"] is None else str(told["service"])


def registered(home: Path, *names: str) -> None:
    with open_registry(home, load_settings()) as registry:
        for name in names:
            Assignments(home, load_settings(), registry).register(name)


def served(home: Path, service: str, **env: str) -> None:
    """By a worker of the service, until it has nothing more to do."""
    run = redwell(home, *WORKER, service, **env)
    assert run.returncode == 0, run.stderr


def services() -> dict[str, dict[str, Any]]:
    return {row["service"]: row for row in said("workers") if "service" in row}


def states() -> dict[str, str]:
    return {job["case"]: job["state"] for job in said("jobs", "--all")}


def test_a3_a_job_takes_a_free_service_others_wait_in_order_and_are_taken_when_it_is_free(
    env: dict[str, str], home: Path, tmp_path: Path
) -> None:
    """One service, three cases: the first has it, the more urgent of the two that wait is next."""
    registered(home, "alpha")
    got = [
        queued(folder_of(tmp_path / case, 5, case), case, "--priority", priority)
        for case, priority in (("first", "50"), ("later", "90"), ("urgent", "10"))
    ]
    assert got == ["alpha", None, None]
    assert queued(folder_of(tmp_path / "more", 3, "more"), "first", "--workers", "2") == "alpha"
    held = services()["alpha"]
    assert (held["status"], held["case"], held["job"], held["jobs"]) == ("BUSY", "first", 1, [1, 2])
    served(home, "alpha", **env)
    ended = {job["case"]: job["finished"] for job in said("jobs", "--all")}
    assert sorted(ended, key=lambda case: ended[case]) == ["first", "urgent", "later"]
    assert services()["alpha"]["status"] == "FREE"


def test_a_job_that_is_with_a_service_of_no_workers_is_told_so(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    registered(home, "alpha")
    assert queued(folder_of(tmp_path / "in", 5, "word"), "case") == "alpha"
    assert "no worker of alpha is seen from here; it waits until one comes: redwell worker --service alpha" in (
        capsys.readouterr().err
    )
    assert services()["alpha"]["workers"] == 0
    assert main(["workers"]) == ExitCode.OK
    assert "service alpha: BUSY with case, job 1 of 1, no worker of it is seen from here" in capsys.readouterr().out
    served(home, "alpha")
    with worker(home, "--service", "alpha"):
        until(lambda: services()["alpha"]["workers"] == 1)
        assert queued(folder_of(tmp_path / "more", 5, "more"), "case") == "alpha"
        assert "no worker" not in capsys.readouterr().err


def test_a3_a_worker_serves_only_the_case_that_its_service_has(home: Path, tmp_path: Path) -> None:
    registered(home, "alpha", "beta")
    mine = queued(folder_of(tmp_path / "in", 5, "word"), "case")
    assert mine is not None
    served(home, {"alpha": "beta", "beta": "alpha"}[mine])
    assert states() == {"case": "queued"}
    served(home, mine)
    assert states() == {"case": "finished"}
    assert {row["status"] for row in services().values()} == {"FREE"}


@pytest.mark.parametrize("service", [("--service", "alpha"), ()], ids=["of a service", "plain"])
def test_a_worker_waits_for_a_database_that_is_away_when_it_starts(
    service: tuple[str, ...], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = on_postgres()
    for key, value in env.items():
        monkeypatch.setenv(key, value)
    registered(home, "alpha")
    queued(folder_of(tmp_path / "in", 5, "word"), "case")
    with Proxy(postgres.server().socket) as proxy:
        proxy.refusing = True
        there = {**env, "REDWELL_DATABASE": postgres.server().url_through(proxy.port)}
        with worker(home, *service, **there) as process:
            until_it_says(process, ": the PostgreSQL server cannot be reached")
            proxy.refusing = False
            until(lambda: states() == {"case": "finished"})


@pytest.mark.parametrize("point", ["service.before_claim", "service.after_claim"])
def test_a3_a_claimant_that_is_killed_leaves_a_job_that_a_worker_takes(point: str, home: Path, tmp_path: Path) -> None:
    registered(home, "alpha")
    command = ("import", str(folder_of(tmp_path / "in", 5, "word")), "--case", "case", "--queue")
    assert redwell(home, *command, REDWELL_TRIP=point).returncode == -signal.SIGKILL
    served(home, "alpha")
    assert (states(), services()["alpha"]["status"]) == ({"case": "finished"}, "FREE")


def test_a3_a_service_whose_worker_died_after_the_last_job_is_freed_by_whoever_comes_next(
    home: Path, tmp_path: Path
) -> None:
    registered(home, "alpha")
    queued(folder_of(tmp_path / "in", 5, "word"), "case")
    killed = redwell(home, *WORKER, "alpha", REDWELL_TRIP="service.before_finish")
    assert killed.returncode == -signal.SIGKILL
    assert (states(), services()["alpha"]["status"]) == ({"case": "finished"}, "BUSY")
    assert queued(folder_of(tmp_path / "next", 5, "next"), "next") == "alpha"


def test_a3_the_case_of_a_service_that_is_removed_gets_another(home: Path, tmp_path: Path) -> None:
    registered(home, "alpha", "beta")
    mine = queued(folder_of(tmp_path / "in", 5, "word"), "case")
    assert mine is not None
    [left] = [row for row in said("workers", "--remove", mine) if "service" in row]
    assert (left["service"] != mine, left["case"]) == (True, "case")
    assert main(["workers", "--remove", "nobody"]) == ExitCode.USAGE


def test_a3_no_more_workers_of_a_service_are_at_a_job_than_it_allows(home: Path, tmp_path: Path) -> None:
    registered(home, "alpha")
    queued(folder_of(tmp_path / "in", 300, "word"), "case", "--workers", "1")
    assert services()["alpha"]["worker_limit"] == 1
    seen: list[int] = []

    def over() -> bool:
        rows = list(status.workers(home, Settings()))
        assert {row["kind"] for row in rows} <= {"worker of alpha"}
        seen.append(sum(row["documents"] > 0 for row in rows))
        return all(job["finished"] for job in jobs(home))

    with worker(home, "--service", "alpha") as first, worker(home, "--service", "alpha") as second:
        until(over)
        for process in (first, second):
            os.kill(process.pid, signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0
    assert max(seen) == 1
    verified(home, "case")


def test_a3_a_service_is_free_when_the_last_job_of_its_case_was_ended_by_somebody_else(
    home: Path, tmp_path: Path
) -> None:
    registered(home, "alpha")
    assert queued(folder_of(tmp_path / "in", 3, "word"), "case") == "alpha"
    assert services()["alpha"]["status"] == "BUSY"
    run = redwell(home, "resume", "--case", "case")
    assert run.returncode == 0, run.stderr
    assert services()["alpha"]["status"] == "FREE"


def test_a3_a_service_is_free_when_the_last_job_of_its_case_is_cancelled_and_no_worker_is_there(
    home: Path, tmp_path: Path
) -> None:
    registered(home, "alpha")
    assert queued(folder_of(tmp_path / "in", 3, "word"), "case") == "alpha"
    run = redwell(home, "cancel", "--case", "case", "1")
    assert run.returncode == 0, run.stderr
    assert services()["alpha"]["status"] == "FREE"
