"""Workers of a service on a machine that has the settings and an empty home, and nothing else.

PostgreSQL, S3, SQS and SNS are real servers; the services are in PostgreSQL, or in DynamoDB.
"""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from tests.support.case_homes import HOMES
from tests.support.engine import folder_of, said, until
from tests.support.machines import PATIENCE_S, QUEUES, Machines, stopped
from tests.support.product import kill_tree, normal_form, redwell, verified
from tests.support.products import others_in_soak

pytestmark = [pytest.mark.xdist_group("databases"), pytest.mark.requirement("A3")]
CASE = "Smith v Jones"
REGISTRIES = {
    "in SQL": QUEUES["ledger"],
    "in SQL, tasks in SQS": QUEUES["sqs"],
    "in DynamoDB": {**QUEUES["ledger"], "REDWELL_REGISTRY": "dynamodb"},
}


@pytest.fixture
def machines(request: pytest.FixtureRequest, evidence: Path, tmp_path: Path) -> Machines:
    (tmp_path / "a").mkdir()  # to be hidden from the other machine
    return Machines(tmp_path / "a", evidence, tmp_path / "b", {**HOMES["aws"](), **REGISTRIES[request.param]})


def services(machines: Machines) -> dict[str, dict[str, Any]]:
    """As the first machine lists them."""
    rows = said(machines.home, "workers", **machines.env)
    return {row["service"]: row for row in rows if "service" in row}


def queued(machines: Machines, source: Path, case: str) -> str | None:
    """By the first machine; the service that the job is with."""
    command = ("import", str(source), "--case", case, "--queue", "--json")
    run = redwell(machines.home, *command, faulty=True, **machines.env)
    assert run.returncode == 0, run.stderr
    service: str | None = json.loads(run.stdout)["service"]
    return service


def services_there(machines: Machines, *more: str) -> dict[str, dict[str, Any]]:
    run = redwell(machines.other, "workers", "--json", *more, through=machines.through, **machines.env)
    assert run.returncode == 0, run.stderr
    rows = map(json.loads, run.stdout.splitlines())
    return {row["service"]: row for row in rows if "service" in row}


@pytest.mark.parametrize("machines", others_in_soak(REGISTRIES, "in SQL, tasks in SQS"), indirect=True)
def test_a3_a_service_whose_workers_are_elsewhere_gets_the_case_and_does_its_documents(
    machines: Machines, expected: list[dict[str, Any]]
) -> None:
    """It came first, to a home that was not there; the first machine only reads and indexes."""
    with machines.worker("--service", "alpha", there=True) as other:
        until(lambda: "alpha" in services(machines))
        assert queued(machines, machines.evidence, CASE) == "alpha"
        until(lambda: "machine-b" in machines.workers())
        assert machines.workers()["machine-b"]["kind"] == "worker of alpha"
        held = services_there(machines)["alpha"]
        assert (held["status"], held["case"], held["job"]) == ("BUSY", CASE, 1)
        with machines.worker(there=False) as own:
            until(lambda: machines.workers().get("machine-b", {}).get("documents", 0) > 0)
            until(machines.finished)
            stopped(own)
        until(lambda: services(machines)["alpha"]["status"] == "FREE")
        log = stopped(other)
    assert "begins with batch 1" in log
    assert normal_form(machines.home, CASE, **machines.env) == expected
    verified(machines.home, CASE, **machines.env)


@pytest.mark.parametrize("machines", others_in_soak(["in SQL", "in DynamoDB"], "in DynamoDB"), indirect=True)
def test_a3_a_service_elsewhere_takes_one_case_after_the_other_and_leaves_when_there_is_none(
    machines: Machines, tmp_path: Path
) -> None:
    """With workers of it on both machines, one that is killed, and a service that is forgotten from elsewhere."""
    with machines.worker("--service", "alpha", there=True) as first:
        until(lambda: "alpha" in services(machines))
        for case in ("one", "two"):
            queued(machines, folder_of(tmp_path / case, 5, case), case)
        until(lambda: services(machines)["alpha"]["case"] == "one" and "machine-b" in machines.workers())
        kill_tree(first)
    with machines.worker("--cluster", "--service", "alpha", there=True) as second:
        with machines.worker("--service", "alpha", there=False) as own:
            until(machines.finished)
            stopped(own)
        _, log = second.communicate(timeout=PATIENCE_S)
    assert second.returncode == 0, log
    assert "service 'alpha' has case 2 now" in log
    assert services(machines)["alpha"]["status"] == "FREE"
    assert services_there(machines, "--remove", "alpha") == services(machines) == {}
    for case in ("one", "two"):
        verified(machines.home, case, **machines.env)


@pytest.mark.parametrize("machines", ["in SQL"], indirect=True)
def test_a3_a_worker_elsewhere_leaves_the_cases_of_other_services_alone(machines: Machines, tmp_path: Path) -> None:
    with machines.worker("--service", "alpha", there=True) as alpha:
        until(lambda: "alpha" in services(machines))
        assert queued(machines, folder_of(tmp_path / "one", 5, "one"), "one") == "alpha"
        with machines.worker("--cluster", "--service", "beta", there=True) as beta:
            _, log = beta.communicate(timeout=PATIENCE_S)
        assert beta.returncode == 0, log
        assert "begins with batch" not in log
        assert services(machines)["beta"]["status"] == "FREE"
        alpha.send_signal(signal.SIGTERM)
        _, log = alpha.communicate(timeout=PATIENCE_S)
    assert alpha.returncode == 0, log
