"""Numbers about a running worker, to whoever watches: a page for Prometheus, or a service of the cloud."""

from collections.abc import Mapping
from typing import Protocol


class Metrics(Protocol):
    @property
    def port(self) -> int:
        """Where it can be read on this machine."""
        ...

    def publish(self, values: Mapping[str, float], dimensions: Mapping[str, str]) -> None:
        """The newest values, by name in camel case (SPEC A15); a name not given keeps what it had."""
        ...

    def close(self) -> None: ...
