"""Metrics as a page that Prometheus reads, served on this machine only. In the process of the worker."""

import re
from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Gauge, start_http_server

HELP = {
    "WorkerCapacityUsage": "the part of the worker's slots in use, 0 to 1",
    "WorkerPendingWorkload": "documents that wait in the cases that the worker serves",
    "WorkerSlotSeconds": "slot time used since the worker began",
    "WorkerOpenJobs": "jobs that the worker serves",
}


class PrometheusPage:
    """Its registry is its own: what the library knows of the process is not on the page."""

    def __init__(self, port: int) -> None:
        self._registry = CollectorRegistry()
        self._gauges: dict[str, Gauge] = {}
        self._server, self._thread = start_http_server(port, addr="127.0.0.1", registry=self._registry)

    @property
    def port(self) -> int:
        return int(self._server.server_port)

    def publish(self, values: Mapping[str, float], dimensions: Mapping[str, str]) -> None:
        labels = {_snake(name): value for name, value in dimensions.items()}
        for name, value in values.items():
            if name not in self._gauges:
                about = HELP.get(name, name)
                self._gauges[name] = Gauge(f"redwell_{_snake(name)}", about, list(labels), registry=self._registry)
            self._gauges[name].labels(**labels).set(value)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
