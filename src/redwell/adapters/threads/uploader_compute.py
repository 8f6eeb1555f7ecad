"""The tasks of uploaders as threads of this process: ports.viewing.uploader_compute.UploaderCompute on one machine.

Each task holds a lock file in the home, so that every process there can count all of them, also after a kill.
"""

import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path

from redwell.adapters.files.locks import HeldLock, hold, seems_held
from redwell.core.ids import uuid7
from redwell.ports.viewing.uploader_compute import ComputeSpec, ComputeState

FOLDER = "uploaders"
Task = Callable[[ComputeSpec, threading.Event], None]


class LocalCompute:
    """`is_ready`: whether a task would find its engine."""

    def __init__(self, home: Path, task: Task, is_ready: Callable[[], bool]) -> None:
        self._folder, self._task, self._is_ready = home / FOLDER, task, is_ready
        self._made: dict[str, _Tasks] = {}
        self._failed: set[str] = set()
        self._own, self._numbers = uuid7().hex, count()

    def create(self, spec: ComputeSpec) -> None:
        self._failed.discard(spec.queue)
        if spec.queue in self._made:
            return
        if not self._is_ready():
            self._failed.add(spec.queue)
            return
        self._made[spec.queue] = _Tasks(spec, self._run)
        self.scale(spec, 1)

    def state(self, spec: ComputeSpec) -> ComputeState:
        queue = spec.queue
        if queue in self._failed:
            return ComputeState.FAILED
        tasks = self._made.get(queue)
        if tasks is None:
            return ComputeState.NONE
        if not tasks.is_ending:
            return ComputeState.RUNNING
        if tasks.alive():
            return ComputeState.DELETING
        del self._made[queue]
        return ComputeState.NONE

    def scale(self, spec: ComputeSpec, tasks: int) -> None:
        if spec.queue in self._made:
            self._made[spec.queue].scale(tasks)

    def delete(self, spec: ComputeSpec) -> None:
        self._failed.discard(spec.queue)
        if spec.queue in self._made:
            self._made[spec.queue].end()

    def running(self) -> int:
        if not self._folder.is_dir():
            return 0
        return sum(seems_held(each) for each in self._folder.glob("*.task"))

    def close(self) -> None:
        """Tasks end with the document that they have; what is left is for the next one that works on the case."""
        for each in self._made.values():
            each.end()
        for each in self._made.values():
            each.join()

    def _run(self, spec: ComputeSpec, stop: threading.Event) -> None:
        lock: HeldLock = hold(self._folder / f"{self._own}-{next(self._numbers)}.task")
        try:
            self._task(spec, stop)
        finally:
            lock.release(remove=True)


class _Tasks:
    """Of one uploader."""

    def __init__(self, spec: ComputeSpec, run: Task) -> None:
        self._spec, self._run = spec, run
        self._threads: list[tuple[threading.Thread, threading.Event]] = []
        self.is_ending = False

    def scale(self, tasks: int) -> None:
        if self.is_ending:
            return
        working = [(thread, stop) for thread, stop in self.alive() if not stop.is_set()]
        for _, stop in working[tasks:]:
            stop.set()
        for _ in range(tasks - len(working)):
            stop = threading.Event()
            thread = threading.Thread(target=self._run, args=(self._spec, stop), name="uploader", daemon=True)
            self._threads.append((thread, stop))
            thread.start()

    def alive(self) -> list[tuple[threading.Thread, threading.Event]]:
        self._threads = [each for each in self._threads if each[0].is_alive()]
        return self._threads

    def end(self) -> None:
        self.is_ending = True
        for _, stop in self._threads:
            stop.set()

    def join(self) -> None:
        for thread, _ in self._threads:
            thread.join()
