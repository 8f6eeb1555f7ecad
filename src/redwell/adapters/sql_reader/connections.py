"""A few connections of a reader, kept for the next look; used from several threads."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar


class Closing(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closing)


class Connections(Generic[C]):
    """`most` at once; who comes then waits. Idle ones are used again as long as they are `fit`."""

    def __init__(self, connect: Callable[[], C], fit: Callable[[C], bool], most: int = 4) -> None:
        self._connect, self._fit = connect, fit
        self._turns = threading.BoundedSemaphore(most)
        self._idle: list[C] = []  # the last one used is the first to be used again
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def one(self) -> Iterator[C]:
        """A connection whose use failed is not used again."""
        with self._turns:
            connection = self._taken()
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            self._give_back(connection)

    def _taken(self) -> C:
        while True:
            with self._lock:
                if not self._idle:
                    break
                connection = self._idle.pop()
            if self._fit(connection):
                return connection
            connection.close()
        return self._connect()

    def _give_back(self, connection: C) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            self._closed, idle, self._idle = True, self._idle, []
        for connection in idle:
            connection.close()
