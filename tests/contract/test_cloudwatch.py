"""Numbers for scaling as CloudWatch gets them, on a local server."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from tests.support import aws

from redwell.adapters.aws.cloudwatch import NAMESPACE, CloudWatchMetrics
from redwell.core.patience import Patience

pytestmark = [pytest.mark.requirement("A15"), pytest.mark.xdist_group("services")]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)
    yield


def _known(service: str) -> dict[str, list[dict[str, str]]]:
    watch = aws.client("cloudwatch")
    rows = watch.list_metrics(Namespace=NAMESPACE)["Metrics"]
    watch.close()
    wanted = {"Name": "ServiceId", "Value": service}
    return {row["MetricName"]: row["Dimensions"] for row in rows if wanted in row["Dimensions"]}


@pytest.mark.usefixtures("here")
def test_a15_usage_and_what_waits_are_told_by_service_and_nothing_else() -> None:
    service, metrics = f"s{uuid4().hex}", CloudWatchMetrics(period_s=0)
    values = {"WorkerCapacityUsage": 0.65, "WorkerPendingWorkload": 7.0, "WorkerSlotSeconds": 1.0}
    metrics.publish(values, {"ServiceId": service})
    metrics.close()
    assert sorted(_known(service)) == ["WorkerCapacityUsage", "WorkerPendingWorkload"]


@pytest.mark.usefixtures("here")
def test_it_is_told_once_in_a_period() -> None:
    first, second, metrics = f"s{uuid4().hex}", f"s{uuid4().hex}", CloudWatchMetrics(period_s=3600)
    metrics.publish({"WorkerCapacityUsage": 0.1}, {"ServiceId": first})
    metrics.publish({"WorkerCapacityUsage": 0.9}, {"ServiceId": second})
    metrics.close()
    assert _known(first) and not _known(second)


def test_a_service_that_is_away_costs_the_worker_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for key, value in aws.server().environment(port=aws.free_port()).items():
        monkeypatch.setenv(key, value)
    metrics = CloudWatchMetrics(Patience(tries=1), period_s=0)
    for _ in range(2):
        metrics.publish({"WorkerCapacityUsage": 0.5}, {"ServiceId": "s"})
    metrics.close()
    assert [record.message.partition(":")[0] for record in caplog.records] == ["numbers for scaling are not heard"]
