"""An endpoint outside that is told what becomes of batches (SPEC A14)."""

from typing import Protocol

from redwell.core.errors import Permanent
from redwell.core.events.event import Event


class Refused(Permanent):
    """The endpoint understood, and does not want it: saying it again would not help."""


class Endpoint(Protocol):
    def post(self, event: Event, case: str) -> None:
        """The endpoint has taken it when this returns; else ServiceUnavailable while it is away, or Refused."""
        ...

    def close(self) -> None: ...
