"""Numbers about the requests of a server, for whoever watches."""

from typing import Protocol


class RequestNumbers(Protocol):
    def seen(self, method: str, route: str, status: int, seconds: float) -> None: ...
    def page(self, *, worker_alive: bool) -> bytes: ...
