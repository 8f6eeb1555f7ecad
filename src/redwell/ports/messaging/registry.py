"""Which service of workers serves which case (SPEC A3). The rules are in core.jobs.worker_services, over such rows."""

from typing import Protocol

from redwell.core.jobs.worker_services import Service, Status


class Registry(Protocol):
    def add(self, service: Service) -> None:
        """A new row; one of this id stays as it is."""
        ...

    def remove(self, service: str) -> None: ...

    def get(self, service: str) -> Service | None:
        """The row as it is now."""
        ...

    def find(self, *, status: Status | None = None, case: int | None = None) -> list[Service]:
        """By id. May be behind by a moment: `replace` finds out."""
        ...

    def replace(self, old: Service, new: Service) -> bool:
        """One conditional update: True when the row was still `old` and no other service has the case of `new`."""
        ...

    def close(self) -> None: ...
