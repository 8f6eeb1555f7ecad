"""Questions about types: asked by threads that read, answered through the pool of another."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from redwell.core import wire
from redwell.core.blobs import Location
from redwell.core.outcomes import Outcome
from redwell.core.work.lanes import Lane
from redwell.ports.content_types import Content, Seen, Unanswered
from redwell.processing.results import Broken, Event, Finished, Returned
from redwell.processing.type_questions import TypeQuestions

ONE, TWO = (Content(name.encode() * 32, Location("", 0, 9), f"{name}.txt") for name in "ab")


class OnePlace:
    """Stands in for the pool: remembers what it is sent, has room for one message."""

    def __init__(self) -> None:
        self.sent: list[list[wire.Task]] = []
        self.has_room = True

    def free(self) -> int:
        return int(self.has_room)

    def submit(self, tasks: Sequence[wire.Task], lane: Lane) -> None:
        self.sent.append(list(tasks))
        self.has_room = False


class Asking:
    def __init__(self) -> None:
        self.pool: Any = OnePlace()
        self.questions = TypeQuestions(lambda sha256, location: (Path(sha256[:1].decode()), location.offset))
        self._threads = ThreadPoolExecutor(2)

    def ask(self, *contents: Content) -> "Future[list[Seen]]":
        asked = len(self.questions._waiting)
        answer = self._threads.submit(self.questions.of, contents)
        while len(self.questions._waiting) == asked and not answer.done():
            threading.Event().wait(0.001)
        return answer

    def put(self) -> list[wire.Task]:
        self.questions.put(self.pool)
        return self.pool.sent[-1]

    def close(self) -> None:
        self.questions.close()
        self._threads.shutdown()


@pytest.fixture
def asking() -> Iterator[Asking]:
    made = Asking()
    yield made
    made.close()


def told(task: wire.Task, media_type: str, outcome: Outcome = Outcome.SUCCESS) -> Event:
    return Finished(task.id, wire.Done(task=task.id, outcome=outcome, media_type=media_type, kind="text"), None)


def test_a_question_is_a_message_and_each_content_gets_its_own_answer(asking: Asking) -> None:
    answer = asking.ask(ONE, TWO)
    first, second = asking.put()
    assert [(task.path, task.name, task.only_type) for task in (first, second)] == [
        ("a", "a.txt", True),
        ("b", "b.txt", True),
    ]
    assert asking.questions.take(told(second, "text/csv")) is None
    assert asking.questions.take(told(first, "text/plain")) is None
    assert answer.result(60) == [Seen("text/plain", "text"), Seen("text/csv", "text")]


def test_what_killed_a_child_or_could_not_be_read_is_nothing_that_anybody_can_tell(asking: Asking) -> None:
    answer = asking.ask(ONE, TWO)
    first, second = asking.put()
    asking.questions.take(Broken(first.id, Outcome.TIMED_OUT, "", None))
    asking.questions.take(told(second, "application/octet-stream", Outcome.INVALID_FILE))
    assert answer.result(60) == [Seen("", ""), Seen("", "")]


def test_what_comes_back_unanswered_is_sent_again_and_documents_are_left_to_others(asking: Asking) -> None:
    answer = asking.ask(ONE)
    (task,) = asking.put()
    assert asking.questions.take(Returned([7, task.id])) == Returned([7])
    assert asking.questions.take(told(wire.Task(id=7, path="", offset=0, length=1, name=""), "text/plain"))
    asking.pool.has_room = True
    assert asking.put() == [task]
    asking.questions.take(told(task, "text/plain"))
    assert answer.result(60) == [Seen("text/plain", "text")]


def test_whoever_waits_when_the_work_ends_goes_without_an_answer(asking: Asking) -> None:
    sent, waiting = asking.ask(ONE), None
    asking.put()
    waiting = asking.ask(TWO)
    asking.questions.close()
    for answer in (sent, waiting, asking.ask(ONE)):
        with pytest.raises(Unanswered):
            answer.result(60)
