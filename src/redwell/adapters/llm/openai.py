"""Models behind the OpenAI-compatible HTTP API, with structured output: vLLM, Ollama, llama.cpp, and others."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from redwell.adapters.llm.http_exchange import HttpExchange
from redwell.adapters.llm.patience import Patience
from redwell.core.understanding.models import ModelChoice
from redwell.ports.language_model import Finish, ModelUnavailable, Question, Reply

_FINISHES = {"length": Finish.CUT, "content_filter": Finish.REFUSED}


class OpenAiModel:
    def __init__(self, choice: ModelChoice, key: str, patience: Patience | None = None) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._model, self._exchange = choice.name, HttpExchange(choice.url, headers, patience)
        self.name = f"openai {choice.name} {choice.url}"

    def ask(self, question: Question) -> Reply:
        form = {"name": "form", "strict": True, "schema": question.schema}
        answer = self._exchange.post(
            "/chat/completions",
            {
                "model": self._model,
                "messages": [
                    {"role": "system", "content": question.system},
                    {"role": "user", "content": _content(question)},
                ],
                "response_format": {"type": "json_schema", "json_schema": form},
                "max_tokens": question.max_tokens,
                "temperature": 0,
                "stream": False,
            },
        )
        return _reply(answer)

    def close(self) -> None:
        self._exchange.close()


def _content(question: Question) -> str | list[dict[str, Any]]:
    """With pictures a list of parts, as data: nothing is fetched from anywhere."""
    if not question.pictures:
        return question.text
    shown = [
        {"type": "image_url", "image_url": {"url": f"data:{each.media_type};base64,{b64encode(each.data).decode()}"}}
        for each in question.pictures
    ]
    return [*shown, {"type": "text", "text": question.text}]


def _reply(answer: Mapping[str, Any]) -> Reply:
    try:
        choice = answer["choices"][0]
        message, usage = choice["message"], answer.get("usage") or {}
        refused = message.get("refusal")
        finish = Finish.REFUSED if refused else _FINISHES.get(choice.get("finish_reason") or "", Finish.STOP)
        return Reply(
            text=message.get("content") or "",
            finish=finish,
            tokens_in=int(usage.get("prompt_tokens") or 0),
            tokens_out=int(usage.get("completion_tokens") or 0),
        )
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise ModelUnavailable(f"an answer of another shape: {error!r}") from None
