"""How many workers each service has (SPEC A3). Whoever keeps services in step with jobs asks and tells it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from redwell.core.jobs.worker_services import Service


class ServiceScaling(Protocol):
    """May raise ServiceUnavailable (Recoverable)."""

    def tasks(self, services: Sequence[Service]) -> Mapping[str, int]:
        """How many each shall have now, by id; one that is not known there is left out."""
        ...

    def scale(self, service: Service, tasks: int) -> None:
        """So many from now on, and never more than its job may have. May be called again."""
        ...

    def close(self) -> None: ...
