"""Numbers of a worker as metrics of CloudWatch (SPEC A15), by which its service is scaled. In the worker's process."""

import logging
import time
from collections.abc import Mapping
from typing import Any

from redwell.adapters.aws.clients import client, named_failures
from redwell.core.errors import RedwellError
from redwell.core.patience import USUAL, Patience

NAMESPACE = "Redwell"
PERIOD_S = 60.0
PUBLISHED = frozenset({"WorkerCapacityUsage", "WorkerPendingWorkload"})
log = logging.getLogger(__name__)


class CloudWatchMetrics:
    """Keeps the promises of `ports.metrics.Metrics`. At most one call in a period: the newest values of each."""

    port = 0  # there is nothing to read here

    def __init__(self, patience: Patience = USUAL, period_s: float = PERIOD_S) -> None:
        self._period_s, self._due = period_s, 0.0
        self._values: dict[str, float] = {}
        self._told = True
        self._watch: Any = client("cloudwatch", patience)

    def publish(self, values: Mapping[str, float], dimensions: Mapping[str, str]) -> None:
        """One that can't be told costs nothing but a line in the log, once until it is heard again."""
        self._values.update({name: value for name, value in values.items() if name in PUBLISHED})
        if time.monotonic() < self._due or not self._values:
            return
        self._due = time.monotonic() + self._period_s
        where = [{"Name": name, "Value": value} for name, value in sorted(dimensions.items())]
        data = [{"MetricName": name, "Dimensions": where, "Value": value} for name, value in self._values.items()]
        try:
            with named_failures("CloudWatch"):
                self._watch.put_metric_data(Namespace=NAMESPACE, MetricData=data)
            self._told = True
        except RedwellError as error:
            if self._told:
                log.warning("numbers for scaling are not heard: %s", error)
            self._told = False

    def close(self) -> None:
        self._watch.close()
