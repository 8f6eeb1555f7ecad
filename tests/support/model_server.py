"""A server of our own that speaks as OpenAI's, Anthropic's and Bedrock's do, and whose answers a test decides.

Faults included: Bedrock names them in a header, as its documentation says (InvokeModel). Binds to 127.0.0.1.
"""

import json
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.support.http_server import LocalServer, Quiet

BUSY, BROKEN, SILENT, CUT_BODY, ENDLESS = "busy", "broken", "silent", "cut body", "endless"
NO_JSON, WRONG_SHAPE, CUT, REFUSAL, DENIED = "no json", "wrong shape", "cut", "refusal", "denied"
_SHOWN = {"image/png", "image/jpeg", "image/webp", "image/gif"}
_AWS_NAMES = {429: "ThrottlingException", 500: "InternalServerException", 401: "AccessDeniedException"}
Answer = Callable[[dict[str, Any]], Any]


class ModelServer(LocalServer):
    """`faults` befall requests in their order; when none is left, `answer` makes the answer of the question's text."""

    def __init__(self, answer: Answer) -> None:
        self.answer, self.faults = answer, list[str]()
        self.breaks: Callable[[dict[str, Any]], bool] = lambda _: False  # whatever else, at such a question
        self.pictures: list[tuple[str, bytes]] = []  # that came with questions: media type, bytes
        self.asked: list[dict[str, Any]] = []
        super().__init__(_handler(self))

    @property
    def url(self) -> str:
        return f"{super().url}/v1"


def _openai(text: str, finish: str, **message: Any) -> dict[str, Any]:
    return {
        "choices": [{"message": {"content": text, **message}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20},
    }


def _anthropic(filled: Any, text: str, finish: str) -> dict[str, Any]:
    content = [{"type": "text", "text": text}] if filled is None else [{"type": "tool_use", "input": filled}]
    return {"content": content, "stop_reason": finish, "usage": {"input_tokens": 100, "output_tokens": 20}}


def _spoiled(fault: str, is_openai: bool) -> dict[str, Any]:
    text = {NO_JSON: "I think that", WRONG_SHAPE: '{"other": 1}', CUT: '{"total": {"val', REFUSAL: ""}[fault]
    if is_openai:
        finish = {CUT: "length"}.get(fault, "stop")
        return _openai(text, finish, **({"refusal": "I would rather not"} if fault == REFUSAL else {}))
    finish = {CUT: "max_tokens", REFUSAL: "refusal"}.get(fault, "end_turn")
    return _anthropic({"other": 1} if fault == WRONG_SHAPE else None, text, finish)


def _pictures(question: dict[str, Any], is_openai: bool) -> Iterator[tuple[str, bytes]]:
    """As the two APIs document it: parts of the last message; ValueError for anything else."""
    content = question["messages"][-1]["content"]
    for part in [] if isinstance(content, str) else content:
        if part["type"] == "text":
            assert isinstance(part["text"], str)
            continue
        if is_openai:
            head, _, data = part["image_url"]["url"].partition(";base64,")
            media_type = head.removeprefix("data:")
        else:
            source = part["source"]
            media_type, data = source["media_type"], source["data"]
        if part["type"] != ("image_url" if is_openai else "image") or media_type not in _SHOWN:
            raise ValueError(f"{part['type']} of {media_type}")
        yield media_type, b64decode(data, validate=True)


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append(question)
            try:
                server.pictures += list(_pictures(question, self.path.endswith("/chat/completions")))
            except (KeyError, TypeError, ValueError) as error:
                return self._say(400, {"error": f"not as the API says: {error!r}"})
            fault = server.faults.pop(0) if server.faults else BROKEN if server.breaks(question) else ""
            is_openai = self.path.endswith("/chat/completions")
            if fault in {BUSY, BROKEN, DENIED}:
                return self._say({BUSY: 429, BROKEN: 500, DENIED: 401}[fault], {"error": fault})
            if fault == SILENT:
                time.sleep(1.0)
                return None
            if fault == ENDLESS:
                return self._never_end()
            if fault and fault != CUT_BODY:
                return self._say(200, _spoiled(fault, is_openai))
            said = server.answer(question)
            whole = _openai(json.dumps(said), "stop") if is_openai else _anthropic(said, "", "tool_use")
            return self._say(200, whole, is_cut=fault == CUT_BODY)

        def _say(self, status: int, body: dict[str, Any], is_cut: bool = False) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Content-Type", "application/json")
            if self.path.endswith("/invoke") and status in _AWS_NAMES:
                self.send_header("x-amzn-ErrorType", _AWS_NAMES[status])
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if is_cut else data)
            self.close_connection = is_cut

        def _never_end(self) -> None:
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"1\r\n \r\n")
                    self.wfile.flush()
                    time.sleep(0.02)
            except OSError:
                self.close_connection = True

    return Handler
