"""Models behind Anthropic's Messages API: the form is a tool that the model has to use."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import msgspec

from redwell.adapters.llm.http_exchange import HttpExchange
from redwell.adapters.llm.patience import Patience
from redwell.core.understanding.models import ModelChoice
from redwell.ports.language_model import Finish, ModelUnavailable, Question, Reply

_VERSION = "2023-06-01"
_FORM = "form"
_FINISHES = {"max_tokens": Finish.CUT, "refusal": Finish.REFUSED}


class AnthropicModel:
    def __init__(self, choice: ModelChoice, key: str, patience: Patience | None = None) -> None:
        headers = {"x-api-key": key, "anthropic-version": _VERSION}
        self._model, self._exchange = choice.name, HttpExchange(choice.url, headers, patience)
        self.name = f"anthropic {choice.name} {choice.url}"

    def ask(self, question: Question) -> Reply:
        return reply_of(self._exchange.post("/messages", {"model": self._model, **body_of(question)}))

    def close(self) -> None:
        self._exchange.close()


def body_of(question: Question) -> dict[str, Any]:
    """Without the model's name, which other doors to the same models take elsewhere."""
    tool = {"name": _FORM, "description": "The form, filled", "input_schema": question.schema}
    return {
        "max_tokens": question.max_tokens,
        "temperature": 0,
        "system": question.system,
        "messages": [{"role": "user", "content": _content(question)}],
        "tools": [tool],
        "tool_choice": {"type": "tool", "name": _FORM},
    }


def _content(question: Question) -> str | list[dict[str, Any]]:
    if not question.pictures:
        return question.text
    shown = [
        {
            "type": "image",
            "source": {"type": "base64", "media_type": each.media_type, "data": b64encode(each.data).decode()},
        }
        for each in question.pictures
    ]
    return [*shown, {"type": "text", "text": question.text}]


def reply_of(answer: Mapping[str, Any]) -> Reply:
    try:
        filled = [part["input"] for part in answer["content"] if part.get("type") == "tool_use"]
        said = "".join(part.get("text", "") for part in answer["content"] if part.get("type") == "text")
        usage = answer.get("usage") or {}
        return Reply(
            text=msgspec.json.encode(filled[0]).decode() if filled else said,
            finish=_FINISHES.get(answer.get("stop_reason") or "", Finish.STOP),
            tokens_in=int(usage.get("input_tokens") or 0),
            tokens_out=int(usage.get("output_tokens") or 0),
        )
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise ModelUnavailable(f"an answer of another shape: {error!r}") from None
