"""A Nutrient Document Engine of our own: the two calls of SPEC E2 with their answers, faults included. On 127.0.0.1."""

import json
import re
import time
import urllib.request
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.support.http_server import LocalServer, Quiet

TOKEN = "secret of the engine"
BUSY, BROKEN, REFUSED, SILENT, CUT, NO_JSON, NO_ID = "busy", "broken", "refused", "silent", "cut", "no json", "no id"
_STATUS = {BUSY: 429, BROKEN: 500, REFUSED: 400}


class NutrientServer(LocalServer):
    """`faults` befall calls in their order, `load` or `flatten`; when none is left, all is well."""

    def __init__(self, silence_s: float = 0.5) -> None:
        self.faults: dict[str, list[str]] = {"load": [], "flatten": []}
        self.documents: dict[str, bytes] = {}
        self.flattened: list[str] = []
        self.calls: list[tuple[str, str]] = []
        self.silence_s = silence_s
        super().__init__(_handler(self))


def _fields(head: str, body: bytes) -> dict[str, bytes]:
    message = BytesParser().parsebytes(f"Content-Type: {head}\r\n\r\n".encode() + body)
    parts: Any = message.get_payload()
    return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in parts}


def _handler(server: NutrientServer) -> type[BaseHTTPRequestHandler]:
    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say(200, {"status": "ok"})

        def do_POST(self) -> None:
            body = self._body()
            if self.headers.get("Authorization") != f"Token token={TOKEN}":
                return self._say(401, {"error": "unauthorized"})
            if self.path == "/api/documents":
                return self._faulty("load", body, self._load)
            if found := re.fullmatch(r"/api/documents/([^/]+)/apply_instructions", self.path):
                return self._faulty("flatten", body, lambda said: self._flatten(found[1], said))
            return self._say(404, {"error": "no such call"})

        def _body(self) -> bytes:
            if "Content-Length" in self.headers:
                return self.rfile.read(int(self.headers["Content-Length"]))
            pieces = []
            while size := int(self.rfile.readline(), 16):
                pieces.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(pieces)

        def _faulty(self, call: str, body: bytes, work: Any) -> None:
            fault = server.faults[call].pop(0) if server.faults[call] else ""
            server.calls.append((call, fault))
            if fault in _STATUS:
                return self._say(_STATUS[fault], {"error": fault}, after="1" if fault == BUSY else "")
            if fault == SILENT:
                time.sleep(server.silence_s)
                self.close_connection = True
                return None
            answer = work(body)
            if fault == NO_ID:
                answer = {"data": {}}
            return self._say(200, answer, is_cut=fault == CUT, junk=fault == NO_JSON)

        def _load(self, body: bytes) -> dict[str, Any]:
            head = self.headers["Content-Type"]
            if head.startswith("multipart/form-data"):
                fields = _fields(head, body)
                name, data = fields["document_id"].decode(), fields["file"]
            else:
                asked = json.loads(body)
                name = asked["document_id"]
                with urllib.request.urlopen(asked["url"], timeout=10) as answer:
                    data = answer.read()
            server.documents[name] = data
            return {"data": {"document_id": name, "errors": [], "sourcePdfSha256": "", "title": name}}

        def _flatten(self, document: str, body: bytes) -> dict[str, Any]:
            asked = json.loads(body)
            assert asked == {"parts": [{"document": {"id": "#self"}}], "actions": [{"type": "flatten"}]}
            assert document in server.documents
            server.flattened.append(document)
            return {"data": {"document_id": document}}

        def _say(
            self, status: int, body: dict[str, Any], *, after: str = "", is_cut: bool = False, junk: bool = False
        ) -> None:
            data = b"<html>" if junk else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            if after:
                self.send_header("Retry-After", after)
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if is_cut else data)
            self.close_connection = is_cut or self.close_connection

    return Handler
