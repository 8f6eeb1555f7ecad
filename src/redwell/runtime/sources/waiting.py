"""Waits until one of several sources may have something: each waits in its own way, in a thread of its own.

Its watcher stays open from one wait to the next: a connection that is made, and a notice that is asked for, hold on.
"""

import threading
from collections.abc import Callable, Iterable

from redwell.core.errors import RedwellError
from redwell.ports.sources import Source, Watcher


class Waiting:
    def __init__(self, open_watcher: Callable[[Source], Watcher]) -> None:
        self._open = open_watcher
        self._threads: dict[int, threading.Thread] = {}
        self._watchers: dict[int, Watcher] = {}  # of a source; only its one thread touches it
        self._woken = threading.Event()

    def __call__(self, sources: Iterable[Source], seconds: float) -> None:
        """At most so long; a source that can't be waited for is looked at again then."""
        self._woken.clear()
        for source in sources:
            running = self._threads.get(source.id)
            if running is None or not running.is_alive():
                thread = threading.Thread(target=self._wait, args=(source, seconds), daemon=True)
                self._threads[source.id] = thread
                thread.start()
        self._woken.wait(seconds)

    def _wait(self, source: Source, seconds: float) -> None:
        try:
            watcher = self._watchers.get(source.id) or self._watchers.setdefault(source.id, self._open(source))
            watcher.wait(seconds)
        except (RedwellError, OSError):
            if broken := self._watchers.pop(source.id, None):
                broken.close()
            return  # the next look says what is wrong
        self._woken.set()
