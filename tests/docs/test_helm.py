"""The Helm chart as helm itself takes it (make test-helm builds one), and whether it agrees with what it deploys."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from redwell.adapters.aws.cloudwatch import PUBLISHED
from redwell.entrypoints.cli.parser import build_parser
from redwell.runtime.bootstrap.settings import Settings

pytestmark = pytest.mark.engines
CHART = Path(__file__).resolve().parents[2] / "deploy" / "helm" / "redwell"
HELM = Path(sys.prefix) / "go" / "helm"
KINDS = {
    "as it is": [],
    "scaled": ["--set", "scaling.enabled=true"],
    "workers alone": ["--set", "serve.enabled=false", "--set", "serviceAccount=redwell"],
}


def helm(*args: str) -> str:
    run = subprocess.run([HELM, *args], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module", params=list(KINDS.values()), ids=list(KINDS))
def made(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return [each for each in yaml.safe_load_all(helm("template", "test", str(CHART), *request.param)) if each]


def pods(made: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """What a pod is, and its container."""
    for each in made:
        if each["kind"] in ("Deployment", "StatefulSet"):
            pod = each["spec"]["template"]["spec"]
            [container] = pod["containers"]
            yield pod, container


@pytest.mark.parametrize("values", KINDS.values(), ids=KINDS)
def test_helm_finds_nothing_wrong_with_the_chart(values: list[str]) -> None:
    assert "0 chart(s) failed" in helm("lint", "--strict", str(CHART), *values)


def test_nothing_runs_as_root_or_writes_to_its_image(made: list[dict[str, Any]]) -> None:
    found = list(pods(made))
    assert found
    for pod, container in found:
        assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] == 10001
        limits = container["securityContext"]
        assert limits["readOnlyRootFilesystem"] and not limits["allowPrivilegeEscalation"]
        assert limits["capabilities"] == {"drop": ["ALL"]}
        assert {"/var/lib/redwell", "/tmp", "/dev/shm"} == {each["mountPath"] for each in container["volumeMounts"]}


def test_every_container_is_asked_whether_it_is_well(made: list[dict[str, Any]]) -> None:
    for _, container in pods(made):
        assert {"livenessProbe", "readinessProbe"} <= set(container)


def test_commands_and_settings_of_the_chart_are_there(made: list[dict[str, Any]]) -> None:
    known = {f"REDWELL_{field.name.upper()}" for field in fields(Settings)}
    for _, container in pods(made):
        build_parser().parse_args(container["args"])
        assert {each["name"] for each in container["env"]} <= known


def test_a_worker_has_longer_than_its_drain(made: list[dict[str, Any]]) -> None:
    [(pod, container)] = [each for each in pods(made) if each[1]["name"] == "worker"]
    [drain] = [each["value"] for each in container["env"] if each["name"] == "REDWELL_DRAIN_S"]
    assert pod["terminationGracePeriodSeconds"] > int(drain)


def test_workers_are_scaled_by_a_number_that_they_publish(made: list[dict[str, Any]]) -> None:
    scaled = [each for each in made if each["kind"] == "ScaledObject"]
    for each in scaled:
        [trigger] = each["spec"]["triggers"]
        assert trigger["metadata"]["metricName"] == "WorkerPendingWorkload"
        assert trigger["metadata"]["metricName"] in PUBLISHED
        [(_, worker)] = [pod for pod in pods(made) if pod[1]["name"] == "worker"]
        assert {"name": "REDWELL_METRICS", "value": "cloudwatch"} in worker["env"]
        assert worker["args"] == ["worker", "--service", trigger["metadata"]["dimensionValue"]]
    assert len(scaled) == ("REDWELL_METRICS" in str(made))
