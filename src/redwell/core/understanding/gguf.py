"""What passes between Redwell and a child that holds a model: an order, a question, an answer. Pure."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

GGUF_ENGINE = "gguf-answer"


class GgufOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The text of core.handler.Options.order; the same for all questions of a run, as the model is read once."""

    file: str
    context: int = 8_192  # tokens of question and answer together
    threads: int = 1


class GgufQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The document that the child is given."""

    system: str
    text: str
    schema: Mapping[str, Any]
    max_tokens: int


class GgufAnswer(msgspec.Struct, frozen=True, kw_only=True):
    text: str = ""
    finish: Literal["stop", "cut"] = "stop"
    tokens_in: int = 0
    tokens_out: int = 0
    error: str = ""  # why there is none


read_order = msgspec.json.Decoder(GgufOrder).decode
read_question = msgspec.json.Decoder(GgufQuestion).decode
read_answer = msgspec.json.Decoder(GgufAnswer).decode


def free_threads(cores: int, load: float) -> int:
    """Cores that nobody uses now: a thread of the model that waits for one holds up all its others."""
    return max(1, cores - round(load))
