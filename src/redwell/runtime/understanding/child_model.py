"""A model from a GGUF file in a sandboxed child: a `LanguageModel`. No network, limits on memory and time.

A thread of its own starts the child and speaks with it, since a child ends with the thread that started it. Whoever
asks waits for their turn; the child that is killed takes one question with it, and the next one gets a new child.
"""

import tempfile
import threading
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import msgspec

from redwell.core import wire
from redwell.core.errors import RedwellError
from redwell.core.outcomes import Outcome
from redwell.core.understanding.gguf import GGUF_ENGINE, GgufOrder, GgufQuestion, read_answer
from redwell.core.work.kinds import TaskType
from redwell.core.work.lanes import Lane
from redwell.ports.language_model import Finish, ModelRefusesUs, ModelUnavailable, Question, Reply
from redwell.processing.children.limits import ChildConfig
from redwell.processing.children.pool import Pool
from redwell.processing.results import Broken, Event, Finished, Returned

_WAIT_S = 1.0
_Asked = tuple[Question, "Future[Reply]"]


class ChildModel:
    def __init__(self, name: str, order: GgufOrder, config: ChildConfig) -> None:
        self.name = name
        self._order, self._config = msgspec.json.encode(order).decode(), config
        self._asked: SimpleQueue[_Asked | None] = SimpleQueue()
        self._count = 0
        self._thread = threading.Thread(target=self._serve, name="model", daemon=True)
        self._thread.start()

    def ask(self, question: Question) -> Reply:
        answer: Future[Reply] = Future()
        self._asked.put((question, answer))
        return answer.result()

    def close(self) -> None:
        self._asked.put(None)
        self._thread.join()

    def _serve(self) -> None:
        self._config.scratch.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._config.scratch, prefix="questions-") as folder:
            readable = (*self._config.readable, Path(folder))
            pool: Pool | None = None
            try:
                while asked := self._asked.get():
                    pool = pool or Pool(replace(self._config, readable=readable), 1)
                    self._answer(pool, Path(folder), *asked)
            finally:
                if pool:
                    pool.close()

    def _answer(self, pool: Pool, folder: Path, question: Question, answer: "Future[Reply]") -> None:
        try:
            answer.set_result(self._reply(pool, folder, question))
        except RedwellError as error:
            answer.set_exception(error)
        except Exception as error:
            answer.set_exception(ModelUnavailable(f"the model's child: {error!r}"))

    def _reply(self, pool: Pool, folder: Path, question: Question) -> Reply:
        pool.hello()
        self._count += 1
        path = folder / f"{self._count}.json"
        asked = GgufQuestion(
            system=question.system, text=question.text, schema=question.schema, max_tokens=question.max_tokens
        )
        path.write_bytes(msgspec.json.encode(asked))
        try:
            return self._heard(pool, self._submitted(pool, path))
        finally:
            path.unlink()

    def _submitted(self, pool: Pool, path: Path) -> wire.Task:
        task = wire.Task(
            id=self._count,
            path=str(path),
            offset=0,
            length=path.stat().st_size,
            name=path.name,
            as_task=TaskType.EXTRACT_TEXT,
            engine=GGUF_ENGINE,
            order=self._order,
        )
        pool.submit([task], Lane.LARGE, self._config.profile)
        return task

    def _heard(self, pool: Pool, task: wire.Task) -> Reply:
        while True:
            for event in pool.wait(_WAIT_S):
                if isinstance(event, Returned):
                    pool.submit([task], Lane.LARGE, self._config.profile)
                elif reply := _reply_of(event):
                    return reply


def _reply_of(event: Event) -> Reply | None:
    """An answer that takes too long is one that is cut: less is asked for at once."""
    if isinstance(event, Broken):
        if event.outcome is Outcome.TIMED_OUT:
            return Reply(text="", finish=Finish.CUT)
        raise ModelUnavailable(f"the model's child ended: {event.outcome}, {event.detail}")
    if not isinstance(event, Finished):
        return None
    if not event.made or event.made[0] is None:
        raise ModelRefusesUs(f"the model can't be asked: {event.done.detail}")
    said = read_answer(event.made[0].read())
    if said.error:
        raise ModelRefusesUs(f"the model does not answer: {said.error}")
    return Reply(text=said.text, finish=Finish(said.finish), tokens_in=said.tokens_in, tokens_out=said.tokens_out)
