"""What a language model over HTTP promises (ports.language_model): an answer, or one of two named errors."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from tests.support import model_server as faults
from tests.support.model_server import ModelServer

from redwell.adapters.llm.anthropic import AnthropicModel
from redwell.adapters.llm.bedrock import BedrockModel
from redwell.adapters.llm.openai import OpenAiModel
from redwell.adapters.llm.patience import Patience
from redwell.core.understanding.models import ModelChoice
from redwell.ports.language_model import Finish, LanguageModel, ModelRefusesUs, ModelUnavailable, Picture, Question

QUICK = Patience(tries=3, pause_s=0.01, connect_s=1, silent_s=0.5, whole_s=0.8)
FORM = {"type": "object", "properties": {"total": {"type": "string"}}, "required": ["total"]}
QUESTION = Question(system="fill the form", text="Total: 7", schema=FORM)
MODELS: dict[str, Callable[[ModelChoice, str, Patience], LanguageModel]] = {
    "openai": OpenAiModel,
    "anthropic": AnthropicModel,
    "bedrock": lambda choice, _key, patience: BedrockModel(choice, patience),
}
pytestmark = pytest.mark.requirement("B6")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda _: {"total": "7"}) as made:
        yield made


@pytest.fixture(params=MODELS)
def model(
    request: pytest.FixtureRequest, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LanguageModel]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    choice = ModelChoice(kind=request.param, name="m", url=server.url, region="eu-central-1")
    made = MODELS[request.param](choice, "secret", QUICK)
    yield made
    made.close()


def test_an_answer_comes_with_what_it_cost(model: LanguageModel, server: ModelServer) -> None:
    reply = model.ask(QUESTION)
    assert (reply.finish, reply.tokens_in, reply.tokens_out) == (Finish.STOP, 100, 20)
    assert '"total"' in reply.text and '"7"' in reply.text
    sent: Any = server.asked[0]
    assert sent["temperature"] == 0 and "fill the form" in str(sent), "what is asked is what was said"


@pytest.mark.parametrize("fault", [faults.BUSY, faults.BROKEN, faults.SILENT, faults.CUT_BODY, faults.ENDLESS])
def test_what_may_be_better_later_is_tried_again(model: LanguageModel, server: ModelServer, fault: str) -> None:
    server.faults = [fault]
    assert "7" in model.ask(QUESTION).text
    assert len(server.asked) == 2


@pytest.mark.parametrize("fault", [faults.BUSY, faults.ENDLESS])
def test_what_stays_so_is_named_after_three_tries(model: LanguageModel, server: ModelServer, fault: str) -> None:
    server.faults = [fault] * 5
    with pytest.raises(ModelUnavailable, match="3 times in a row"):
        model.ask(QUESTION)
    assert len(server.asked) == 3


def test_a_refusal_of_the_server_is_not_tried_again(model: LanguageModel, server: ModelServer) -> None:
    server.faults = [faults.DENIED]
    with pytest.raises(ModelRefusesUs, match="401"):
        model.ask(QUESTION)
    assert len(server.asked) == 1


@pytest.mark.parametrize(("fault", "finish"), [(faults.CUT, Finish.CUT), (faults.REFUSAL, Finish.REFUSED)])
def test_an_answer_that_is_cut_or_refused_says_so(
    model: LanguageModel, server: ModelServer, fault: str, finish: Finish
) -> None:
    server.faults = [fault]
    assert model.ask(QUESTION).finish is finish


def test_pictures_of_pages_arrive_as_the_api_says(model: LanguageModel, server: ModelServer) -> None:
    pages = [
        Picture(page=1, media_type="image/png", data=b"\x89PNG one"),
        Picture(page=2, media_type="image/jpeg", data=b"2"),
    ]
    assert "7" in model.ask(msgspec.structs.replace(QUESTION, pictures=pages)).text
    assert server.pictures == [("image/png", b"\x89PNG one"), ("image/jpeg", b"2")]
    assert "Total: 7" in str(server.asked[0]["messages"][-1]["content"][-1]["text"])
