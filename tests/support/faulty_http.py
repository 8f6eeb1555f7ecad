"""A proxy in front of a real HTTP server whose answers a test can spoil: refused, lost on the way, or only in part."""

import http.client
import json
from http.server import BaseHTTPRequestHandler

from tests.support.http_server import LocalServer, Quiet

BUSY, LATE, LOST, CUT, PARTLY = "busy", "late", "lost", "cut", "partly"
_SAID = {BUSY: 429, LATE: 504, LOST: 504}


class FaultyProxy(LocalServer):
    """Faults befall bulk requests, in the order they are given; when there are none left, all is well.

    busy: 429, nothing was done. lost: 504, nothing was done. late: 504, after it was done. cut: the connection breaks
    after it was done. partly: every second document is refused.
    """

    def __init__(self, port: int) -> None:
        self.faults: list[str] = []
        self.sent: list[int] = []  # documents of each bulk request
        super().__init__(_handler(self, port))


def _handler(proxy: FaultyProxy, port: int) -> type[BaseHTTPRequestHandler]:
    class Handler(Quiet, BaseHTTPRequestHandler):
        def _pass(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            is_bulk = "/_bulk" in self.path
            if is_bulk:
                proxy.sent.append(body.count(b"\n") // 2)
            fault = proxy.faults.pop(0) if is_bulk and proxy.faults else ""
            if fault in {BUSY, LOST}:
                return self._answer(_SAID[fault], b"{}")
            if fault == PARTLY:
                return self._answer(200, self._in_part(body))
            status, answer = self._forward(body)
            if fault == LATE:
                return self._answer(504, b"{}")
            if fault == CUT:
                self.close_connection = True
                return None
            return self._answer(status, answer)

        def _forward(self, body: bytes) -> tuple[int, bytes]:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            kept = {name: self.headers[name] for name in ("Content-Type", "Accept") if name in self.headers}
            connection.request(self.command, self.path, body, kept)
            answer = connection.getresponse()
            content = answer.read()
            connection.close()
            return answer.status, content

        def _in_part(self, body: bytes) -> bytes:
            lines = body.splitlines(keepends=True)
            pairs = [lines[at] + lines[at + 1] for at in range(0, len(lines), 2)]
            _, told = self._forward(b"".join(pairs[::2]))
            done = iter(json.loads(told)["items"])
            refused = {"index": {"status": 429, "error": {"type": "rejected_execution_exception"}}}
            items = [refused if number % 2 else next(done) for number in range(len(pairs))]
            return json.dumps({"errors": len(pairs) > 1, "items": items}).encode()

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _pass  # noqa: N815

    return Handler
