"""Uploads that go on beside the work, until somebody asks whether all have arrived. Used by the blob store."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

AT_ONCE = 4


class Uploads:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="upload")
        self._lock = Lock()
        self._open: dict[str, tuple[Callable[[], None], Future[None]]] = {}

    def add(self, key: str, upload: Callable[[], None]) -> None:
        with self._lock:
            self._open[key] = upload, self._pool.submit(upload)

    def finish(self) -> None:
        """All that were added before have arrived when this returns; one that failed is tried anew next time."""
        with self._lock:
            begun = dict(self._open)
        failure: BaseException | None = None
        for key, (upload, future) in begun.items():
            failure = self._ended(key, upload, future) or failure
        if failure:
            raise failure

    def _ended(self, key: str, upload: Callable[[], None], future: Future[None]) -> BaseException | None:
        failure = future.exception()
        with self._lock:
            if failure:
                self._open[key] = upload, self._pool.submit(upload)
            elif self._open.get(key) == (upload, future):
                del self._open[key]
        return failure

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
