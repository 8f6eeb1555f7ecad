"""What the AWS server of the tests has not: Application Auto Scaling, and the agent beside a task. On 127.0.0.1.

Both follow the documented calls: RegisterScalableTarget (AWS JSON 1.1), and PUT /task-protection/v1/state.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class EcsSide:
    """`refusals`: how many calls still fail, with the answers that AWS gives."""

    def __init__(self) -> None:
        self.bounds: dict[str, tuple[int, int]] = {}
        self.protected: list[dict[str, Any]] = []
        self.refusals = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "EcsSide":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def register(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if self._refuses():
            return 400, {"__type": "LimitExceededException", "message": "later"}
        assert (asked["ServiceNamespace"], asked["ScalableDimension"]) == ("ecs", "ecs:service:DesiredCount")
        self.bounds[asked["ResourceId"]] = asked["MinCapacity"], asked["MaxCapacity"]
        return 200, {"ScalableTargetARN": "arn:aws:application-autoscaling:x:0:scalable-target/1"}

    def protect(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if self._refuses():
            return 400, {"failure": {"Arn": "arn", "Reason": "DEPLOYMENT_BLOCKED", "Detail": None}}
        self.protected.append(asked)
        return 200, {"protection": {**asked, "TaskArn": "arn", "ExpirationDate": None}}

    def _refuses(self) -> bool:
        self.refusals -= 1
        return self.refusals >= 0


def _handler(side: EcsSide) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            assert self.headers["X-Amz-Target"] == "AnyScaleFrontendService.RegisterScalableTarget"
            self._say(*side.register(self._body()))

        def do_PUT(self) -> None:
            assert self.path == "/task-protection/v1/state"
            self._say(*side.protect(self._body()))

        def _body(self) -> dict[str, Any]:
            found: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            return found

        def _say(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/x-amz-json-1.1")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
