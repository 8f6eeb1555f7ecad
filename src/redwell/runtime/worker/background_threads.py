"""Threads beside the work on a case: the indexer, the relay, those who tell others. Used by case_worker."""

import threading
from collections.abc import Callable, Sequence
from typing import Protocol


class Part(Protocol):
    def run(self) -> None:
        """Until `stop`."""
        ...

    def stop(self) -> None: ...


class BackgroundThreads:
    """A thread for each part; what one fails of is told, in its thread."""

    def __init__(self, parts: Sequence[Part], fail: Callable[[BaseException], None]) -> None:
        self._parts, self._fail = parts, fail
        self._threads = [threading.Thread(target=self._run, args=(part,), daemon=True) for part in parts]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        for part in self._parts:
            part.stop()
        for thread in self._threads:
            thread.join()

    def _run(self, part: Part) -> None:
        try:
            part.run()
        except BaseException as error:
            self._fail(error)
