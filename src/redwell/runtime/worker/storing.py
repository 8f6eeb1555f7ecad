"""A process that stores bytes and works on no job: other machines that delete files know of it while it does."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.worker.other_workers import Heartbeat, OtherWorkers

_KIND = "overlay"


@contextmanager
def seen_storing(case: Case) -> Iterator[None]:
    """On this machine a lock tells as much."""
    if not case.is_shared:
        yield
        return
    others = OtherWorkers(case, _KIND, slots=0)
    others.beat()
    others.wait_for_gc(threading.Event())
    heartbeat = Heartbeat(case.settings.lease_s)
    heartbeat.add(others.beat)
    try:
        yield
    finally:
        heartbeat.stop()
        case.store.remove_workers([case.worker])
