"""Services of workers in ECS, on a local AWS server: scaled to their job's workers and to none; tasks protected."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from tests.support import aws
from tests.support.ecs import EcsSide
from tests.support.product import ask

from redwell.adapters.aws.ecs_services import EcsServices
from redwell.adapters.aws.task_protection import AgentProtection
from redwell.core.exit_codes import ExitCode
from redwell.core.jobs.job import NewJob
from redwell.core.jobs.worker_services import Service, tasks_wanted
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.cluster.service_assignment import open_assignments
from redwell.runtime.upkeep.batches import begin
from redwell.runtime.upkeep.cancel import cancel

pytestmark = [pytest.mark.requirement("A3"), pytest.mark.xdist_group("services")]


@pytest.fixture
def side(monkeypatch: pytest.MonkeyPatch) -> Iterator[EcsSide]:
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)
    with EcsSide() as running:
        monkeypatch.setenv("AWS_ENDPOINT_URL_APPLICATION_AUTO_SCALING", running.url)
        yield running


@pytest.fixture
def prefix(side: EcsSide) -> str:
    """Of a cluster with two services, without tasks."""
    made = f"t{uuid4().hex[:8]}"
    with closing(aws.client("ecs")) as ecs:
        ecs.create_cluster(clusterName=f"{made}-workers")
        task = [{"name": "redwell", "image": "redwell", "memory": 64}]
        ecs.register_task_definition(family=made, containerDefinitions=task)
        for name in ("worker1", "worker2"):
            ecs.create_service(cluster=f"{made}-workers", serviceName=name, taskDefinition=made, desiredCount=0)
    return made


def counts(prefix: str) -> list[int]:
    with closing(aws.client("ecs")) as ecs:
        found = ecs.describe_services(cluster=f"{prefix}-workers", services=["worker1", "worker2"])["services"]
    return [each["desiredCount"] for each in sorted(found, key=lambda each: each["serviceName"])]


def test_a3_a_free_service_has_no_workers_and_a_busy_one_never_more_than_its_job_may_have() -> None:
    free, busy = Service(id="a"), Service(id="a", case=1, job=1, jobs=frozenset({1}), worker_limit=4)
    assert tasks_wanted(free, now=3, otherwise=2, has_changed=False) == 0
    assert tasks_wanted(busy, now=0, otherwise=2, has_changed=False) == 4  # whoever claimed it has died
    assert tasks_wanted(busy, now=9, otherwise=2, has_changed=False) == 4
    assert tasks_wanted(busy, now=1, otherwise=2, has_changed=False) == 1  # its policy's affair
    assert tasks_wanted(busy, now=1, otherwise=2, has_changed=True) == 4
    assert tasks_wanted(Service(id="a", case=1), now=9, otherwise=2, has_changed=False) == 9


def test_a3_an_import_starts_the_workers_of_its_service_and_its_end_takes_them_away(
    prefix: str, side: EcsSide, tmp_path: Path
) -> None:
    settings = Settings(name_prefix=prefix, registry="dynamodb", scaling="ecs")
    with open_case(tmp_path, "valves", settings, create=True) as case:
        with open_assignments(tmp_path, settings) as assignments:
            for name in ("worker1", "worker2"):
                assignments.register(name)
            assignments.update()
            assert counts(prefix) == [0, 0]
            batch = begin(case, ["/evidence"], "files", "Ann", NewJob(workers=5))
            case.announce()
            assignments.update()
            assert sorted(counts(prefix)) == [0, 5]
            busy = "worker1" if counts(prefix)[0] else "worker2"
            assert side.bounds == {f"service/{prefix}-workers/{busy}": (0, 5)}
        cancel(case, batch)
        with open_assignments(tmp_path, settings) as another:  # whoever comes next
            another.update()
    assert counts(prefix) == [0, 0] and side.bounds[f"service/{prefix}-workers/{busy}"] == (0, 0)


def test_a3_what_can_not_be_scaled_now_is_scaled_later_and_keeps_nobody_from_a_service(
    prefix: str, side: EcsSide, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("redwell.runtime.cluster.service_scaling.AGAIN_S", 0.0)
    settings = Settings(name_prefix=prefix, scaling="ecs", aws_tries=1)
    with open_case(tmp_path, "valves", settings, create=True) as case, open_assignments(tmp_path, settings) as ours:
        ours.register("worker1")
        side.refusals = 1
        batch = begin(case, ["/evidence"], "files", "Ann", NewJob())
        case.announce()
        ours.update()
        assert ours.service_of(case.number, case.store.open_jobs()[0].id) == "worker1" and counts(prefix) == [0, 0]
        ours.update()
        assert counts(prefix) == [2, 0] and caplog.text.count("can't be changed now") == 1
        cancel(case, batch)


@pytest.mark.requirement("A15", "A19")
def test_a15_what_the_scale_in_alarm_prompts_frees_a_service_whose_job_has_ended_and_no_other(
    prefix: str, side: EcsSide, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"REDWELL_NAME_PREFIX": prefix, "REDWELL_REGISTRY": "dynamodb", "REDWELL_SCALING": "ecs"}
    settings = Settings(name_prefix=prefix, registry="dynamodb", scaling="ecs")
    with open_case(tmp_path, "valves", settings, create=True) as case:
        with open_assignments(tmp_path, settings) as ours:
            ours.register("worker1")
            batch = begin(case, ["/evidence"], "files", "Ann", NewJob())
            case.announce()
            ours.update()
        assert [row["status"] for row in checked(tmp_path, given)] == ["BUSY"] and counts(prefix) == [2, 0], (
            "it goes on"
        )
        monkeypatch.setattr("redwell.runtime.upkeep.cancel.let_go", lambda *_: None)
        cancel(case, batch)
    assert counts(prefix) == [2, 0], "whoever ended it died before it was told"
    assert [row["status"] for row in checked(tmp_path, given)] == ["FREE"] and counts(prefix) == [0, 0]
    run = ask(tmp_path, "workers", "--check", "worker9", **given)
    assert run.returncode == ExitCode.USAGE and "no service 'worker9' is registered" in run.stderr


def checked(home: Path, given: dict[str, str]) -> list[dict[str, Any]]:
    run = ask(home, "workers", "--check", "worker1", "--json", **given)
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines() if '"service"' in line]


def test_more_services_than_one_call_takes_are_all_counted(prefix: str) -> None:
    with closing(EcsServices(f"{prefix}-workers")) as scaling:
        many = [Service(id=f"nobody{n}") for n in range(23)]
        assert scaling.tasks([*many, Service(id="worker2")]) == {"worker2": 0}
        assert scaling.tasks([Service(id="x", service_ref=f"arn:aws:ecs:x:0:service/{prefix}-workers/worker1")]) == {
            "x": 0
        }


def test_a3_a_task_is_protected_while_it_works_and_let_go_after(
    side: EcsSide, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    protection = AgentProtection(side.url)
    for working in (False, True, True, True, False, False):
        protection.set(working=working)
    assert side.protected == [{"ProtectionEnabled": True, "ExpiresInMinutes": 60}, {"ProtectionEnabled": False}]
    monkeypatch.setattr("redwell.adapters.aws.task_protection.AGAIN_S", 0.0)
    side.refusals = 2
    for _ in range(3):
        protection.set(working=True)
    assert side.protected[-1]["ProtectionEnabled"] and len(side.protected) == 3
    assert caplog.text.count("not protected") == 1
    monkeypatch.setattr("redwell.adapters.aws.task_protection.RENEW_S", 0.0)
    protection.set(working=False)
    protection.set(working=True)
    protection.set(working=True)  # renewed before it ends
    assert [each["ProtectionEnabled"] for each in side.protected[3:]] == [False, True, True]


def test_an_agent_that_is_not_there_costs_the_worker_nothing(caplog: pytest.LogCaptureFixture) -> None:
    protection = AgentProtection(f"http://127.0.0.1:{aws.free_port()}")
    protection.set(working=True)
    protection.set(working=True)
    assert caplog.text.count("not protected") == 1
