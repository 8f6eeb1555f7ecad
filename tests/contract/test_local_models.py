"""A real model keeps the port's promises: behind a server over HTTP, and from a file in a sandboxed child."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.local_model import served, small_model

from redwell.adapters.llm.openai import OpenAiModel
from redwell.core.understanding.gguf import GgufOrder, free_threads
from redwell.core.understanding.models import ModelChoice
from redwell.ports.language_model import Finish, LanguageModel, ModelRefusesUs, ModelUnavailable, Question
from redwell.processing.children.limits import LaneLimits
from redwell.processing.children.processes import descendants
from redwell.runtime.bootstrap.open_model import model_child
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.understanding.child_model import ChildModel

FORM = {
    "type": "object",
    "properties": {"total": {"type": "string"}},
    "required": ["total"],
    "additionalProperties": False,
}
QUESTION = Question(system="Fill the form.", text="Invoice. Total due: EUR 200.50", schema=FORM, max_tokens=60)
pytestmark = [pytest.mark.requirement("B6"), pytest.mark.xdist_group("local-model")]


def in_child(scratch: Path, file: Path | None = None, context: int = 1024, **limits: float) -> ChildModel:
    file = file or small_model()
    config = model_child(Settings(), file, scratch)
    if limits:
        lane = LaneLimits(**{"wall_s": 120, "rss_mb": 2_000, **limits})
        config = replace(config, small=lane, large=lane)
    return ChildModel("small", GgufOrder(file=str(file), context=context), config)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, LanguageModel]]:
    with served() as url:
        made: dict[str, LanguageModel] = {
            "server": OpenAiModel(ModelChoice(kind="openai", name="small", url=url), ""),
            "child": in_child(tmp_path_factory.mktemp("child")),
        }
        yield made
        for model in made.values():
            model.close()


@pytest.mark.parametrize("kind", ["server", "child"])
def test_a_real_model_answers_in_the_form_it_was_given_and_says_when_it_was_cut(
    models: dict[str, LanguageModel], kind: str
) -> None:
    reply = models[kind].ask(QUESTION)
    assert reply.finish is Finish.STOP and list(json.loads(reply.text)) == ["total"]
    assert reply.tokens_in > 10 and reply.tokens_out > 3
    short = Question(system=QUESTION.system, text=QUESTION.text, schema=FORM, max_tokens=3)
    assert models[kind].ask(short).finish is Finish.CUT
    assert models[kind].ask(QUESTION).text == reply.text, "the same question has the same answer"


def test_what_the_model_can_not_hold_is_asked_for_smaller(models: dict[str, LanguageModel]) -> None:
    long = Question(system="Fill the form.", text="word " * 3_000, schema=FORM, max_tokens=60)
    assert models["child"].ask(long).finish is Finish.CUT


def test_a_child_that_is_killed_takes_one_question_with_it(models: dict[str, LanguageModel]) -> None:
    model = models["child"]
    assert model.ask(QUESTION).text
    long = {"type": "array", "items": {"type": "integer"}, "minItems": 400}  # it may not stop before
    endless = Question(system="", text="Count.", schema=long, max_tokens=900)
    failed: list[Exception] = []

    def asked() -> None:
        try:
            model.ask(endless)
        except ModelUnavailable as error:
            failed.append(error)

    thread = threading.Thread(target=asked)
    thread.start()
    thread.join(timeout=0.5)
    host = [pid for pid in descendants(os.getpid()) if _is_model(pid)]
    for pid in host:
        os.kill(pid, signal.SIGKILL)
    thread.join(timeout=60)
    assert failed, "the question is not answered by half"
    assert model.ask(QUESTION).text


def _is_model(pid: int) -> bool:
    try:
        return "handlers.host.host" in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


def test_limits_of_time_and_memory_end_a_question_and_not_the_run(tmp_path: Path) -> None:
    slow = in_child(tmp_path, wall_s=0.05)
    assert slow.ask(QUESTION).finish is Finish.CUT, "less is asked for at once"
    slow.close()
    large = in_child(tmp_path, rss_mb=30)
    with pytest.raises(ModelUnavailable, match="OUT_OF_MEMORY"):
        large.ask(QUESTION)
    large.close()


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"PK\x03\x04 something else")
    model = in_child(tmp_path / "scratch", file)
    with pytest.raises(ModelRefusesUs, match="no GGUF"):
        model.ask(QUESTION)
    model.close()


def test_a_model_uses_the_cores_that_are_free() -> None:
    assert [free_threads(8, load) for load in (0.2, 5.6, 20)] == [8, 2, 1]
