"""Metrics as a page of text that Prometheus reads, served on this machine only. In the process of the worker."""

import re
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HELP = {
    "WorkerCapacityUsage": "the part of the worker's slots in use, 0 to 1",
    "WorkerPendingWorkload": "documents that wait in the cases that the worker serves",
    "WorkerSlotSeconds": "slot time used since the worker began",
    "WorkerOpenJobs": "jobs that the worker serves",
}
_Key = tuple[str, tuple[tuple[str, str], ...]]


class PrometheusPage:
    def __init__(self, port: int) -> None:
        self._values: dict[_Key, float] = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def publish(self, values: Mapping[str, float], dimensions: Mapping[str, str]) -> None:
        with self._lock:
            for name, value in values.items():
                self._values[name, tuple(sorted(dimensions.items()))] = value

    def text(self) -> str:
        with self._lock:
            values = sorted(self._values.items())
        lines, last = [], ""
        for (name, dimensions), value in values:
            metric = f"redwell_{_snake(name)}"
            if name != last:
                lines += [f"# HELP {metric} {HELP.get(name, name)}", f"# TYPE {metric} gauge"]
            labels = ",".join(f'{_snake(key)}="{_escaped(word)}"' for key, word in dimensions)
            lines.append(f"{metric}{{{labels}}} {value:g}" if labels else f"{metric} {value:g}")
            last = name
        return "\n".join(lines) + "\n"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(page: PrometheusPage) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the base class calls it so
            found = self.path == "/metrics"
            body = page.text().encode() if found else b"/metrics\n"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody wants a line for each reading."""

    return Handler


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _escaped(word: str) -> str:
    return word.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
