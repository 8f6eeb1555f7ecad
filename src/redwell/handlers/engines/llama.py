"""llama.cpp by xllamacpp, in this process. Called by the handler of the model profile, in the child.

An extra of its own (`pip install redwell[model]`). It insists on listening somewhere: it is given a Unix socket in a
folder that nobody else sees, and no child may connect to one.
"""

import importlib.util
import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from redwell.core.errors import Unsupported
from redwell.core.understanding.gguf import GgufAnswer, GgufOrder, GgufQuestion
from redwell.core.wire import Tool

REMEDY = "pip install 'redwell[model]'"
_SOCKET = "/tmp/model.sock"  # noqa: S108  of the child's own /tmp
# Spaces and line ends of JSON are tokens too, about a third of an answer; what it says is the same (llguidance).
_WITHOUT_SPACES = {"x-guidance": {"whitespace_flexible": False, "item_separator": ",", "key_separator": ":"}}
_TOO_LONG = "exceed"  # as llama.cpp says of a question that its context does not hold


def tool() -> Tool:
    found = importlib.util.find_spec("xllamacpp")
    return Tool(name="xllamacpp", version=version("xllamacpp") if found else "", remedy=REMEDY)


def answer(order: GgufOrder, question: GgufQuestion) -> GgufAnswer:
    asked = {
        "messages": [
            {"role": "system", "content": question.system},
            {"role": "user", "content": question.text},
        ],
        "grammar": _grammar(question.schema),
        "max_tokens": question.max_tokens,
        "temperature": 0,
        "seed": 1,
    }
    try:
        said = _model(order).handle_chat_completions(asked)
    except RuntimeError as error:
        said = {"error": {"message": str(error)}}
    return _read(said)


def _grammar(schema: Mapping[str, Any]) -> str:
    """By which no answer has another form; said as one, since the words for spaces are lost on the way of a schema."""
    return str(_library().json_schema_to_grammar(json.dumps({**schema, **_WITHOUT_SPACES})))


def _library() -> Any:
    try:
        import xllamacpp
    except ImportError:
        raise Unsupported(f"a model in a file needs xllamacpp: {REMEDY}") from None
    return xllamacpp


def _read(said: Mapping[str, Any]) -> GgufAnswer:
    if error := said.get("error"):
        told = str(error.get("message") or error)
        return GgufAnswer(finish="cut") if _TOO_LONG in told else GgufAnswer(error=told[:500])
    chosen, usage = said["choices"][0], said.get("usage") or {}
    return GgufAnswer(
        text=chosen["message"].get("content") or "",
        finish="cut" if chosen.get("finish_reason") == "length" else "stop",
        tokens_in=int(usage.get("prompt_tokens") or 0),
        tokens_out=int(usage.get("completion_tokens") or 0),
    )


@lru_cache(maxsize=1)
def _model(order: GgufOrder) -> Any:
    xllamacpp = _library()
    with open(order.file, "rb") as file:  # the library itself would not say what is wrong
        if file.read(4) != b"GGUF":
            raise Unsupported("this is no GGUF file")
    params = xllamacpp.CommonParams()
    params.model.path = order.file
    params.n_ctx = order.context
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = order.threads
    params.warmup = False
    params.offline = True
    params.ui = False
    params.hostnames = [_SOCKET]
    return xllamacpp.Server(params)
