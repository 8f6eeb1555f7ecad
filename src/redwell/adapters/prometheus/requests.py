"""Numbers about the requests of the server, as a page that Prometheus reads. In the process of the server."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class RequestNumbers:
    """By route, never by address: nobody learns from it which cases there are."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ["method", "route", "status"]
        self._count = Counter("redwell_http_requests", "requests answered", labels, registry=self._registry)
        self._time = Histogram(
            "redwell_http_seconds", "time to the answer", ["route"], buckets=_BUCKETS, registry=self._registry
        )
        self._worker = Gauge("redwell_worker_alive", "1 while the server's own worker runs", registry=self._registry)

    def seen(self, method: str, route: str, status: int, seconds: float) -> None:
        self._count.labels(method, route, str(status)).inc()
        self._time.labels(route).observe(seconds)

    def page(self, *, worker_alive: bool) -> bytes:
        self._worker.set(int(worker_alive))
        return generate_latest(self._registry)
