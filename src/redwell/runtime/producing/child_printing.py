"""A pool of children for what goes out: a `Printing`. Used by one thread, that of the command or of a job."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count
from typing import NamedTuple

from redwell.core import wire
from redwell.core.outcomes import Outcome
from redwell.core.work.lanes import Lane
from redwell.ports.printing import Answer, Asked, MadeFile
from redwell.processing.children.pool import Pool
from redwell.processing.results import Broken, Event, Finished, Returned

_WAIT_S = 1.0
_TRIES = 2
_MADE = frozenset({Outcome.SUCCESS, Outcome.PARTIAL})


class _Work(NamedTuple):
    asked: Asked
    tries: int


class ChildPrinting:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._ids = count(1)

    def each(self, asked: Iterable[Asked]) -> Iterator[Answer]:
        following = ((_Work(each, 1)) for each in asked)
        waiting: deque[_Work] = deque()
        running: dict[int, _Work] = {}
        while True:
            while waiting or (work := next(following, None)):
                work = waiting.popleft() if waiting else work
                assert work is not None
                if why := self._pool.unable.get(work.asked.profile):
                    yield Answer(work.asked.key, Outcome.UNSUPPORTED, why, (), ())
                elif self._pool.free(work.asked.profile):
                    running[next(self._ids)] = work
                    self._submit(max(running), work.asked)
                else:
                    waiting.appendleft(work)
                    break
            if not running and not waiting:  # what waits finds a child that is being replaced
                return
            for event in self._pool.wait(_WAIT_S):
                yield from self._heard(event, running, waiting)

    def _heard(self, event: Event, running: dict[int, _Work], waiting: deque[_Work]) -> Iterator[Answer]:
        match event:
            case Finished() if event.task in running:
                asked = running.pop(event.task).asked
                made = [
                    MadeFile(told.kind, told.number, told.media_type, spooled.read(), told.amount)
                    for told, spooled in zip(event.done.made, event.made, strict=True)
                    if spooled is not None
                ]
                outcome = event.done.outcome
                yield Answer(asked.key, outcome, event.done.detail, event.done.problems, made)
            case Broken() if event.task in running:
                work = running.pop(event.task)
                if work.tries < _TRIES:
                    waiting.append(_Work(work.asked, work.tries + 1))
                else:
                    yield Answer(work.asked.key, event.outcome, event.detail, (), ())
            case Returned():
                waiting.extend(running.pop(task) for task in event.tasks if task in running)
            case _:
                pass

    def _submit(self, key: int, asked: Asked) -> None:
        task = wire.Task(
            id=key,
            path=str(asked.path),
            offset=asked.offset,
            length=asked.length,
            name="",
            as_task=asked.task,
            engine=asked.engine,
            first_page=asked.first_page,
            order=asked.order,
        )
        self._pool.submit([task], Lane.LARGE if asked.is_large else Lane.SMALL, asked.profile)
