"""Reads the rows of a volume in a sandboxed child of its own, while the thread that asks hashes the volume's files.

Used by the reading thread: a child ends with the thread that started it. What can't be read here is read once more when
the volume is opened, where it costs an attempt and gets a name.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from redwell.core import wire
from redwell.core.loadfiles.assembly import ROWS
from redwell.core.outcomes import Outcome
from redwell.core.work.lanes import Lane
from redwell.core.work.records import ClaimedVolume
from redwell.ports.rows_ahead import RowsBegun
from redwell.processing.children.limits import ChildConfig
from redwell.processing.children.pool import Pool
from redwell.processing.results import Broken, Event, Finished, Returned
from redwell.processing.tasks import Place, part_of

_WAIT_S = 1.0
_PART = 1 << 20
_TASK = 1


class RowsInChild:
    """A `RowsAhead`; `wanted` says no when the work ends."""

    def __init__(self, config: ChildConfig, place: Place, wanted: Callable[[], bool]) -> None:
        self._config, self._place, self._wanted = config, place, wanted

    @contextmanager
    def begun(self, order: bytes, load_files: Sequence[ClaimedVolume]) -> Iterator[RowsBegun]:
        self._config.scratch.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._config.scratch, prefix="rows-") as name:
            folder = Path(name)
            (folder / "order").write_bytes(order)
            task = self._task(folder / "order", len(order), load_files)
            with Pool(replace(self._config, readable=(*self._config.readable, folder)), 1) as pool:
                yield _Reading(pool, task, folder / "rows", self._wanted)

    def _task(self, order: Path, size: int, load_files: Sequence[ClaimedVolume]) -> wire.Task:
        parts = [wire.Volume(number=0, suffix="order", path=str(order), offset=0, length=size)]
        parts += [part_of(each, self._place) for each in load_files]
        return wire.Task(
            id=_TASK, path=str(order), offset=0, length=size, name=ROWS, volumes=parts, assembled=True, synthetic=True
        )


class _Reading:
    def __init__(self, pool: Pool, task: wire.Task, rows: Path, wanted: Callable[[], bool]) -> None:
        self._pool, self._task, self._rows, self._wanted = pool, task, rows, wanted
        self._is_over = False
        self._submit()

    def look(self) -> None:
        if not self._is_over:
            self._hear(0)

    def parts(self) -> Iterator[bytes]:
        while not self._is_over and self._wanted():
            self._hear(_WAIT_S)
        if self._rows.exists():
            with self._rows.open("rb") as file:
                while part := file.read(_PART):
                    yield part

    def _hear(self, wait_s: float) -> None:
        for event in self._pool.wait(wait_s):
            self._take(event)

    def _take(self, event: Event) -> None:
        if isinstance(event, Returned):
            self._submit()
        elif isinstance(event, Finished | Broken):
            self._is_over = True
        if isinstance(event, Finished) and event.done.outcome is Outcome.SUCCESS and event.made and event.made[0]:
            with self._rows.open("wb") as file:
                file.writelines(event.made[0].parts())

    def _submit(self) -> None:
        self._pool.submit([self._task], Lane.LARGE)
