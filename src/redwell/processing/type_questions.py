"""What contents are, as sandboxed children say. Threads that read ask; the thread that has the pool puts the questions.

A question is a message like any other, so a child that hangs or dies of it is replaced as for a document.
"""

import threading
from collections import deque
from collections.abc import Sequence
from itertools import count

from redwell.core import wire
from redwell.core.outcomes import Outcome
from redwell.core.work.lanes import Lane
from redwell.ports.content_types import Content, Seen, Unanswered
from redwell.processing.children.pool import Pool
from redwell.processing.results import Broken, Event, Finished, Returned
from redwell.processing.tasks import Place

_NOBODY_CAN_TELL = Seen("", "")


class _Question:
    def __init__(self, contents: Sequence[Content]) -> None:
        self.contents = contents
        self.answers: dict[int, Seen] = {}  # by the content's place in the question
        self.over = threading.Event()

    def answer(self, at: int, seen: Seen) -> None:
        self.answers[at] = seen
        if len(self.answers) == len(self.contents):
            self.over.set()


class TypeQuestions:
    """A `ContentTypes`. Its tasks have ids below 0, which no document has."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._ids = count(-1, -1)
        self._waiting: deque[_Question] = deque()
        self._tasks: dict[int, tuple[_Question, int, wire.Task]] = {}
        self._again: list[wire.Task] = []
        self._lock = threading.Lock()
        self._closed = False

    def of(self, contents: Sequence[Content]) -> list[Seen]:
        if not contents:
            return []
        question = _Question(contents)
        with self._lock:
            if self._closed:
                raise Unanswered
            self._waiting.append(question)
        question.over.wait()
        if len(question.answers) < len(contents):
            raise Unanswered
        return [question.answers[at] for at in range(len(contents))]

    def put(self, pool: Pool) -> None:
        """Send what was asked, and what came back unanswered, as far as there is room."""
        while (self._again or self._waiting) and pool.free():
            tasks, self._again = self._again or self._tasks_of(self._waiting.popleft()), []
            pool.submit(tasks, Lane.SMALL)

    def _tasks_of(self, question: _Question) -> list[wire.Task]:
        tasks = []
        for at, content in enumerate(question.contents):
            path, offset = self._place(content.sha256, content.location)
            length, key = content.location.length, next(self._ids)
            task = wire.Task(id=key, path=str(path), offset=offset, length=length, name=content.name, only_type=True)
            self._tasks[key] = question, at, task
            tasks.append(task)
        return tasks

    def take(self, event: Event) -> Event | None:
        """What is left of an event for others when the answers in it are taken."""
        match event:
            case Returned():
                self._again += [self._tasks[task][2] for task in event.tasks if task in self._tasks]
                others = [task for task in event.tasks if task not in self._tasks]
                return Returned(others) if others else None
            case Finished() if event.task in self._tasks:
                told = event.done.outcome is Outcome.SUCCESS
                self._answer(event.task, Seen(event.done.media_type, event.done.kind) if told else _NOBODY_CAN_TELL)
            case Broken() if event.task in self._tasks:
                self._answer(event.task, _NOBODY_CAN_TELL)
            case _:
                return event
        return None

    def _answer(self, task: int, seen: Seen) -> None:
        question, at, _ = self._tasks.pop(task)
        question.answer(at, seen)

    def close(self) -> None:
        """Nobody waits any longer."""
        with self._lock:
            self._closed = True
        for question in [*self._waiting, *(question for question, *_ in self._tasks.values())]:
            question.over.set()
